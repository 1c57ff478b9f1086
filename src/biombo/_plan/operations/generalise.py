"""Generalise a column by a hierarchy."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from biombo._data import Role
from biombo._documents import is_within_limit, limited
from biombo._engine import Batch, Step, Summary, Warn
from biombo._errors import ColumnError, UsageError
from biombo._hierarchy import TOP, Answer, Hierarchy
from biombo._plan.operations.operation import Context, RowOperation
from biombo._plan.values.distinct_values import relabelled

_REMEMBERED = 1 << 18
"""Values whose labels are kept from batch to batch, at most."""


@dataclass(frozen=True)
class Generalise(RowOperation):
    """Replace the values of ``column`` by what they become at ``level`` of ``hierarchy``.

    A missing value and those in ``apart`` stay values of their own; ``missing`` says what becomes of values that the
    hierarchy has no place for, as in :meth:`Hierarchy.recode`. Level 0 leaves the column as it is.

    >>> Generalise("age", Hierarchy.by_interval(5, [2]), 2, apart=["999"]).to_tree()["generalise"]["level"]
    2
    """

    name: ClassVar[str] = "generalise"
    roles: ClassVar[tuple[Role, ...]] = ("quasi", "sensitive", "other")
    truthful: ClassVar[bool] = True
    reversible: ClassVar[bool] = False
    leaks: ClassVar[str] = "plan.leaks.generalise"

    column: str
    hierarchy: Hierarchy
    level: int = field(metadata=limited(0))
    missing: Answer = "stop"
    apart: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "apart", tuple(sorted(set(self.apart))))
        if not is_within_limit(self, "level") or self.level > self.hierarchy.height:
            raise UsageError("plan.level", column=self.column, level=self.level, height=self.hierarchy.height)

    def start(self, context: Context) -> Step:  # noqa: ARG002
        """Look labels up once per distinct value of a batch."""
        return _Generalising(self)


class _Generalising(Step):
    """Remembers labels, and what only all batches together can show to be wrong."""

    def __init__(self, operation: Generalise) -> None:
        self._operation = operation
        self._apart = frozenset(operation.apart)
        self._label_of: dict[str | None, str | None] = {}
        self._groups: set[str] = set()
        self._staying: set[str | None] = set()
        self._unknown: Counter[str] = Counter()

    def __call__(self, batch: Batch) -> Batch:
        if self._operation.level == 0:
            return batch
        name = self._operation.column
        labelled = relabelled(batch.table.column(name), name, self._labels)
        return batch.with_column(name, labelled)

    def summary(self) -> Summary:
        """Values that the hierarchy had no place for, and those that stay beside groups."""
        groups, staying = frozenset(self._groups), frozenset(self._staying)
        return _Places(self._operation, Counter(self._unknown), groups, staying)

    def _labels(self, values: Sequence[str | None], rows: Sequence[int]) -> Sequence[str | None]:
        if len(self._label_of) > _REMEMBERED:
            self._label_of.clear()
        self._learn([value for value in values if value not in self._label_of])
        if self._unknown:
            found = zip(values, rows, strict=True)
            self._unknown.update({v: count for v, count in found if v is not None and v in self._unknown})
        return [self._label_of[value] for value in values]

    def _learn(self, values: Sequence[str | None]) -> None:
        operation = self._operation
        outside = list[str | None]()
        for value in values:
            above = None if value is None or value in self._apart else operation.hierarchy.ancestors(value)
            if above is not None:
                self._label_of[value] = above[operation.level - 1]
                self._groups.update(above)
            elif value is None or value in self._apart or operation.missing != "stop":
                outside.append(value)
            else:
                self._label_of[value] = None  # until finish() stops, with all such values counted
                self._unknown[value] = 0
        self._learn_outside(outside)

    def _learn_outside(self, values: Sequence[str | None]) -> None:
        operation = self._operation
        recoded = operation.hierarchy.recode(values, missing=operation.missing, apart=self._apart)
        for place, value in enumerate(values):
            self._label_of[value] = recoded.labels[operation.level][recoded.codes[operation.level, place]]
            if recoded.labels[1][recoded.codes[1, place]] == value:
                self._staying.add(value)


@dataclass(frozen=True, eq=False)
class _Places(Summary):
    operation: Generalise
    unknown: Counter[str]
    """Values that the hierarchy has no place for, with their records."""
    groups: frozenset[str]
    staying: frozenset[str | None]

    def merged(self, other: "_Places") -> "_Places":
        unknown, groups = self.unknown + other.unknown, self.groups | other.groups
        return _Places(self.operation, unknown, groups, self.staying | other.staying)

    def tell(self, warn: Warn) -> None:  # noqa: ARG002
        """Raise when the hierarchy had no place for some values, or when one that stays is called like a group."""
        if self.unknown:
            values, rows = zip(*sorted(self.unknown.items()), strict=True)
            self.operation.hierarchy.recode(values, counts=rows, column=self.operation.column)
        if taken := self.staying & self.groups - {TOP}:
            raise ColumnError("hierarchy.taken", value=min(map(str, taken)))
