"""What local recoding found, in plain words: at which levels the records of each column are, and what that costs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from biombo._i18n import integer, number, percent, text
from biombo._report.blocks import Block, Drawing, Figure, Heading, Prose, Section, Table, numbers, words
from biombo._report.charts.curves import Axes, Curve, curves
from biombo._report.charts.svg import drawn
from biombo._report.risk.summary import Fact
from biombo._report.search.frontier import FEWEST
from biombo._report.search.summary import PlanSummary, criteria_in_words
from biombo._report.wording import Names, counted, displayed, percentage, rich
from biombo._search import Frontier, LocalPlan, LocalResult, QuasiColumn, at_most, bound


@dataclass(frozen=True, eq=False)
class LocalSubject:
    """A search by local recoding, and what its report calls the columns."""

    found: LocalResult
    names: Names

    @classmethod
    def of(cls, found: LocalResult, labels: Mapping[str, str]) -> "LocalSubject":
        """With its columns called by their ``labels`` where there are some."""
        return cls(found, Names.of_columns(found.question.quasi, labels))

    @property
    def plan(self) -> LocalPlan | None:
        """What was found, if anything was."""
        return self.found[0] if self.found else None

    @property
    def counts_people(self) -> bool:
        """Does a group count the people in it, and not its records?"""
        data = self.found.question.data
        return data.schema.person in data.columns

    def guarantees(self) -> Iterator[Markup]:
        """A sentence for each criterion that asks for something."""
        question = self.found.question
        return criteria_in_words(question.criteria, question.quasi, self.names, people=self.counts_people)


def local_lines(subject: LocalSubject, source: str) -> Iterator[Markup | str]:
    """What to do to the table, for a terminal."""
    plan = subject.plan
    if plan is None:
        yield text("search.asked", source=displayed(source), rows=subject.found.records)
        yield text("search.local.none")
        return
    yield Markup(" ").join(_lead(plan, subject))
    yield _proof(plan)  # a narrow terminal must not leave it out
    yield text("search.local.measured", **_measured(plan))
    yield " ".join(each.striptags() for each in subject.guarantees())
    yield _kept_line(plan, subject)


def local_summary(subject: LocalSubject) -> PlanSummary:
    """The first page of the report."""
    plan = subject.plan
    if plan is None:
        return PlanSummary((rich("search.local.none"),), text("search.local.proof"))
    return PlanSummary(
        lead=(Markup(" ").join(_lead(plan, subject)),),
        proof=_proof(plan),
        facts=tuple(_facts(plan, subject)),
        columns=_levels_table(plan, subject),
        guarantees=tuple(subject.guarantees()),
    )


def local_sections(frontier: Frontier | None) -> Iterator[Section]:
    """What is told besides: the best of both kinds of recoding side by side."""
    if frontier is not None and frontier.local:
        told: Block = _beside_figure(frontier) if len(frontier.local) >= FEWEST else _beside_table(frontier)
        yield Section("trade-off", text("search.local.beside"), (told,))


def minimality_section(subject: LocalSubject) -> Iterator[Section]:
    """What the levels tell whoever knows how groups are formed; nothing where nothing was found."""
    if subject.plan is not None:
        told = Prose(_minimality(subject.plan, subject))
        yield Section("minimality", text("search.local.minimality-title"), (told,))


def local_limits(subject: LocalSubject) -> Iterator[Markup]:
    """What the plan does not promise."""
    yield rich("report.search.limit.shared")
    yield rich("report.limit.columns")
    yield rich("plan.leaks.recode-locally")
    if subject.plan is not None:
        yield _minimality(subject.plan, subject)
    if not subject.counts_people:
        yield rich("report.limit.person")


def _minimality(plan: LocalPlan, subject: LocalSubject) -> Markup:
    """What the choice of levels tells about sensitive values."""
    decided = plan.decided_by_values
    if decided is None:
        return rich("search.local.no-minimality")
    return rich("search.local.minimality", decided=decided, share=decided / max(1, subject.found.records))


def _proof(plan: LocalPlan) -> str:
    return text("search.local.proof") if plan.steps is None else text("search.local.cut", steps=plan.steps)


def _lead(plan: LocalPlan, subject: LocalSubject) -> Iterator[Markup]:
    dropped = subject.found.dropped
    if dropped is not None and dropped.rows:
        yield counted("report.search.lead.drop", dropped.rows)
    yield rich("search.local.lead", groups=plan.groups, columns=subject.names.told(list(plan.levels)))
    yield rich("report.search.lead.suppress-none")


def _kept_line(plan: LocalPlan, subject: LocalSubject) -> str:
    """How many records keep their value, column by column."""
    shares = (
        f"{subject.names.columns[name]} {percent(levels.get(0, 0) / max(1, sum(levels.values())))}"
        for name, levels in plan.levels.items()
    )
    return text("search.local.kept", columns="; ".join(map(displayed, shares)))


def _measured(plan: LocalPlan) -> dict[str, object]:
    return {
        "granularity": plan.granularity,
        "loss": plan.loss,
        "groups": plan.groups,
        "smallest": plan.smallest_group,
    }


def _facts(plan: LocalPlan, subject: LocalSubject) -> Iterator[Fact]:
    size = subject.found.records / max(1, plan.groups)
    yield Fact(integer(plan.groups), rich("report.search.fact.groups", size=size))
    yield Fact(percent(plan.granularity, 2), rich("search.local.fact"))


def _levels_table(plan: LocalPlan, subject: LocalSubject) -> Table:
    headings = [words("column"), words("becomes"), numbers("share"), numbers("column-loss")]
    rows = [
        [
            subject.names.columns[column.name] if place == 0 else "",
            _label(column, level),
            percentage(records / max(1, sum(plan.levels[column.name].values()))),
            percentage(plan.column_loss[column.name]) if place == 0 else "",
        ]
        for column in plan.columns
        for place, (level, records) in enumerate(plan.levels[column.name].items())
    ]
    return Table.of(text("search.local.levels"), headings, rows, rich("search.local.note"))


def _label(column: QuasiColumn, level: int) -> str:
    return text("report.search.becoming.kept") if level == 0 else displayed(column.hierarchy.level_label(level))


def _beside_figure(frontier: Frontier) -> Figure:
    """Granularity over k: a line for local recoding, and one for each limit of the global plans."""
    by_limit = {bound(limit): frontier.best_by_k(limit) for limit in frontier.limits}
    lines = [Curve(text("search.local.line"), [(k, plan.granularity) for k, plan in frontier.local.items()])]
    lines += [
        Curve(name, [(k, plan.granularity) for k, plan in best.items()], matters=False)
        for name, best in by_limit.items()
        if best
    ]
    first, last = min(frontier.local), max(frontier.local)
    description = text(
        "search.local.beside-description",
        low=first,
        high=last,
        before=frontier.local[first].granularity,
        after=frontier.local[last].granularity,
    )
    title = text("search.local.beside-figure")
    axes = Axes(text("report.search.axis.k"), text("search.local.axis"), "~%", 1.0)
    picture = Drawing(drawn(curves(lines, axes), title, description))
    return Figure(title, (picture,), rich("search.local.beside-note"), _beside_table(frontier))


def _beside_table(frontier: Frontier) -> Table:
    """Granularity by k: of local recoding, and of the best global plan within each limit."""
    limits = frontier.limits
    headings = [numbers("k"), Heading(text("search.local.column")), *(Heading(at_most(limit)) for limit in limits)]
    rows = []
    for k in frontier.ks:
        best = [frontier.at(k, limit).best for limit in limits]
        told = [frontier.local.get(k), *best]
        rows.append([integer(k), *("–" if plan is None else number(plan.granularity, 4) for plan in told)])
    return Table.of(text("search.local.beside"), headings, rows, rich("search.local.beside-note"))
