"""Plans that satisfy the criteria, best first."""

from biombo._search.policy import POLICIES, Policy, PolicyName
from biombo._search.ranking import RankedPlan
from biombo._search.result import SearchResult
from biombo._search.searching import search
from biombo._search.trade_off import Frontier, FrontierPoint, frontier

__all__ = [
    "POLICIES",
    "Frontier",
    "FrontierPoint",
    "Policy",
    "PolicyName",
    "RankedPlan",
    "SearchResult",
    "frontier",
    "search",
]
