"""What a manager reads first: what to do to the table, what then holds, and whether anything better exists."""

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from biombo._i18n import integer
from biombo._report.blocks import Table
from biombo._report.search.becoming import becoming_table
from biombo._report.search.guarantees import guarantees
from biombo._report.search.sought import Sought
from biombo._report.summary import Fact
from biombo._report.words import certainty, counted, rich
from biombo._search import RankedPlan, at_most, proof


@dataclass(frozen=True)
class PlanSummary:
    """The first page."""

    lead: tuple[Markup, ...]
    proof: str
    facts: tuple[Fact, ...] = ()
    columns: Table | None = None
    """What becomes of each column."""
    guarantees: tuple[Markup, ...] = ()


def plan_summary(sought: Sought) -> PlanSummary:
    """The summary of the best plan, or that there is none."""
    plan = sought.chosen
    if plan is None:
        return PlanSummary((rich("search.none" if sought.found.optimal else "search.none-yet"),), proof(sought.found))
    return PlanSummary(
        lead=(Markup(" ").join(_lead(plan, sought)),),
        proof=proof(sought.found),
        facts=tuple(_facts(plan, sought)),
        columns=becoming_table(plan, sought),
        guarantees=tuple(guarantees(sought)),
    )


def _lead(plan: RankedPlan, sought: Sought) -> Iterator[Markup]:
    dropped = sought.found.dropped
    if dropped is not None and dropped.rows:
        yield counted("report.search.lead.drop", dropped.rows)
    generalised = [column for column, level in plan.levels.items() if level > 0]
    if generalised:
        yield rich("report.search.lead.generalise", columns=sought.names.told(generalised))
    else:
        yield rich("report.search.lead.keep")
    if plan.suppressed:
        share = certainty(plan.suppressed / sought.records, 2)
        yield counted("report.search.lead.suppress", plan.suppressed, rows=sought.records, share=share)
    else:
        yield rich("report.search.lead.suppress-none")


def _facts(plan: RankedPlan, sought: Sought) -> Iterator[Fact]:
    share, limit = plan.suppressed / sought.records, at_most(sought.found.max_suppression)
    yield Fact(integer(plan.suppressed), rich("report.search.fact.suppressed", share=certainty(share, 2), limit=limit))
    size = (sought.records - plan.suppressed) / max(1, plan.groups)
    yield Fact(integer(plan.groups), rich("report.search.fact.groups", size=size))
    key = "report.search.fact.measure" if sought.by_one_measure else "report.search.fact.measure-of-sets"
    yield Fact(sought.measure.written(plan), rich(key, measure=sought.measure.name))
