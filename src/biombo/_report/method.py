"""The last section: what was assumed, how it was computed, and what it does not say."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from biombo._attack import Membership, Risk
from biombo._criteria import SMALLEST
from biombo._report.blocks import Table
from biombo._report.in_sample import MembersMethod, members_method
from biombo._report.intervals import intervals_table
from biombo._report.known import known
from biombo._report.names import Names
from biombo._report.shown import is_enough
from biombo._report.words import rich

LIMITS = ("guarantee", "columns", "person", "sample", "small")


@dataclass(frozen=True)
class Method:
    """What the template does not know by itself."""

    guesses: bool
    """Was a sensitive column guessed?"""
    known: Markup
    members: MembersMethod | None
    """Where it was asked who is in a sample."""
    intervals: Table | None
    limits: tuple[Markup, ...]


def method(outcomes: Sequence[Risk], members: Membership | None, names: Names) -> Method:
    """How the outcomes came about."""
    return Method(
        guesses=outcomes[0].attribute_inference is not None,
        known=known(outcomes[0].reidentification.evidence.question, names),
        members=members_method(members, names) if members else None,
        intervals=intervals_table([risk for risk in outcomes if is_enough(risk)], names),
        limits=tuple(rich(f"report.limit.{limit}", smallest=SMALLEST) for limit in LIMITS),
    )
