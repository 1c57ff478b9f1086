"""What protects the people in a release: criteria, noise with a guarantee, noise whose risk was measured and accepted,
or nothing, by somebody's written reason.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from biombo._criteria import Criterion
from biombo._data import Schema
from biombo._documents import refuse_password
from biombo._errors import ColumnError, UsageError
from biombo._plan import (
    MaskGroups,
    NoiseSmallGroups,
    Operation,
    Plan,
    TwoPassOperation,
    guarantees,
    noised_columns,
    schema_in_use,
)

ProtectionKind = Literal["criteria", "without-k", "by-measured-risk", "unprotected"]

_FEWEST = 2
"""A group of one protects nobody (Moraes et al. 2025: at least 2)."""


@dataclass(frozen=True)
class Protection:
    """What a plan protects people by. ``without-k``: only by noise with a guarantee, whatever groups people are in.
    ``by-measured-risk``: by noise that guarantees nothing, whose risk was measured against the truth and accepted.
    """

    kind: ProtectionKind
    reason: str | None = None
    """Why people are not protected, where it is so."""

    @classmethod
    def of(cls, plan: Plan, schema: Schema, unprotected: str | None, *, decided: bool = False) -> "Protection":
        """What ``plan`` does; ``decided``: the risk of the release will be. Raises where it does nothing, or what has
        to be decided on and is not, and nobody says why that is ``unprotected``.
        """
        refuse_password("unprotected", unprotected)
        refuse_small_groups(plan.criteria)
        by_groups = any(isinstance(each, NoiseSmallGroups) for each in plan.operations)
        if not by_groups and any(criterion.can_fail for criterion in plan.criteria):
            return cls("criteria")
        privacy = guarantees(plan, schema)
        if not by_groups and privacy is not None and privacy.sound:
            return cls("without-k")
        noised = noised_quasi(plan, schema)
        if noised and decided:
            return cls("by-measured-risk")
        if unprotected is None or not unprotected.strip():
            raise UsageError("release.undecided-noise" if noised else "release.unprotected")
        return cls("unprotected", unprotected.strip())


def noised_quasi(plan: Plan, schema: Schema) -> tuple[str, ...]:
    """The quasi columns with noise: the risk of such a release is measured against the truth, and no k is claimed."""
    used = schema_in_use(plan.completed(schema), schema)
    return tuple(name for name in used.quasi if name in noised_columns(plan))


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


def refuse_after_noise(plan: Plan, used: Schema) -> None:
    """Raise where quasi columns change after small groups got noise: these were other groups than those of the release,
    and its risk could not be measured.
    """
    noise: str | None = None
    for operation in plan.operations:
        if noise is not None and (isinstance(operation, MaskGroups) or {*operation.columns} & {*used.quasi}):
            raise UsageError("release.after-noise", name=operation.name, noise=noise)
        if isinstance(operation, NoiseSmallGroups):
            noise = operation.name


def _only_masks(operation: Operation) -> bool:
    return isinstance(operation, MaskGroups) and operation.if_failing != "drop"


def refuse_unguarded(plan: Plan, used: Schema) -> None:
    """Raise where k-anonymity is asked for by sets of columns, and a quasi column is in none of them."""
    asked = [criterion for criterion in plan.criteria if criterion.group_size is not None]
    if not asked or any(criterion.quasi is None for criterion in asked):
        return
    guarded, noised = {name for criterion in asked for name in criterion.quasi or ()}, noised_columns(plan)
    for name in used.quasi:
        if name in noised:
            raise ColumnError("release.k-beside-noise", column=name, name=noised[name])
        if name not in guarded:
            raise ColumnError("release.unguarded", column=name)
