"""What protects the people in a release: criteria, noise with a guarantee, or nothing, by somebody's written reason."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from biombo._criteria import Criterion
from biombo._data import Schema
from biombo._documents import refuse_password
from biombo._errors import ColumnError, UsageError
from biombo._plan import MaskGroups, Operation, Plan, TwoPassOperation, guarantees

ProtectionKind = Literal["criteria", "without-k", "unprotected"]

_FEWEST = 2
"""A group of one protects nobody (document 001: at least 2)."""


@dataclass(frozen=True)
class Protection:
    """What a plan protects people by. ``without-k``: only by noise, whatever groups people are in."""

    kind: ProtectionKind
    reason: str | None = None
    """Why people are not protected, where it is so."""

    @classmethod
    def of(cls, plan: Plan, schema: Schema, unprotected: str | None) -> "Protection":
        """What ``plan`` does. Raises where that is nothing and nobody says why that is ``unprotected``."""
        refuse_password("unprotected", unprotected)
        refuse_small_groups(plan.criteria)
        if any(criterion.can_fail for criterion in plan.criteria):
            return cls("criteria")
        privacy = guarantees(plan, schema)
        if privacy is not None and privacy.sound:
            return cls("without-k")
        if unprotected is None or not unprotected.strip():
            raise UsageError("release.unprotected")
        return cls("unprotected", unprotected.strip())


def refuse_small_groups(criteria: Iterable[Criterion]) -> None:
    """Raise where groups are asked for that protect nobody."""
    for criterion in criteria:
        if criterion.group_size is not None and criterion.group_size < _FEWEST:
            raise UsageError("release.small-k", k=criterion.group_size, fewest=_FEWEST)


def refuse_late_drops(plan: Plan) -> None:
    """Raise where records are dropped after their values have gone into what is released of others: by an exchange, or
    by anything else that looks at all records to say what becomes of each.
    """
    mixing: str | None = None
    for operation in plan.operations:
        if operation.chooses and not _only_masks(operation) and mixing is not None:
            raise UsageError("release.late-drop", name=operation.name, mixing=mixing)
        if isinstance(operation, TwoPassOperation) and (operation.columns or isinstance(operation, MaskGroups)):
            mixing = operation.name


def _only_masks(operation: Operation) -> bool:
    return isinstance(operation, MaskGroups) and operation.if_failing != "drop"


def refuse_unguarded(plan: Plan, used: Schema) -> None:
    """Raise where k-anonymity is asked for by sets of columns, and a quasi column is in none of them."""
    asked = [criterion for criterion in plan.criteria if criterion.group_size is not None]
    if not asked or any(criterion.quasi is None for criterion in asked):
        return
    guarded = {name for criterion in asked for name in criterion.quasi or ()}
    for name in used.quasi:
        if name not in guarded:
            raise ColumnError("release.unguarded", column=name)
