"""What a manager reads first: what to do to the table, what then holds, and whether anything better exists."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from biombo._criteria import Criterion, KAnonymity
from biombo._i18n import integer, text
from biombo._report.blocks import Table, numbers, words
from biombo._report.risk.summary import Fact
from biombo._report.search.subject import Subject
from biombo._report.wording import Names, certainty, counted, displayed, marked, percentage, rich
from biombo._search import QuasiColumn, RankedPlan, at_most, proof, why_none

LONGEST = 160
_LONGEST = 300


@dataclass(frozen=True)
class PlanSummary:
    """The first page."""

    lead: tuple[Markup, ...]
    proof: str
    facts: tuple[Fact, ...] = ()
    columns: Table | None = None
    """What becomes of each column."""
    guarantees: tuple[Markup, ...] = ()


def plan_summary(subject: Subject) -> PlanSummary:
    """The summary of the best plan, or that there is none."""
    plan = subject.chosen
    if plan is None:
        return PlanSummary((Markup.escape(why_none(subject.found)),), proof(subject.found))
    return PlanSummary(
        lead=(Markup(" ").join(lead(plan, subject)), *_constant(plan, subject)),
        proof=proof(subject.found),
        facts=tuple(_facts(plan, subject)),
        columns=becoming_table(plan, subject),
        guarantees=tuple(guarantees(subject)),
    )


def lead(plan: RankedPlan, subject: Subject) -> Iterator[Markup]:
    """What to do, a sentence for each step."""
    dropped = subject.found.dropped
    if dropped is not None and dropped.rows:
        yield counted("report.search.lead.drop", dropped.rows)
    generalised = [column for column, level in plan.levels.items() if level > 0]
    if generalised:
        yield rich("report.search.lead.generalise", columns=subject.names.told(generalised))
    else:
        yield rich("report.search.lead.keep")
    if plan.suppressed:
        share = certainty(plan.suppressed / subject.records, 2)
        yield counted("report.search.lead.suppress", plan.suppressed, rows=subject.records, share=share)
    else:
        yield rich("report.search.lead.suppress-none")


def _constant(plan: RankedPlan, subject: Subject) -> Iterator[Markup]:
    """The columns that tell nothing any more, or next to nothing."""
    if plan.constant:
        names = subject.names.columns
        yield Markup(" ").join(displayed(each.called(names[each.column]), longest=_LONGEST) for each in plan.constant)


def _facts(plan: RankedPlan, subject: Subject) -> Iterator[Fact]:
    share, limit = plan.suppressed / subject.records, at_most(subject.found.max_suppression)
    yield Fact(integer(plan.suppressed), rich("report.search.fact.suppressed", share=certainty(share, 2), limit=limit))
    size = (subject.records - plan.suppressed) / max(1, plan.groups)
    yield Fact(integer(plan.groups), rich("report.search.fact.groups", size=size))
    key = "report.search.fact.measure" if subject.by_one_measure else "report.search.fact.measure-of-sets"
    yield Fact(subject.measure.written(plan), rich(key, measure=subject.measure.name))


def measured(plan: RankedPlan, subject: Subject) -> Markup:
    """What the plan costs, for a line."""
    value = subject.measure.written(plan)
    return rich("report.search.measured", measure=subject.measure.title, value=value, groups=plan.groups)


def examples(plan: RankedPlan, subject: Subject) -> str:
    """What becomes of a frequent value of each column that is generalised, for a line; nothing where none is."""
    told = [
        f"{subject.names.columns[column.name]} {_example(column, plan.levels[column.name])}"
        for column in subject.columns
        if plan.levels[column.name] > 0
    ]
    return text("report.search.examples", examples="; ".join(told)) if told else ""


def becoming_table(plan: RankedPlan, subject: Subject) -> Table:
    """The level of each column, an example, and how many different values are left."""
    headings = [
        words("column"),
        words("becomes"),
        words("example"),
        *map(numbers, ("values-before", "values-after", "column-loss")),
    ]
    rows = [
        [
            subject.names.columns[column.name],
            _becomes(column, plan.levels[column.name]),
            _example(column, plan.levels[column.name]),
            integer(column.at_levels.cardinalities[0]),
            integer(column.at_levels.cardinalities[plan.levels[column.name]]),
            percentage(plan.column_loss[column.name]),
        ]
        for column in subject.columns
    ]
    note = f"{text('report.search.becoming.note')} {subject.loss_domain}"
    return Table.of(text("report.search.becoming.title"), headings, rows, note)


def _becomes(column: QuasiColumn, level: int) -> str:
    if level == 0:
        return text("report.search.becoming.kept")
    one_value = column.at_levels.cardinalities[level] <= 1
    key = "report.search.becoming.one-value" if one_value else "report.search.becoming.level"
    return text(key, level=displayed(column.hierarchy.level_label(level)))


def _example(column: QuasiColumn, level: int) -> str:
    """A frequent value and what it becomes, with what people call it where that is a code."""
    pair = column.example(level)
    if pair is None:
        return "–"
    before, after = pair
    name = column.hierarchy.name_of(after)
    return f"{displayed(before)} → {displayed(after)}" + (f" ({displayed(name)})" if name else "")


def guarantees(subject: Subject) -> Iterator[Markup]:
    """A sentence for each criterion that asks for something."""
    for part in subject.parts:
        question = part.explored.question
        yield from criteria_in_words(question.criteria, question.quasi, subject.names, people=subject.counts_people)


def criteria_in_words(
    criteria: Sequence[Criterion], quasi: Sequence[str], names: Names, *, people: bool
) -> Iterator[Markup]:
    """A sentence for each of the criteria that asks for something."""
    for criterion in criteria:
        columns = names.told(criterion.quasi or quasi)
        if isinstance(criterion, KAnonymity):
            yield from _of_size(criterion.k, columns, people=people)
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
