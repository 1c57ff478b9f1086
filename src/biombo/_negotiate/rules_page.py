"""The table of rules and the diagram of states as Markdown, for docs/negotiation.md."""

from collections.abc import Iterator
from typing import get_args

from biombo._negotiate.rules import OPEN, PERMISSIONS, STANDS, Permission, StateName


def rules_table() -> str:
    """Who may do what in which state; what everybody may do at any time stands below."""
    lines = ["| state | process | whose turn | who | may | leads to |", "| --- | --- | --- | --- | --- | --- |"]
    return "\n".join([*lines, *map(_row, _by_state())])


def always_table() -> str:
    """What may be done in all states before the data are available, or in all."""
    lines = ["| who | may | when | leads to |", "| --- | --- | --- | --- |"]
    return "\n".join([*lines, *_always()])


def diagram() -> str:
    """The states and what leads from one to another, without what may be done at any time."""
    steps = [f"    {_id(each.state)} --> {_id(to)}: {each.act}" for each in _by_state() for to in each.to]
    return "\n".join(["```mermaid", "stateDiagram-v2", "    [*] --> requested: ask", *steps, "```"])


def _by_state() -> Iterator[Permission]:
    usual = {(each.role, each.act) for each in PERMISSIONS if _is_usual(each)}
    yield from (each for each in PERMISSIONS if (each.role, each.act) not in usual)


def _is_usual(permission: Permission) -> bool:
    states = {each.state for each in PERMISSIONS if (each.role, each.act) == (permission.role, permission.act)}
    return states >= {*OPEN}


def _always() -> Iterator[str]:
    told: dict[tuple[str, str], set[StateName]] = {}
    for each in PERMISSIONS:
        if _is_usual(each):
            told.setdefault((each.role, each.act), set()).add(each.state)
    for (role, act), states in told.items():
        when = "always" if states == {*get_args(StateName)} else "before the data are available"
        to = {name for each in PERMISSIONS if (each.role, each.act) == (role, act) for name in each.to}
        leads = next(iter(to)) if len(to) == 1 else "the same state" if act != "expired" else "expired, refused"
        yield f"| {role} | {act} | {when} | {leads} |"


def _row(permission: Permission) -> str:
    stand = STANDS[permission.state]
    owner, leads = stand.owner or "–", ", ".join(permission.to)
    return f"| {permission.state} | {stand.process} | {owner} | {permission.role} | {permission.act} | {leads} |"


def _id(state: StateName) -> str:
    return state.replace("-", "_")
