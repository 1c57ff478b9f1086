"""Events: what happened, by whom, when, each committed to and chained to the one before.

    commitment = SHA-256(salt, name of the actor, id of the actor where there is one, fact)
    hash       = SHA-256(number, time, role, process, commitment, hash of the event before)

Whoever has an event without its salt and content can check the chain and learns nothing of what it says: the salt is
random. So the requester gets salts of what they may see and nothing else, and what must be forgotten (LGPD, article
18) is forgotten by erasing salt and content; the chain still proves that nothing was changed, dropped or put in.
"""

import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Self

from biombo._errors import BiomboError, InputError
from biombo._negotiate.actors import Actor
from biombo._negotiate.facts import Fact, fact_of, plain_fact

BEGINNING = "0" * 64
"""What stands for the event before the first."""

_SALT_BYTES = 32
_PROCESSES = range(1, 16)
_ENTRIES = ("number", "at", "role", "process", "previous", "commitment", "salt", "actor", "actor-id", "fact")


@dataclass(frozen=True)
class Event:
    """One thing that happened. Salt, actor and fact are missing where they were erased, or are not for the reader."""

    number: int
    """From 1."""
    at: datetime
    role: str
    process: int
    """The process of Moraes et al. (2025) that it belongs to, from 1 to 15."""
    previous: str
    """The hash of the event before."""
    commitment: str
    salt: str | None
    actor: Actor | None
    fact: Fact | None

    @classmethod
    def following(cls, before: "Event | None", at: datetime, actor: Actor, process: int, fact: Fact) -> Self:
        """The event that comes after ``before``. It says what will be read from its line: lists, and no tuples."""
        salt, fact = secrets.token_hex(_SALT_BYTES), fact_of(json.loads(json.dumps(plain_fact(fact))))
        return cls(
            number=1 if before is None else before.number + 1,
            at=at.astimezone(UTC).replace(microsecond=0),
            role=actor.role,
            process=process,
            previous=BEGINNING if before is None else before.hash,
            commitment=_commitment(salt, actor, plain_fact(fact)),
            salt=salt,
            actor=actor,
            fact=fact,
        )

    @cached_property
    def hash(self) -> str:
        """What the next event names it by."""
        return _digest(
            {
                "number": self.number,
                "at": self.at.isoformat(),
                "role": self.role,
                "process": self.process,
                "commitment": self.commitment,
                "previous": self.previous,
            }
        )

    @property
    def is_sound(self) -> bool:
        """Does it say what was committed to? One without content says nothing."""
        if self.salt is None or self.actor is None or self.fact is None:
            return True
        return self.commitment == _commitment(self.salt, self.actor, plain_fact(self.fact))

    @property
    def forgotten(self) -> "Event":
        """The same event without what it says."""
        return Event(self.number, self.at, self.role, self.process, self.previous, self.commitment, None, None, None)

    def line(self) -> str:
        """The event as a line of JSON."""
        tree: dict[str, Any] = {
            "number": self.number,
            "at": self.at.isoformat(),
            "role": self.role,
            "process": self.process,
            "previous": self.previous,
            "commitment": self.commitment,
        }
        if self.salt is not None and self.actor is not None and self.fact is not None:
            tree |= {"salt": self.salt, **_named(self.actor), "fact": plain_fact(self.fact)}
        return json.dumps(tree, ensure_ascii=False)

    @classmethod
    def of_line(cls, line: str, place: int) -> Self:
        """The event that a line describes; ``place`` is its number in the file, for what goes wrong."""
        try:
            tree = json.loads(line, object_pairs_hook=_without_repeats)
            return cls._of_tree(tree)
        except BiomboError as error:
            raise InputError("negotiation.event-wrong", line=place, detail=error) from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError("negotiation.event-unreadable", line=place) from None

    @classmethod
    def _of_tree(cls, tree: Mapping[str, Any]) -> Self:
        told = "salt" in tree
        actor = Actor(tree["role"], tree["actor"], tree.get("actor-id", "")) if told else None
        at = datetime.fromisoformat(tree["at"])
        whole = (tree["number"], tree["process"])
        if not all(type(each) is int for each in whole) or at.tzinfo is None or tree["process"] not in _PROCESSES:
            raise ValueError("no event")
        if {*tree} - {*_ENTRIES} or tree["at"] != at.isoformat():  # nothing stands there that no hash is made of
            raise ValueError("no event")
        return cls(
            number=tree["number"],
            at=at,
            role=tree["role"],
            process=tree["process"],
            previous=tree["previous"],
            commitment=tree["commitment"],
            salt=tree["salt"] if told else None,
            actor=actor,
            fact=fact_of(tree["fact"]) if told else None,
        )


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON that names each of its entries once."""
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError("repeated")
    return dict(pairs)


def _commitment(salt: str, actor: Actor, fact: Mapping[str, Any]) -> str:
    return _digest({"salt": salt, **_named(actor), "fact": fact})


def _named(actor: Actor) -> dict[str, str]:
    return {"actor": actor.name} | ({"actor-id": actor.id} if actor.id else {})


def _digest(tree: Mapping[str, Any]) -> str:
    written = json.dumps(tree, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()
