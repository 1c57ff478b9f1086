"""A column of which each group of records has a level of its own, as it stands in plans."""

from dataclasses import dataclass, field

from biombo._documents import (
    ValueKind,
    Where,
    all_entries,
    check_types,
    chosen_entries,
    entries_schema,
    is_within_limit,
    limited,
    read_entries,
    register,
)
from biombo._errors import UsageError
from biombo._hierarchy import Answer, Hierarchy


@dataclass(frozen=True)
class RecodedColumn:
    """A column whose values become what they are at some level of ``hierarchy``, group by group.

    A missing value and those in ``apart`` stay values of their own below the top; ``missing`` says what becomes of
    values that the hierarchy has no place for. What a column loses counts ``weight`` times.
    """

    column: str
    hierarchy: Hierarchy
    missing: Answer = "stop"
    apart: tuple[str, ...] = ()
    weight: float = field(default=1, metadata=limited(0))

    def __post_init__(self) -> None:
        check_types(self)
        object.__setattr__(self, "apart", tuple(sorted(set(self.apart))))
        if not is_within_limit(self, "weight"):
            raise UsageError("plan.recoded-weight", column=self.column, value=self.weight)


def _read(value: object, where: Where) -> RecodedColumn:
    return read_entries(RecodedColumn, value, where.folder)  # type: ignore[arg-type]


register(
    RecodedColumn,
    ValueKind(_read, chosen_entries, all_entries, lambda: entries_schema(RecodedColumn), "plan.recoded-column"),
)
