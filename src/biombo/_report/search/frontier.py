"""Privacy against utility, and what is lost as k grows, as in the experiment of Samarati and Sweeney (1998)."""

from collections.abc import Callable, Mapping, Sequence

from biombo._errors import UsageError
from biombo._i18n import integer, text
from biombo._report.blocks import Block, Cell, Drawing, Figure, Heading, Prose, Section, Table, numbers, words
from biombo._report.charts.curves import Axes, Chosen, Curve, curves
from biombo._report.charts.svg import drawn
from biombo._report.risk.subsets import axis_end
from biombo._report.search.plans import levels_in_words
from biombo._report.search.subject import Subject
from biombo._report.wording import of_records, percentage, rich
from biombo._search import Frontier, FrontierPoint, RankedPlan, at_most, bound

FEWEST = 2
"""The fewest values of k that make a line."""

BestByK = Mapping[int, RankedPlan]
_PANEL = {"width": 165, "height": 110}


def refuse_other(frontier: Frontier, subject: Subject) -> None:
    """Refuse a frontier that does not belong to the search."""
    policies = {part.policy for part in subject.parts}
    quasi = tuple(column.name for column in subject.columns)
    if {frontier.policy} != policies or frontier.explored.question.quasi != quasi:
        raise UsageError("search.other-frontier")


def nearest_limit(frontier: Frontier, subject: Subject) -> float:
    """The limit that was asked for, or else the highest below it, or the lowest there is."""
    limits = frontier.limits
    return max((limit for limit in limits if limit <= subject.found.max_suppression), default=limits[0])


def asked_k(subject: Subject) -> int:
    """The k of the best plan."""
    return subject.parts[0].explored.question.k


def trade_off_section(frontier: Frontier, subject: Subject) -> Section:
    """The frontier as a chart and as a table of k × limit."""
    blocks: list[Block] = [Prose(rich("report.search.trade-off.introduction", measure=subject.measure.name))]
    if not frontier.optimal:
        blocks.append(Prose(rich("search.frontier.not-proved")))
    if any(frontier.best_by_k(limit) for limit in frontier.limits) and len(frontier.ks) >= FEWEST:
        blocks.append(_figure(frontier, subject))
    blocks.append(_by_k_and_limit(frontier, subject))
    return Section("trade-off", text("report.search.trade-off.title"), tuple(blocks))


def _figure(frontier: Frontier, subject: Subject) -> Figure:
    measure, main = subject.measure, nearest_limit(frontier, subject)
    found = {limit: frontier.best_by_k(limit) for limit in frontier.limits}
    lines = [
        Curve(bound(limit), [(k, measure.value(plan)) for k, plan in best.items()], matters=limit == main)
        for limit, best in found.items()
        if best
    ]
    highest = max(value for line in lines for _, value in line.points)
    top = 1.1 * highest or 1.0
    axes = Axes(text("report.search.axis.k"), measure.title, measure.on_axis(top), top)
    title = text("report.search.trade-off.figure", measure=measure.name)
    picture = drawn(curves(lines, axes, _chosen(subject)), title, _description(found[main], main, subject))
    caption = subject.told(rich("report.search.trade-off.caption", limit=at_most(main)))
    return Figure(title, (Drawing(picture),), caption, _every_point(frontier, subject))


def _chosen(subject: Subject) -> Chosen | None:
    if subject.chosen is None:
        return None
    return Chosen(asked_k(subject), subject.measure.value(subject.chosen), text("report.search.chosen"))


def _description(best: BestByK, limit: float, subject: Subject) -> str:
    if not best:
        return text("report.search.trade-off.description-none", limit=at_most(limit))
    first, last = min(best), max(best)
    return text(
        "report.search.trade-off.description",
        measure=subject.measure.name,
        limit=at_most(limit),
        low=first,
        high=last,
        before=subject.measure.written(best[first]),
        after=subject.measure.written(best[last]),
    )


def _every_point(frontier: Frontier, subject: Subject) -> Table:
    """The best plan behind every point."""
    headings = [
        numbers("k"),
        numbers("limit"),
        words("generalised"),
        Heading(subject.measure.title),
        *map(numbers, ("suppressed", "precision")),
    ]
    rows = [[integer(p.k), bound(p.max_suppression), *_plan_cells(p, subject)] for p in frontier.points]
    return Table.of(text("report.search.trade-off.points"), headings, rows)


def _plan_cells(point: FrontierPoint, subject: Subject) -> Sequence[str]:
    if point.best is None:
        return text("report.search.trade-off.none"), "–", "–", "–"
    suppressed = of_records(point.best.suppressed, subject.records)
    shares = (subject.measure.written(point.best), suppressed, percentage(point.best.precision))
    return levels_in_words(point.best, subject), *shares


def _by_k_and_limit(frontier: Frontier, subject: Subject) -> Table:
    limits = frontier.limits
    headings = [numbers("k"), *(Heading(bound(limit)) for limit in limits)]
    rows = [[Cell(integer(k)), *(_cell(frontier.at(k, limit), subject) for limit in limits)] for k in frontier.ks]
    title = text("search.frontier.title", measure=subject.measure.name)
    return Table.of(title, headings, rows, rich("report.search.trade-off.note"))


def _cell(point: FrontierPoint, subject: Subject) -> Cell:
    if point.best is None:
        return Cell("–")
    asked = (asked_k(subject), subject.found.max_suppression) == (point.k, point.max_suppression)
    return Cell(subject.measure.written(point.best), "high" if asked else "")


def against_k_section(frontier: Frontier, subject: Subject) -> Section | None:
    """Two figures over k under one limit of suppression; none where there are too few k with a plan."""
    limit = nearest_limit(frontier, subject)
    best = frontier.best_by_k(limit)
    if len(best) < FEWEST:
        return None
    blocks = (_losses(best, limit, subject), _completeness_and_precision(best, limit, subject))
    return Section("against-k", text("report.search.against-k.title"), blocks)


def _losses(best: BestByK, limit: float, subject: Subject) -> Figure:
    """A panel for each column."""
    title = text("report.search.losses.title", limit=at_most(limit))
    top = axis_end(max(loss for plan in best.values() for loss in plan.column_loss.values()))
    axes = Axes("k", "", "~%", top, **_PANEL)
    drawings = tuple(_panel(column.name, best, axes, title, subject) for column in subject.columns)
    headings = [numbers("k"), *(Heading(subject.names.columns[column.name]) for column in subject.columns)]
    rows = [[integer(k), *(percentage(plan.column_loss[c.name]) for c in subject.columns)] for k, plan in best.items()]
    data = Table.of(text("report.search.losses.table"), headings, rows)
    return Figure(title, drawings, subject.told(rich("report.search.losses.caption"), subject.loss_domain), data)


def _panel(column: str, best: BestByK, axes: Axes, title: str, subject: Subject) -> Drawing:
    name = subject.names.columns[column]
    line = Curve(name, [(k, plan.column_loss[column]) for k, plan in best.items()])
    chosen = _chosen_by(subject, lambda plan: plan.column_loss[column])
    first, last = line.points[0], line.points[-1]
    description = text(
        "report.search.losses.description", column=name, low=first[0], before=first[1], high=last[0], after=last[1]
    )
    return Drawing(drawn(curves([line], axes, chosen, named=False), title, description), name)


def _completeness_and_precision(best: BestByK, limit: float, subject: Subject) -> Figure:
    title = text("report.search.kept.title", limit=at_most(limit))
    lines = [
        Curve(text("search.ranking.completeness"), [(k, plan.completeness) for k, plan in best.items()], matters=False),
        Curve(text("search.ranking.precision"), [(k, plan.precision) for k, plan in best.items()]),
    ]
    axes = Axes(text("report.search.axis.k"), "", "~%", 1.0, height=220)
    low, high = min(best), max(best)
    description = text(
        "report.search.kept.description",
        low=low,
        high=high,
        completeness_before=best[low].completeness,
        completeness_after=best[high].completeness,
        precision_before=best[low].precision,
        precision_after=best[high].precision,
    )
    picture = drawn(curves(lines, axes, _chosen_by(subject, lambda plan: plan.precision)), title, description)
    caption = subject.told(rich("report.search.kept.caption"))
    return Figure(title, (Drawing(picture),), caption, _kept_table(best, subject))


def _chosen_by(subject: Subject, value: Callable[[RankedPlan], float]) -> Chosen | None:
    return None if subject.chosen is None else Chosen(asked_k(subject), value(subject.chosen))


def _kept_table(best: BestByK, subject: Subject) -> Table:
    headings = [numbers("k"), *map(numbers, ("suppressed", "completeness", "precision"))]
    rows = [
        [
            integer(k),
            of_records(plan.suppressed, subject.records),
            percentage(plan.completeness),
            percentage(plan.precision),
        ]
        for k, plan in best.items()
    ]
    return Table.of(text("report.search.kept.table"), headings, rows)
