"""Microaggregation: near records put into groups of at least k, who are then told by their means."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._plan.microaggregation.mdav import mdav
    from biombo._plan.microaggregation.points import Points, Shares, standardised
    from biombo._plan.microaggregation.univariate import best_cuts

__all__ = ["Points", "Shares", "best_cuts", "mdav", "standardised"]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
