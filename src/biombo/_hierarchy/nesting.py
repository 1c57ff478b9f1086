"""Is a table of values and their groups a hierarchy?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from biombo._errors import InputError
from biombo._hierarchy.hierarchy import TOP
from biombo._i18n import text

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
