"""Values of other rooms' classes in documents: each room registers how its own are read and written."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Where:
    """Where in a document something stands."""

    entry: str = ""
    folder: Path | None = Path()
    """Files that the document names are looked for there; none where it may name none, since it is not the user's own:
    it came over a network, say."""
    place: int | None = None
    """Which member of a list, from 1."""


@dataclass(frozen=True)
class ValueKind:
    """How the values of a class stand in documents."""

    read: Callable[[Any, Where], Any]
    """The value that plain ones describe."""
    plain: Callable[[Any], Any]
    """The plain values that describe it."""
    canonical: Callable[[Any], Any]
    """Plain values that are the same whenever the meaning is."""
    schema: Callable[[], dict[str, Any]]
    """The JSON schema of what may stand there."""
    refusal: str
    """The error where something else is given: its key, for an ``entry`` and a ``value``."""


_KINDS: dict[type, ValueKind] = {}


def register(kind: type, how: ValueKind) -> None:
    """Say how values of ``kind``, and of all classes that derive from it, stand in documents."""
    _KINDS[kind] = how


def kind_of_type(hint: Any) -> ValueKind | None:
    """How values of exactly this type stand in documents, if they were registered."""
    return _KINDS.get(hint) if isinstance(hint, type) else None


def kind_of_value(value: Any) -> ValueKind | None:
    """How ``value`` stands in documents, if its class was registered."""
    return next((how for kind, how in _KINDS.items() if isinstance(value, kind)), None)
