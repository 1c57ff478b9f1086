"""The frontier of privacy against utility: the best that each k and each limit of suppression allow."""

from collections.abc import Mapping, Sequence

from biombo._errors import UsageError
from biombo._i18n import integer, text
from biombo._report.blocks import Block, Cell, Drawing, Figure, Heading, Prose, Section, Table, numbers, words
from biombo._report.charts.curves import Axes, Chosen, Curve, curves
from biombo._report.charts.svg import drawn
from biombo._report.search.plans import levels_in_words
from biombo._report.search.sought import Sought
from biombo._report.words import of_records, percentage, rich
from biombo._search import Frontier, FrontierPoint, RankedPlan, at_most, bound

FEWEST = 2
"""The fewest values of k that make a line."""

BestByK = Mapping[int, RankedPlan]


def refuse_other(frontier: Frontier, sought: Sought) -> None:
    """Refuse a frontier that does not belong to the search."""
    policies = {part.policy.name for part in sought.parts}
    quasi = tuple(column.name for column in sought.columns)
    if {frontier.policy.name} != policies or frontier.explored.question.quasi != quasi:
        raise UsageError("search.other-frontier")


def nearest_limit(frontier: Frontier, sought: Sought) -> float:
    """The limit that was asked for, or else the highest below it, or the lowest there is."""
    limits = frontier.limits
    return max((limit for limit in limits if limit <= sought.found.max_suppression), default=limits[0])


def asked_k(sought: Sought) -> int:
    """The k of the best plan."""
    return sought.parts[0].explored.question.k


def trade_off_section(frontier: Frontier, sought: Sought) -> Section:
    """The frontier as a chart and as a table of k × limit."""
    blocks: list[Block] = [Prose(rich("report.search.trade-off.introduction", measure=sought.measure.name))]
    if not frontier.optimal:
        blocks.append(Prose(rich("search.frontier.not-proved")))
    if any(frontier.best_by_k(limit) for limit in frontier.limits) and len(frontier.ks) >= FEWEST:
        blocks.append(_figure(frontier, sought))
    blocks.append(_by_k_and_limit(frontier, sought))
    return Section("trade-off", text("report.search.trade-off.title"), tuple(blocks))


def _figure(frontier: Frontier, sought: Sought) -> Figure:
    measure, main = sought.measure, nearest_limit(frontier, sought)
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
    picture = drawn(curves(lines, axes, _chosen(sought)), title, _description(found[main], main, sought))
    caption = sought.told(rich("report.search.trade-off.caption", limit=at_most(main)))
    return Figure(title, (Drawing(picture),), caption, _every_point(frontier, sought))


def _chosen(sought: Sought) -> Chosen | None:
    if sought.chosen is None:
        return None
    return Chosen(asked_k(sought), sought.measure.value(sought.chosen), text("report.search.chosen"))


def _description(best: BestByK, limit: float, sought: Sought) -> str:
    if not best:
        return text("report.search.trade-off.description-none", limit=at_most(limit))
    first, last = min(best), max(best)
    return text(
        "report.search.trade-off.description",
        measure=sought.measure.name,
        limit=at_most(limit),
        low=first,
        high=last,
        before=sought.measure.written(best[first]),
        after=sought.measure.written(best[last]),
    )


def _every_point(frontier: Frontier, sought: Sought) -> Table:
    """The best plan behind every point."""
    headings = [
        numbers("k"),
        numbers("limit"),
        words("generalised"),
        Heading(sought.measure.title),
        *map(numbers, ("suppressed", "precision")),
    ]
    rows = [[integer(p.k), bound(p.max_suppression), *_plan_cells(p, sought)] for p in frontier.points]
    return Table.of(text("report.search.trade-off.points"), headings, rows)


def _plan_cells(point: FrontierPoint, sought: Sought) -> Sequence[str]:
    if point.best is None:
        return text("report.search.trade-off.none"), "–", "–", "–"
    suppressed = of_records(point.best.suppressed, sought.records)
    shares = (sought.measure.written(point.best), suppressed, percentage(point.best.precision))
    return levels_in_words(point.best, sought), *shares


def _by_k_and_limit(frontier: Frontier, sought: Sought) -> Table:
    limits = frontier.limits
    headings = [numbers("k"), *(Heading(bound(limit)) for limit in limits)]
    rows = [[Cell(integer(k)), *(_cell(frontier.at(k, limit), sought) for limit in limits)] for k in frontier.ks]
    title = text("search.frontier.title", measure=sought.measure.name)
    return Table.of(title, headings, rows, rich("report.search.trade-off.note"))


def _cell(point: FrontierPoint, sought: Sought) -> Cell:
    if point.best is None:
        return Cell("–")
    asked = (asked_k(sought), sought.found.max_suppression) == (point.k, point.max_suppression)
    return Cell(sought.measure.written(point.best), "high" if asked else "")
