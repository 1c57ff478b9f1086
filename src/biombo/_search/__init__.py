"""Plans that satisfy the criteria, best first."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._search.arguments import RecodingName
    from biombo._search.as_json import as_json, explanation_as_json, frontier_as_json, minimal_as_json
    from biombo._search.distance_vectors import candidates
    from biombo._search.explanation import Explanation, LevelStep, MustChange, Obstacle, explain, explanations
    from biombo._search.exploration import Explored, explore_all, from_the_top, lower_bounds
    from biombo._search.frontier import KS, LIMITS, Frontier, FrontierPoint, at_most, bound, frontier
    from biombo._search.glance import levels_in_line
    from biombo._search.hierarchies import (
        columns_to_read,
        hierarchies_in,
        hierarchies_of,
        hierarchy_of_sensitive,
        in_folder,
    )
    from biombo._search.joint_search import JointResult, proof, why_none
    from biombo._search.level_bounds import Bounds, Level
    from biombo._search.local_search import LocalPlan, LocalResult
    from biombo._search.minimal_losses import AloneLoss, MinimalSpread, Spread, losses_alone, spread_of_minimal
    from biombo._search.policy import POLICIES, Policy, PolicyName
    from biombo._search.quasi_column import QuasiColumn
    from biombo._search.ranking import RankedPlan
    from biombo._search.result import SearchResult
    from biombo._search.search import question_of, search
    from biombo._search.terms import Terms, check_search, plan_for

__all__ = [
    "KS",
    "LIMITS",
    "POLICIES",
    "AloneLoss",
    "Bounds",
    "Explanation",
    "Explored",
    "Frontier",
    "FrontierPoint",
    "JointResult",
    "Level",
    "LevelStep",
    "LocalPlan",
    "LocalResult",
    "MinimalSpread",
    "MustChange",
    "Obstacle",
    "Policy",
    "PolicyName",
    "QuasiColumn",
    "RankedPlan",
    "RecodingName",
    "SearchResult",
    "Spread",
    "Terms",
    "as_json",
    "at_most",
    "bound",
    "candidates",
    "check_search",
    "columns_to_read",
    "explain",
    "explanation_as_json",
    "explanations",
    "explore_all",
    "from_the_top",
    "frontier",
    "frontier_as_json",
    "hierarchies_in",
    "hierarchies_of",
    "hierarchy_of_sensitive",
    "in_folder",
    "levels_in_line",
    "losses_alone",
    "lower_bounds",
    "minimal_as_json",
    "plan_for",
    "proof",
    "question_of",
    "search",
    "spread_of_minimal",
    "why_none",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
