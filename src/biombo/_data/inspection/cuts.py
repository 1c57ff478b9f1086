"""Where numbers and dates are cut that nobody made a hierarchy for: again and again near the middle (Mondrian: LeFevre
et al. 2006), at round numbers.

A cut at the median is a value that somebody has. Here it is the roundest number for which the parts are between three
and five eighths of the people; where many have the same number, between a quarter and three quarters, or whatever
leaves enough on both sides. So what can be told from a cut is about where the middle of many people lies:

- Between two neighbouring cuts, below the first and from the last on, there are at least ``least`` people. The first
  and the last interval are open: the smallest and the largest numbers of so many people, less one, could be any others
  further out, and the cuts were the same.
- No cut has more decimals than the numbers of more than few people have (:func:`passed_over`). Dates are cut at the
  first day of as many years, or else months, as there is one of.

The cuts of one column are the same for all records, so that intervals of different regions never overlap in part.
"""

from collections.abc import Callable, Sequence
from datetime import date
from fractions import Fraction
from itertools import pairwise
from typing import Any

from biombo._cells import tallied
from biombo._data.dataset import Column, Dataset
from biombo._data.inspection.column_names import meaning_of
from biombo._data.inspection.column_types import column_type
from biombo._data.inspection.few_people import passed_over
from biombo._data.inspection.hierarchies import DATE_FORMATS
from biombo._data.inspection.profile import Counts, first_of_each, value_sample
from biombo._data.inspection.ranked_numbers import RankedNumbers, in_document, marks_of, roundest, written_so
from biombo._data.plain import written
from biombo._data.schema import ColumnType
from biombo._documents import LARGEST_NUMBER
from biombo._hierarchy import Hierarchy, WrittenDates, exact, start_of_period

DEEPEST = 8
"""So often at most one part is cut, which makes 256 of them."""
_MOST_DECIMALS = 12

Round = Callable[[Fraction, Fraction], Fraction | None]
"""The roundest number above one and up to another, if there is one that may be a cut."""


def hierarchy_by_cuts(data: Dataset, column: str, least: int) -> Hierarchy | None:
    """Cuts for a column of numbers or dates, with at least so many people between two of them as are asked for, and
    more than few; none for other columns, and where people are too few.

    What the column is says the schema; where it says nothing, the values do, as for :func:`biombo.inspect`.

    >>> import polars as pl
    >>> from biombo._data.reader import read
    >>> data = read(pl.DataFrame({"age": [n % 80 for n in range(400)]}))
    >>> hierarchy_by_cuts(data, "age", 100).ancestors("31")
    ('[20, 50)', '< 50')
    """
    found = data[column]
    counts = _counts(data, column)
    kind = _type(data, found, counts)
    if kind == "categorical":
        return None
    invalid = data.schema[column].invalid
    held = [
        (value, int(number))
        for value, number in zip(written(found.values).to_list(), counts, strict=True)
        if number and value is not None and value not in invalid
    ]
    cut = date_cuts_for if kind == "date" else cuts_for
    document = cut([value for value, _ in held], [number for _, number in held], least)
    return None if document is None else Hierarchy.load(document)


def _counts(data: Dataset, column: str) -> Counts:
    """How many people have each value; each counts once where the table tells who they are."""
    person = data.schema.person
    if person is not None and person in data.columns:
        return first_of_each(data, person)[column]
    return tallied(data[column].codes, data[column].cardinality, data.counts)


def _type(data: Dataset, column: Column, counts: Counts) -> ColumnType:
    described = data.schema.columns.get(column.name)
    if described is not None:
        return described.type
    meaning = meaning_of(column.name)
    return column_type(value_sample(column, counts), meaning.type if meaning else None)


def cuts_for(values: Sequence[str], people: Sequence[int], least: int) -> dict[str, Any] | None:
    """The document of a hierarchy that cuts numbers which so many people have; none where there is nothing to cut.

    >>> ages = [str(age) for age in range(17, 91)]
    >>> cuts_for(ages, [40] * len(ages), 700)
    {'kind': 'bounds', 'levels': [[50, 70], [50]]}
    """
    marks = marks_of(values, people)
    ranked = RankedNumbers.of(values, people, marks)
    few = passed_over(ranked.people)
    fit = (places for places in range(_MOST_DECIMALS) if ranked.people_with_decimals(places) <= few)
    width = Fraction(1, 10 ** next(fit, _MOST_DECIMALS))

    def number(above: Fraction, up_to: Fraction) -> Fraction | None:
        found = roundest(above, up_to, width)
        return found if found is not None and _is_told_exactly(found) else None

    levels = _levels(ranked, max(least, few + 1), number)
    told = [list(map(in_document, each)) for each in levels]
    return {"kind": "bounds", "levels": told, **written_so(marks)} if told else None


def date_cuts_for(values: Sequence[str], people: Sequence[int], least: int) -> dict[str, Any] | None:
    """The same for dates, in the first of the formats that nearly all of them have.

    >>> days = [f"{month:02}/{year}" for year in range(1960, 2000) for month in range(1, 13)]
    >>> date_cuts_for(days, [1] * len(days), 200)
    {'kind': 'date-bounds', 'levels': [['1980-01-01']], 'format': 'MM/YYYY'}
    """
    few, all_of_them = passed_over(sum(people)), sum(people)
    for date_format in DATE_FORMATS:
        read = WrittenDates(date_format).read
        days = ((read(value), number) for value, number in zip(values, people, strict=True))
        ranked = RankedNumbers(tuple(sorted((Fraction(day.toordinal()), number) for day, number in days if day)))
        if all_of_them - ranked.people > max(few, all_of_them // 10):
            continue
        levels = _levels(ranked, max(least, few + 1), _roundest_day)
        told = [[date.fromordinal(int(cut)).isoformat() for cut in each] for each in levels]
        return {"kind": "date-bounds", "levels": told, "format": date_format} if told else None
    return None


def _roundest_day(above: Fraction, up_to: Fraction) -> Fraction | None:
    """The last first day of a hundred, fifty, ten, five years, … that is above one day and up to another."""
    for months in (1200, 600, 120, 60, 12, 6, 3, 1):
        first = start_of_period(date.fromordinal(int(up_to)), months).toordinal()
        if first > above:
            return Fraction(first)
    return up_to


def _is_told_exactly(number: Fraction) -> bool:
    """Does a document keep it as it is?"""
    return abs(number) <= LARGEST_NUMBER and exact(in_document(number)) == number


def _levels(ranked: RankedNumbers, least: int, round_: Round) -> list[list[Fraction]]:
    """The cuts of level 1, which are all, of level 2, …: each has those that were made before the last of the one
    below.
    """
    cuts: list[Fraction] = []
    levels: list[list[Fraction]] = []
    for _ in range(DEEPEST):
        ends = [0, *(ranked.below(cut) for cut in cuts), ranked.people]
        found = (_cut(ranked, first, last, least, round_) for first, last in pairwise(ends))
        new = [cut for cut in found if cut is not None]
        if not new:
            break
        cuts = sorted([*cuts, *new])
        levels.insert(0, cuts)
    return levels


def _cut(ranked: RankedNumbers, first: int, last: int, least: int, round_: Round) -> Fraction | None:
    """The roundest number with enough people on both sides, of those after rank ``first`` up to ``last``; as near to
    the middle as there is one.
    """
    people = last - first
    for eighths in (3, 2, 0):
        outside = max(least, people * eighths // 8)
        if 2 * outside > people:
            continue
        above, up_to = ranked.at(first + outside), ranked.at(last - outside + 1)
        if above < up_to and (cut := round_(above, up_to)) is not None:
            return cut
    return None
