"""Aggregation: a table of counts, sums and means in the place of records (PDPC 2018, section 14)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from biombo._data import Role
from biombo._documents import is_within_limit, limited
from biombo._errors import UsageError
from biombo._plan.operations.operation import Operation, Scope


@dataclass(frozen=True)
class Aggregate(Operation):
    """Count the records that the operations before leave by the columns ``by``, and release no record.

    It is the last operation of its plan. Whoever makes tables carries it out (:func:`biombo.aggregate`): cells of fewer
    than k people are left out, with those that would give them away.

    >>> Aggregate(["ward", "sex"], sum=["days"]).to_tree()
    {'aggregate': {'by': ['ward', 'sex'], 'sum': ['days']}}
    """

    name: ClassVar[str] = "aggregate"
    scope: ClassVar[Scope] = "two-pass"
    roles: ClassVar[tuple[Role, ...]] = ("quasi", "sensitive", "other")
    truthful: ClassVar[bool] = True
    reversible: ClassVar[bool] = False
    leaks: ClassVar[str] = "plan.leaks.aggregate"
    # Of values that were drawn, or that changed places, no cell would say how many people are in it.
    follows: ClassVar[tuple[str, ...]] = ("generalise", "mask-characters", "top-bottom-code")

    by: tuple[str, ...] = field(metadata=limited(members=1))
    sum: tuple[str, ...] = ()
    mean: tuple[str, ...] = ()
    levels: Mapping[str, Any] = field(default_factory=dict)
    """By column: the levels of its hierarchy that are counted apart and added up, by number or name."""
    percent: float = field(default=0.1, metadata=limited(0, 1))
    zeros: Literal["shown", "protected"] = "shown"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not is_within_limit(self, "by"):
            raise UsageError("plan.no-column-named", name=self.name)
        if not is_within_limit(self, "percent"):
            raise UsageError("tabulate.percent", percent=self.percent)
        object.__setattr__(self, "levels", {name: _levels(name, each) for name, each in self.levels.items()})
        for column in self.levels:
            if column not in self.by:
                raise UsageError("plan.aggregate-levels", column=column, by=", ".join(self.by))

    @property
    def columns(self) -> tuple[str, ...]:
        """All that cells are made of: nothing of it comes out in records."""
        return tuple(dict.fromkeys([*self.by, *self.sum, *self.mean]))


def _levels(column: str, given: Any) -> list[int | str]:
    """The levels of a column, each a number or a name."""
    if isinstance(given, list | tuple) and given and all(type(each) in (int, str) for each in given):
        return list(given)
    raise UsageError("plan.aggregate-level-list", column=column, value=given)
