"""What happens in a negotiation: what somebody does, and what the system finds. Each is one name with its entries."""

from abc import ABC
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from biombo._documents import Named, Where, check_limit, check_types, has_limit, hints_of, options_of
from biombo._negotiate.texts import checked_text


@dataclass(frozen=True)
class Fact(ABC):
    """Something that happened. Its fields are its entries in an event."""

    name: ClassVar[str]
    """What it is called in the table of rules and in events."""
    seen_by_requester: ClassVar[bool] = False
    """May the requester see all of it? Whatever tells exact numbers of the original is not for them."""

    def __post_init__(self) -> None:
        check_types(self)
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, str):
                needed = field.metadata.get("needed", False)
                object.__setattr__(self, field.name, checked_text(field.name, value, needed=needed))
            elif value is not None and has_limit(field):
                check_limit(self, field.name, whole=int in options_of(hints_of(type(self))[field.name]))


@dataclass(frozen=True)
class Act(Fact):
    """What somebody does."""


NEEDED: dict[str, Any] = {"needed": True}
"""The metadata of a text that must not be blank."""


def _kinds() -> "Mapping[str, type[Fact]]":
    from biombo._negotiate.acts import ACTS  # they derive from these classes
    from biombo._negotiate.findings import FINDINGS

    return {kind.name: kind for kind in (*ACTS, *FINDINGS)}


IN_EVENTS = Named(_kinds, shape="negotiation.fact-shape", within="negotiation.in-fact")
"""How facts stand in events."""

IN_EVENTS.register(Fact)


def fact_of(tree: Any) -> Fact:
    """The fact that plain values describe. They may come from anybody who takes part: no file is read for them."""
    fact: Fact = IN_EVENTS.read(tree, Where(folder=None))
    return fact


def plain_fact(fact: Fact) -> Mapping[str, Any]:
    """The fact as plain values: its name with its entries."""
    plain: Mapping[str, Any] = IN_EVENTS.plain(fact)
    return plain
