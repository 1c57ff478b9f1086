"""What few people have is passed over by proposals that end in public labels.

Whoever reads a release sees in what bands, periods or groups its values are told. Where these hung on what a few people
have, they would tell of them, also of some who are not released. So values of fewer than :data:`FEWEST` people
decide nothing; in a table of few people, those of a tenth of them.
"""

from collections.abc import Iterable, Sequence

FEWEST = 10
"""What fewer people have decides nothing."""


def passed_over(people: int) -> int:
    """How many of so many people are passed over.

    >>> passed_over(1000), passed_over(45)
    (9, 4)
    """
    return min(FEWEST - 1, people // FEWEST)


def different(counts: Iterable[int]) -> int:
    """How many things there are that so many people each have, the rarest passed over.

    >>> different([500, 400, 1, 1, 1, 1])
    2
    """
    rarest_first = sorted(count for count in counts if count)
    return len(_left(rarest_first, passed_over(sum(rarest_first))))


def share_of(holds: Sequence[bool], counts: Sequence[int]) -> float:
    """The share of the different values of which something holds; the rarest of the others are passed over, and so are
    those of which it holds where few people have all of them.

    >>> share_of([True, True, False], [500, 400, 2])
    1.0
    """
    met = sorted(count for count, hold in zip(counts, holds, strict=True) if hold and count)
    others = sorted(count for count, hold in zip(counts, holds, strict=True) if not hold and count)
    few = passed_over(sum(met) + sum(others))
    if sum(met) <= few:
        return 0.0
    return len(met) / (len(met) + len(_left(others, few)))


def all_but_few(holds: Sequence[bool], counts: Sequence[int]) -> bool:
    """Does it hold of all, the few aside?

    >>> all_but_few([True, False], [500, 9])
    True
    """
    others = sum(count for count, hold in zip(counts, holds, strict=True) if not hold)
    return others <= passed_over(sum(counts))


def _left(rarest_first: Sequence[int], few: int) -> Sequence[int]:
    """What is left without the first, as far as these are ``few`` together."""
    gone = 0
    for place, count in enumerate(rarest_first):
        gone += count
        if gone > few:
            return rarest_first[place:]
    return ()
