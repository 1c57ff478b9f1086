"""Levels left out of the proposed hierarchies of a table with many quasi columns, so that a search can try them all."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import prod

from biombo._data.inspection.few_people import different
from biombo._hierarchy import Hierarchy

COMBINATIONS = 1 << 18
"""So many combinations of levels are tried in seconds."""

_EXACT = 32

Groups = Mapping[int, int]
"""By level: how many different labels the values of the table have there, those of few people aside; level 0 are the
values themselves."""


def fewer_levels(
    hierarchies: Mapping[str, Hierarchy], values: Mapping[str, Mapping[str, int]], others: int = 0
) -> dict[str, list[int]]:
    """For each column the levels that are left: all of them where their combinations are few enough. Otherwise those go
    first that bring nothing together in this table, then, from the column with the most levels, the finest: where many
    columns can be known, exact values of one of them make small groups. Where one level of each is still too many,
    those of the most groups lose that too, and are kept or hidden as a whole, as ``others`` without a hierarchy are.
    ``values`` are those of each column, with how many people have them.

    >>> ages = Hierarchy.by_interval(5, [2, 4, 8])
    >>> fewer_levels({"age": ages}, {"age": {str(age): 30 for age in range(18)}})
    {'age': [1, 2, 3, 4]}
    """
    every = {name: list(range(1, hierarchy.height + 1)) for name, hierarchy in hierarchies.items()}
    most = max(1, COMBINATIONS >> others)
    if _combinations(every, hierarchies) <= most:
        return every
    groups = {name: _groups(hierarchy, values[name]) for name, hierarchy in hierarchies.items()}
    left = {name: _useful(of_levels) for name, of_levels in groups.items()}
    while _combinations(left, hierarchies) > most:
        longest = max(left, key=lambda name: (_telling(left[name], groups[name]), _size(groups[name][left[name][0]])))
        if len(left[longest]) == 1:
            break
        left[longest].pop(0)
    for name in sorted(left, key=lambda name: -_size(groups[name][left[name][-1]])):
        if _combinations(left, hierarchies) > most:
            left[name] = []
    return left


def _telling(left: Sequence[int], groups: Groups) -> int:
    """How many levels there are that tell something."""
    return sum(groups[level] > 1 for level in left)


def _size(groups: int) -> int:
    """How many they are, so roughly where they are many that a few more or fewer seldom make a difference."""
    return min(groups, _EXACT) + groups.bit_length()


def _combinations(levels: Mapping[str, Sequence[int]], hierarchies: Mapping[str, Hierarchy]) -> int:
    """With the values as they are, and with ``*`` where no level is that."""
    return prod(max(2, 1 + len(left) + (not hierarchies[name].has_top)) for name, left in levels.items())


def _groups(hierarchy: Hierarchy, values: Mapping[str, int]) -> dict[int, int]:
    people = [Counter[str]() for _ in range(hierarchy.height + 1)]
    for value, number in values.items():
        if (above := hierarchy.strict.ancestors(value)) is not None:
            for level, label in enumerate((value, *above)):
                people[level][label] += number
    return {level: different(labels.values()) for level, labels in enumerate(people)}


def _useful(groups: Groups) -> list[int]:
    """The levels that bring something together, up to the first that leaves one group; the highest if none does."""
    useful = [level for level in groups if level and groups[level] < groups[level - 1]]
    constant = next((level for level in useful if groups[level] == 1), max(groups))
    return [level for level in useful if level <= constant] or [max(groups)]
