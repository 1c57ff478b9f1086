"""What becomes of records that are still in small groups after a search's generalisation."""

from dataclasses import replace
from typing import Literal, get_args

from biombo._errors import UsageError
from biombo._plan import MaskGroups, Operation, Plan, SuppressGroups

SmallGroups = Literal["mask", "drop"]


def plans_to_try(plan: Plan, small_groups: SmallGroups) -> tuple[Plan, ...]:
    """The plan of a search with what is asked for instead of dropping small groups, the next where one is refused.

    Masked records must meet the criteria as one group. Where that takes more of them than the plan may mask, those of
    the small groups are dropped after all.
    """
    if small_groups not in get_args(SmallGroups):
        raise UsageError("release.small-groups", given=small_groups, answers=", ".join(get_args(SmallGroups)))
    if small_groups == "drop":
        return (plan,)
    return (_with(plan, MaskGroups()), _with(plan, MaskGroups(if_failing="drop")))


def _with(plan: Plan, masking: MaskGroups) -> Plan:
    operations: tuple[Operation, ...] = tuple(
        masking if isinstance(each, SuppressGroups) else each for each in plan.operations
    )
    return replace(plan, operations=operations)
