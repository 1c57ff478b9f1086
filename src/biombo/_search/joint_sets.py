"""Several sets of quasi columns: whether they share any, and what may then not be asked."""

from collections.abc import Mapping, Sequence

from biombo._criteria import Criterion
from biombo._errors import UsageError
from biombo._search.policy import Policy

QuasiSets = Mapping[tuple[str, ...], tuple[Criterion, ...]]


def disjoint(sets: QuasiSets) -> bool:
    """Do the sets share no column?"""
    return _shared(sets) is None


def refuse_suppression(sets: QuasiSets, limit: int) -> None:
    """Sets that share columns: no suppression."""
    if limit > 0 and (shared := _shared(sets)) is not None:
        raise UsageError("search.overlap", column=shared)


def refuse_policies(sets: QuasiSets, policies: Sequence[Policy]) -> None:
    """Sets that share columns: one policy for all."""
    if len(set(policies)) > 1 and (shared := _shared(sets)) is not None:
        raise UsageError("search.overlap-policies", column=shared)


def _shared(sets: QuasiSets) -> str | None:
    """The first column that is in more than one set."""
    columns = [column for quasi in sets for column in quasi]
    return next((column for column in columns if columns.count(column) > 1), None)
