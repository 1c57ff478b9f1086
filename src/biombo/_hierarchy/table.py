"""Hierarchies that list every value, and whether a list of values and their groups is one."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from biombo._errors import InputError
from biombo._hierarchy.first_line import FirstLine
from biombo._hierarchy.hierarchy import TOP, Bounds, Hierarchy
from biombo._i18n import text

_INDENT = "  "


@dataclass(frozen=True)
class TableHierarchy(Hierarchy):
    """A hierarchy that lists every value."""

    levels: Mapping[str, tuple[str, ...]] = field(repr=False)
    """For each value, what it becomes at level 1, 2, …"""
    spellings: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Other ways to write a value, such as a municipality with its check digit."""
    names: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    """What people call the groups that are given by codes."""
    called: tuple[str, ...] = field(default=(), repr=False, compare=False)
    """What level 1, 2, … is called, if anything."""
    packaged_as: str | None = field(default=None, compare=False)
    """The name under which it comes with Biombo."""
    first_line: FirstLine | None = field(default=None, repr=False, compare=False)
    """The line of its file of which it is still to be decided, for a column, whether it is a header."""

    @property
    def height(self) -> int:
        """The highest level."""
        return len(next(iter(self.levels.values())))

    @cached_property
    def has_top(self) -> bool:
        """Does every value end in ``*``?"""
        return all(above[-1] == TOP for above in self.levels.values())

    @property
    def level_names(self) -> tuple[str | None, ...]:
        """What the levels are called, if anything."""
        return self.called or super().level_names

    def _level_label(self, level: int) -> str:
        if self.level_names[level - 1] is not None:
            return super()._level_label(level)
        groups = len({above[level - 1] for above in self.levels.values()})
        return text("hierarchy.level.groups" if groups != 1 else "hierarchy.level.groups-one", count=groups)

    def _level_told(self, level: int) -> str:
        return super()._level_label(level)

    @property
    def values(self) -> Collection[str]:
        """The values in the list, in its order."""
        return self.levels.keys()

    def name_of(self, label: str) -> str | None:
        """What people call the group."""
        return self.names.get(label)

    @property
    def may_have_header(self) -> bool:
        """Did it come from a file, and has met no column yet?"""
        return self.first_line is not None

    def for_column(self, column: str) -> Hierarchy:
        """Without the first line of its file, where that is a header; either is said."""
        if self.first_line is None:
            return self
        decided = replace(self, first_line=None)
        if not self.first_line.is_header(self.levels, column):
            return decided
        first = self.first_line.value
        return replace(decided, levels={value: above for value, above in self.levels.items() if value != first})

    def ancestors(self, value: str) -> tuple[str, ...] | None:
        """The value's groups, as listed."""
        return self.levels.get(self.spellings.get(value, value))

    def _domain(self, level: int, bounds: Bounds | None) -> Iterator[str]:  # noqa: ARG002
        return (above[level - 1] for above in self.levels.values())

    def to_tree(self) -> dict[str, Any]:
        """Its name where it is built in, else groups within groups."""
        if self.packaged_as is not None:
            return {"kind": "built-in", "name": self.packaged_as}
        return {"kind": "tree", "tree": self._groups()}

    def _groups(self) -> dict[str, Any]:
        """Groups within groups, the highest first, with lists of values at the bottom."""
        tree: dict[str, Any] = {}
        for value, above in self.levels.items():
            branch = tree
            for label in above[:0:-1]:
                branch = branch.setdefault(label, {})
            branch.setdefault(above[0], []).append(value)
        return tree

    def to_text(self) -> str:
        """Groups with what belongs to them indented below, as :meth:`from_text` reads them."""
        return "\n".join(_lines(self._groups()))

    def _content(self) -> dict[str, Any]:
        rows = {value: list(above) for value, above in self.levels.items()}
        return {"kind": "table", "rows": rows, "spellings": dict(self.spellings)}


def _lines(groups: Any, indent: str = "") -> Iterator[str]:
    if not isinstance(groups, dict):
        yield from (f"{indent}{value}" for value in groups)
        return
    for label, below in groups.items():
        yield f"{indent}{label}"
        yield from _lines(below, indent + _INDENT)


MOST_LEVELS = 100


@dataclass(frozen=True)
class Row:
    """A value at each level, level 0 first."""

    labels: tuple[str, ...]
    line: int | None
    """Where it stands in a file that has lines."""

    @property
    def value(self) -> str:
        """The value itself."""
        return self.labels[0]

    @property
    def place(self) -> str:
        """Where it stands, for messages."""
        if self.line is None:
            return text("errors.hierarchy.at-value", value=self.value)
        return text("errors.hierarchy.at-line", line=self.line)


def nested(rows: Sequence[Row], path: str) -> dict[str, tuple[str, ...]]:
    """For each value what it becomes at level 1, 2, …; refused where groups of one level overlap or run in a circle."""
    if not rows or len(rows[0].labels) < 2:
        raise InputError("hierarchy.flat", path=path)
    levels: dict[str, tuple[str, ...]] = {}
    expected = len(rows[0].labels)
    if expected > MOST_LEVELS + 1:
        raise InputError("hierarchy.deep", path=path, most=MOST_LEVELS)
    for row in rows:
        if len(row.labels) != expected:
            raise InputError("hierarchy.width", path=path, place=row.place, got=len(row.labels), expected=expected)
        if "" in row.labels[1:]:
            raise InputError("hierarchy.empty", path=path, place=row.place, level=row.labels.index("", 1))
        if levels.setdefault(row.value, row.labels[1:]) != row.labels[1:]:
            raise InputError("hierarchy.twice", path=path, place=row.place, value=row.value)
    _refuse_overlap(rows, path)
    _refuse_circle(rows, path)
    return levels


def _refuse_overlap(rows: Sequence[Row], path: str) -> None:
    """A group belongs to one group of the next level, and ``*`` to ``*``."""
    parents: list[dict[str, tuple[str, str]]] = [{TOP: (TOP, TOP)} for _ in rows[0].labels]
    for row in rows:
        for level, (label, above) in enumerate(pairwise(row.labels)):
            known, witness = parents[level].setdefault(label, (above, row.value))
            if known != above:
                raise InputError(
                    "hierarchy.not-nested",
                    path=path,
                    place=row.place,
                    level=level,
                    label=label,
                    groups=f"{known!r} ({witness!r}), {above!r} ({row.value!r})",
                )


def _refuse_circle(rows: Sequence[Row], path: str) -> None:
    """Whoever goes from a value to its group, and from there to the group's, must not come back."""
    above: dict[str, dict[str, Row]] = {}
    for row in rows:
        for lower, upper in pairwise(row.labels):
            if lower != upper:
                above.setdefault(lower, {}).setdefault(upper, row)
    finished = set[str]()
    for start in above:
        if circle := _circle_from(start, above, finished):
            place = above[circle[-2]][circle[-1]].place
            raise InputError("hierarchy.cyclic", path=path, place=place, circle=" → ".join(circle))


def _circle_from(start: str, above: dict[str, dict[str, Row]], finished: set[str]) -> list[str]:
    """The first circle met on the way up from ``start``; ``finished`` collects the labels from which there is none."""
    way: dict[str, Iterator[str]] = {} if start in finished else {start: iter(above[start])}
    while way:
        label, uppers = next(reversed(way.items()))
        upper = next((upper for upper in uppers if upper not in finished), None)
        if upper is None:
            finished.add(label)
            del way[label]
        elif upper in way:
            walked = list(way)
            return [*walked[walked.index(upper) :], upper]
        else:
            way[upper] = iter(above.get(upper, ()))
    return []
