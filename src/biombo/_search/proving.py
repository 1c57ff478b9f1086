"""What a search proved, in words."""

from biombo._i18n import text
from biombo._search.result import SearchResult
from biombo._search.several_sets import JointResult


def proof(found: SearchResult | JointResult) -> str:
    """Whether the first plan is the best there is, or how far it may be from it, in the language in use."""
    numbers = {"lattice": found.lattice, "checked": found.checked}
    if found.optimal:
        return text("search.proved" if found else "search.proved-none", **numbers)
    if isinstance(found, SearchResult) and found and found.bound is not None:
        return text("search.bounded", **numbers, score=found[0].score, bound=found.bound)
    return text("search.not-proved", **numbers)
