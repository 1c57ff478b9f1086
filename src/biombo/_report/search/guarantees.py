"""What holds once a plan is applied, criterion by criterion, in plain words."""

from collections.abc import Iterator

from markupsafe import Markup

from biombo._criteria import Criterion, KAnonymity
from biombo._report.names import displayed, marked
from biombo._report.search.sought import Sought
from biombo._report.words import counted, rich

LONGEST = 160


def guarantees(sought: Sought) -> Iterator[Markup]:
    """A sentence for each criterion that asks for something."""
    for part in sought.parts:
        question = part.explored.question
        for criterion in question.criteria:
            columns = sought.names.told(criterion.quasi or question.quasi)
            if isinstance(criterion, KAnonymity):
                yield from _of_size(criterion.k, columns, people=sought.counts_people)
            else:
                yield _of_values(criterion, columns)


def _of_size(k: int, columns: Markup, *, people: bool) -> Iterator[Markup]:
    if k == 1:
        return
    if people:
        yield rich("report.search.holds.people", k=k, columns=columns)
    else:
        yield counted("report.search.holds.records", k - 1, columns=columns)


def _of_values(criterion: Criterion, columns: Markup) -> Markup:
    worded = marked(displayed(str(criterion), longest=LONGEST))
    if criterion.scope == "table":
        return rich("report.search.holds.table", criterion=worded)
    return rich("report.search.holds.groups", criterion=worded, columns=columns)
