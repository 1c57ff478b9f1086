"""Local differential privacy: how noise is drawn, what it costs, and what it does and does not guarantee."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._plan.privacy.audit import Audit, audit_epsilon, highest_chance, lowest_chance, telling_event
    from biombo._plan.privacy.channel import Channel, Domain
    from biombo._plan.privacy.draws import drawn_yes, largest_loss, noised
    from biombo._plan.privacy.effect import Effect, short
    from biombo._plan.privacy.grid import Bounds, Grid
    from biombo._plan.privacy.guarantee import Privacy, Spending, guarantees

__all__ = [
    "Audit",
    "Bounds",
    "Channel",
    "Domain",
    "Effect",
    "Grid",
    "Privacy",
    "Spending",
    "audit_epsilon",
    "drawn_yes",
    "guarantees",
    "highest_chance",
    "largest_loss",
    "lowest_chance",
    "noised",
    "short",
    "telling_event",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
