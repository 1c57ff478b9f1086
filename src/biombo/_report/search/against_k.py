"""What is lost as k grows, as in the experiment of document 004: loss by column, completeness and precision."""

from collections.abc import Callable

from biombo._i18n import integer, text
from biombo._report.blocks import Drawing, Figure, Heading, Section, Table, numbers
from biombo._report.charts.curves import Axes, Chosen, Curve, curves
from biombo._report.charts.svg import drawn
from biombo._report.search.sought import Sought
from biombo._report.search.trade_off import FEWEST, BestByK, asked_k, nearest_limit
from biombo._report.subsets import axis_end
from biombo._report.words import of_records, percentage, rich
from biombo._search import Frontier, RankedPlan, at_most

_PANEL = {"width": 165, "height": 110}


def against_k_section(frontier: Frontier, sought: Sought) -> Section | None:
    """Two figures over k under one limit of suppression; none where there are too few k with a plan."""
    limit = nearest_limit(frontier, sought)
    best = frontier.best_by_k(limit)
    if len(best) < FEWEST:
        return None
    blocks = (_losses(best, limit, sought), _completeness_and_precision(best, limit, sought))
    return Section("against-k", text("report.search.against-k.title"), blocks)


def _losses(best: BestByK, limit: float, sought: Sought) -> Figure:
    """A panel for each column."""
    title = text("report.search.losses.title", limit=at_most(limit))
    top = axis_end(max(loss for plan in best.values() for loss in plan.column_loss.values()))
    axes = Axes("k", "", "~%", top, **_PANEL)
    drawings = tuple(_panel(column.name, best, axes, title, sought) for column in sought.columns)
    headings = [numbers("k"), *(Heading(sought.names.columns[column.name]) for column in sought.columns)]
    rows = [[integer(k), *(percentage(plan.column_loss[c.name]) for c in sought.columns)] for k, plan in best.items()]
    data = Table.of(text("report.search.losses.table"), headings, rows)
    return Figure(title, drawings, sought.told(rich("report.search.losses.caption")), data)


def _panel(column: str, best: BestByK, axes: Axes, title: str, sought: Sought) -> Drawing:
    name = sought.names.columns[column]
    line = Curve(name, [(k, plan.column_loss[column]) for k, plan in best.items()])
    chosen = _chosen(sought, lambda plan: plan.column_loss[column])
    first, last = line.points[0], line.points[-1]
    description = text(
        "report.search.losses.description", column=name, low=first[0], before=first[1], high=last[0], after=last[1]
    )
    return Drawing(drawn(curves([line], axes, chosen, named=False), title, description), name)


def _completeness_and_precision(best: BestByK, limit: float, sought: Sought) -> Figure:
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
    picture = drawn(curves(lines, axes, _chosen(sought, lambda plan: plan.precision)), title, description)
    caption = sought.told(rich("report.search.kept.caption"))
    return Figure(title, (Drawing(picture),), caption, _kept_table(best, sought))


def _chosen(sought: Sought, value: Callable[[RankedPlan], float]) -> Chosen | None:
    return None if sought.chosen is None else Chosen(asked_k(sought), value(sought.chosen))


def _kept_table(best: BestByK, sought: Sought) -> Table:
    headings = [numbers("k"), *map(numbers, ("suppressed", "completeness", "precision"))]
    rows = [
        [
            integer(k),
            of_records(plan.suppressed, sought.records),
            percentage(plan.completeness),
            percentage(plan.precision),
        ]
        for k, plan in best.items()
    ]
    return Table.of(text("report.search.kept.table"), headings, rows)
