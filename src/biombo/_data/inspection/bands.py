"""Bands of round width for numbers, with open ends, that no few people could have made other ones.

Whoever reads the release sees the bands; one that begins at the smallest value, or ends at the largest, would tell what
one person has, and so would a width that one person stretched. So everything goes by ranks that are further from the
smallest and the largest number than :data:`FEWEST` people, and is asked three times: as the table is, and as far up and
down as nine people with other values could move it.

- The *scale* is the power of ten that nine in ten people span ten to a hundred times. Its bands are one, five and ten
  such powers wide. Where nine people could make it another scale, the bands of both are proposed.
- An *end* is the roundest of the numbers beyond which 2 people in a hundred lie, and 50 at least, and at most 10 in a
  hundred more. Where nine people could make it another number, there is none, and none in a table of fewer than 1000.
- They are bands of *whole numbers* unless :data:`FEWEST` people have others.

So nine people cannot turn bands into others: two tables that differ in what nine people have get bands of widths in
common, and ends that are the same, or are there in one of them only. (Or one gets none, where too little is clear.)
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import floor, log10
from typing import Any

from biombo._data.inspection.few_people import FEWEST
from biombo._data.inspection.ranked_numbers import RankedNumbers, in_document, marks_of, roundest, written_so
from biombo._documents import LARGEST_NUMBER

_LEAST = 6 * FEWEST
"""Of fewer people nothing can be told that nine of them could not change."""
_ENDS_FROM = 100 * FEWEST
_STEPS = (1, 5, 10)
"""How wide bands are, in powers of ten."""
_MOST_SCALES = 2
_FINEST = -100
"""Documents have no numbers with hundreds of decimals."""


def bands_for(values: Sequence[str], people: Sequence[int]) -> dict[str, Any] | None:
    """The document of a hierarchy of bands for numbers that so many people have; none where they are too few, or no
    numbers, or too large.

    >>> ages = [str(age) for age in range(17, 91)]
    >>> bands_for(ages, [40] * len(ages))
    {'kind': 'interval', 'width': 5, 'multiples': [2], 'bottom': 20, 'top': 85, 'labels': 'inclusive'}
    """
    marks = marks_of(values, people)
    ranked = RankedNumbers.of(values, people, marks)
    if sum(people) < _LEAST or ranked.people < _LEAST - FEWEST:
        return None
    whole = ranked.people_with_decimals(0) < FEWEST
    widths = _widths(ranked, whole)
    if not widths:
        return None
    ends = _ends(ranked, widths[0])
    if any(abs(number) > LARGEST_NUMBER for number in (*widths, *ends.values())):
        return None
    entries: dict[str, Any] = {"kind": "interval", "width": in_document(widths[0])}
    entries |= {"multiples": [int(each / widths[0]) for each in widths[1:]]}
    entries |= {name: in_document(end) for name, end in ends.items()}
    return entries | ({"labels": "inclusive"} if whole else {}) | written_so(marks)


def _widths(ranked: RankedNumbers, whole: bool) -> list[Fraction]:
    """How wide the bands are, each a multiple of the one before; none where that is too uncertain."""
    spreads = [spread for part in _spread_by(ranked) for spread in _spreads(part) if spread > 0]
    scales = {floor(log10(spread.numerator) - log10(spread.denominator)) - 1 for spread in spreads}  # of any size
    scales = {max(0, scale) for scale in scales} if whole else scales
    if not scales or max(scales) - min(scales) >= _MOST_SCALES or min(scales) < _FINEST:
        return []
    widths = {Fraction(10) ** scale * step for scale in scales for step in _STEPS}
    return sorted(width for width in widths if width > 1 or not whole)


def _spread_by(ranked: RankedNumbers) -> Iterator[RankedNumbers]:
    """What the scale goes by: all numbers; without the one that most people have, where most people have one."""
    _, often = ranked.commonest
    if 2 * (often - FEWEST) <= ranked.people:
        yield ranked
    if 2 * (often + FEWEST) > ranked.people and (rest := ranked.without_commonest()).people >= _LEAST - FEWEST:
        yield rest


def _spreads(ranked: RankedNumbers) -> tuple[Fraction, Fraction, Fraction]:
    """How far apart nine in ten people lie; in a small table by those in the middle. At least, as it is, and at most,
    whatever nine people had.
    """
    people = ranked.people
    outside = max(people // 20, 2 * FEWEST)
    stretched = Fraction(9 * people, 10 * (people - 2 * outside))

    def spread(more: int) -> Fraction:
        return (ranked.at(people + 1 - outside + more) - ranked.at(outside - more)) * stretched

    return spread(-FEWEST), spread(0), spread(FEWEST)


def _ends(ranked: RankedNumbers, width: Fraction) -> dict[str, Fraction]:
    """From where on all numbers are one band, as far as nine people could not move that."""
    people = ranked.people
    if people < _ENDS_FROM:
        return {}
    least = max(people // 50, 5 * FEWEST)
    most = least + people // 10

    def bottom(more: int) -> Fraction | None:
        return roundest(ranked.at(least - more), ranked.at(most + 1 + more), width)

    def top(more: int) -> Fraction | None:
        return roundest(ranked.at(people - most - more), ranked.at(people + 1 - least + more), width)

    found = {"bottom": (bottom(-FEWEST), bottom(FEWEST)), "top": (top(-FEWEST), top(FEWEST))}
    return {name: end for name, (end, other) in found.items() if end is not None and end == other}
