"""The last section: how the plan was found, what the numbers mean, and what is not promised."""

from collections.abc import Iterator

from markupsafe import Markup

from biombo._report.search.sought import Sought
from biombo._report.words import rich


def limits(sought: Sought) -> Iterator[Markup]:
    """What the plan does not promise."""
    yield rich("report.search.limit.shared")
    yield rich("report.limit.columns")
    yield rich("plan.leaks.generalise")
    yield rich("plan.leaks.suppress-groups")
    if sought.found.dropped is not None:
        yield rich("plan.leaks.drop-invalid")
    if not sought.counts_people:
        yield rich("report.limit.person")
