"""Who takes part in a negotiation."""

from dataclasses import dataclass
from typing import Literal
from unicodedata import normalize

from biombo._documents import check_types
from biombo._negotiate.texts import checked_text

ActorRole = Literal["requester", "manager", "committee", "auditor", "administrator", "system"]
"""Minerador and Gestor of Moraes et al. (2025), and ours: a committee that approves reports, an auditor who reads
everything and changes nothing, an administrator of users and retention who sees no data, and the program itself."""


@dataclass(frozen=True)
class Actor:
    """Somebody, in the role in which they act.

    >>> Actor("manager", "Ana Souza").role
    'manager'
    """

    role: ActorRole
    name: str
    id: str = ""
    """What tells namesakes apart for good, such as the number of an account; it stands in the chain, and is no secret.
    Without ids people are told apart by their names.
    """

    def __post_init__(self) -> None:
        check_types(self)
        object.__setattr__(self, "name", checked_text("name", self.name))
        object.__setattr__(self, "id", checked_text("id", self.id, needed=False))

    def is_surely(self, other: "Actor") -> bool:
        """Is it the same person, whatever their roles? Where one has an id, both need it: for what a person may do.

        >>> Actor("manager", "Ana  souza").is_surely(Actor("committee", "Ana Souza"))
        True
        >>> Actor("requester", "Rita").is_surely(Actor("requester", "Rita", id="7"))
        False
        """
        return self.id == other.id and (self.id != "" or _plainly(self.name) == _plainly(other.name))

    def may_be(self, other: "Actor") -> bool:
        """Can it be the same person? By names, where one has no id: for what a person may not do.

        >>> Actor("committee", "Rita").may_be(Actor("requester", "Rita", id="7"))
        True
        >>> Actor("committee", "Rita", id="8").may_be(Actor("requester", "Rita", id="7"))
        False
        """
        if self.id and other.id:
            return self.id == other.id
        return _plainly(self.name) == _plainly(other.name)


def _plainly(name: str) -> str:
    return " ".join(normalize("NFKC", name).casefold().split())


SYSTEM = Actor("system", "Biombo")
"""What processes 3 and 8 are done by, and whatever follows from an act by rule."""
