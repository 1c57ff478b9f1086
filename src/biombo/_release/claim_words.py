"""Claims of a release in the words of whoever reads them."""

from typing import Any

from biombo._criteria import Criterion
from biombo._i18n import integer, number, text, text_or
from biombo._release.claims import Claim

_LONGEST = 100


def claim_title(name: str) -> str:
    """What a claim is called, as far as there are words for it."""
    return text_or(text("release.claim.other"), f"release.claim.{name}")


def claim_value(claim: Claim) -> str:
    """What a claim says, whatever its manifest has there."""
    value = claim.value
    if value is None:
        return text("release.value.untold")
    if isinstance(value, bool):
        return text(f"release.value.{'yes' if value else 'no'}")
    if isinstance(value, int):
        return integer(value)
    if isinstance(value, float):
        return number(value, 4)
    return _shortened(value)


def criterion_value(claim: Claim, criterion: Criterion) -> str:
    """By how far a criterion is met, where that is told."""
    return text("release.value.met") if claim.value is None else criterion.worded_value(claim.value)


def _shortened(value: Any) -> str:
    written = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return written if len(written) <= _LONGEST else f"{written[: _LONGEST - 1]}…"
