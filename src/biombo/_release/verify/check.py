"""What came of checking a release, point by point."""

from dataclasses import dataclass
from typing import Any

from biombo._i18n import text
from biombo._release.claims import Kind


@dataclass(frozen=True)
class Check:
    """What came of checking one claim."""

    claim: str
    kind: Kind
    holds: bool | None
    """``None`` where it can only be believed: it needs the original."""
    detail: str
    """One sentence, in the language that was in use."""


def checked(name: str, holds: bool, **values: Any) -> Check:
    """What was found, in the words for it."""
    words = text(f"release.verify.{name}.{'holds' if holds else 'fails'}", **values)
    return Check(name, "recomputable", holds, words)
