"""What a requester is shown of a tiny table, by the rules as they are written down: slow and obvious."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, product

A, B, SENSITIVE = (0, 1), (0, 1), ("x", "y")
CELLS = [(a, b, s) for a, b, s in product(A, B, SENSITIVE)]
"""Two quasi columns and a sensitive one, with two values each."""

Table = tuple[int, ...]
"""How many people are in each cell."""

CHOICES = ((), ("a",), ("b",), ("a", "b"))
"""Quasi columns that a plan removes."""


def all_tables(people: int) -> Iterator[Table]:
    """All tables of so many people."""
    for chosen in combinations_with_replacement(range(len(CELLS)), people):
        counted = Counter(chosen)
        yield tuple(counted[cell] for cell in range(len(CELLS)))


def rounded(share: float, precision: int) -> float:
    """To a multiple of two in ``precision``."""
    steps = precision // 2
    return round(share * steps) / steps


def groups(table: Table, columns: Sequence[str]) -> dict[tuple[int, ...], dict[str, int]]:
    """The people of each group, by their sensitive value."""
    return _groups(table, tuple(columns))


@lru_cache(maxsize=100_000)
def _groups(table: Table, columns: tuple[str, ...]) -> dict[tuple[int, ...], dict[str, int]]:
    found: dict[tuple[int, ...], dict[str, int]] = {}
    for (a, b, s), people in zip(CELLS, table, strict=True):
        if people:
            key = tuple(value for name, value in (("a", a), ("b", b)) if name in columns)
            group = found.setdefault(key, {})
            group[s] = group.get(s, 0) + people
    return found


def shares_allowed(people: int, strictest: int, precision: int) -> list[float]:
    """Shares of the records that may be agreed on for suppression: steps of at least two TG of people."""
    step = step_allowed(people, strictest, precision)
    return [place * step for place in range(round(1 / step) + 1)]


def step_allowed(people: int, strictest: int, precision: int) -> float:
    """The smallest such share beside none."""
    return next((each for each in (2 / precision, 0.05, 0.1, 0.25, 0.5) if each * people >= 2 * strictest), 1.0)


def ordered(below: Mapping[str, int], people: int, strictest: int, precision: int) -> list[str]:
    """Columns in the order of list 4, the heaviest first: by the share that is told, or else by how many steps that may
    be suppressed would not do; by name where these are the same.
    """

    def weight(name: str) -> float:
        if people >= precision * strictest:
            return rounded(below[name] / people, precision)
        return sum(below[name] > share * people for share in shares_allowed(people, strictest, precision)[1:])

    return sorted(below, key=lambda name: (-weight(name), name))


def shown_records(
    table: Table, removed: Sequence[str], k: int, strictest: int, precision: int, suppression: float = 0.0
):
    """What a check of groups shows: that they reach TG, with what may be suppressed gone, or list 4."""
    people, left = sum(table), [name for name in ("a", "b") if name not in removed]
    small = sum(size for values in groups(table, left).values() if (size := sum(values.values())) < k)
    if small == 0 or (small <= suppression * people and small < people):
        return "protected"
    tells = people >= precision * strictest

    def entry(columns: Sequence[str]):
        sizes = [sum(values.values()) for values in groups(table, columns).values()]
        below, alone = sum(size for size in sizes if size < k), sum(size == 1 for size in sizes)
        shares = (rounded(below / people, precision), rounded(alone / people, precision)) if tells else (None, None)
        return below, (tuple(columns), *shares)

    alone = {name: entry([name]) for name in left}
    order = ordered({name: below for name, (below, _) in alone.items()}, people, strictest, precision)
    return tuple(told for _, told in [*(alone[name] for name in order), entry(left)])


def shown_values(
    table: Table, removed: Sequence[str], k: int, strictest: int, precision: int, suppression: float = 0.0
):
    """What a check of two values a group shows, once small groups are suppressed: that they are diverse, or list 9."""
    l, left = 2, [name for name in ("a", "b") if name not in removed]  # noqa: E741
    found = list(groups(table, left).values())
    if suppression:
        found = [values for values in found if sum(values.values()) >= k]
    poor = [values for values in found if len(values) < l]
    if not poor:
        return "protected"
    people, outside = sum(table), sum(sum(values.values()) for values in found if len(values) >= l)
    holders: Counter[str] = Counter()
    for values in found:
        holders.update(values)
    concerned = sorted({value for values in poor for value in values})
    if people < precision * strictest or outside < strictest:
        return ()
    return tuple(value for value in concerned if holders[value] >= strictest)
