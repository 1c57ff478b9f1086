"""The figures of Samarati and Sweeney (1998): each column alone against k, and all minimal generalisations."""

from collections.abc import Sequence

from biombo._i18n import integer, number, text
from biombo._report.blocks import Block, Drawing, Figure, Heading, Section, Table, numbers
from biombo._report.charts.curves import Axes, Curve, curves
from biombo._report.charts.svg import drawn
from biombo._report.search.frontier import FEWEST, nearest_limit
from biombo._report.search.subject import Subject
from biombo._report.wording import percentage, rich
from biombo._search import AloneLoss, Frontier, MinimalSpread, Spread, at_most, losses_alone, spread_of_minimal

_PANEL = {"width": 165, "height": 110}
_KINDS = ("generalisation", "suppression")
_LEFT = ("precision", "completeness")


def minimal_section(frontier: Frontier, subject: Subject) -> Section | None:
    """Both figures, under the limit of suppression that was asked for; none where there are too few k."""
    limit = nearest_limit(frontier, subject)
    question = frontier.explored.question
    most = question.limit(limit)
    alone = losses_alone(question, frontier.ks, most)
    spread = spread_of_minimal(frontier.explored, most)
    blocks: list[Block] = []
    if len({each.k for each in alone}) >= FEWEST:
        blocks.append(_alone_figure(alone, limit, subject))
    if len(spread) >= FEWEST:
        blocks.append(_spread_figure(spread, limit))
    return Section("minimal", text("report.search.minimal.title"), tuple(blocks)) if blocks else None


def _alone_figure(alone: Sequence[AloneLoss], limit: float, subject: Subject) -> Figure:
    """A panel for each column: what it loses by generalisation, and by suppression."""
    title = text("report.search.minimal.alone", limit=at_most(limit))
    by_column = {column.name: [each for each in alone if each.column == column.name] for column in subject.columns}
    drawings = tuple(
        _alone_panel(subject.names.columns[name], losses, title) for name, losses in by_column.items() if losses
    )
    return Figure(title, drawings, rich("report.search.minimal.alone-caption"), _alone_table(by_column, subject))


def _alone_panel(name: str, losses: Sequence[AloneLoss], title: str) -> Drawing:
    lines = [
        Curve(text(f"report.search.minimal.{kind}"), [(each.k, getattr(each, kind)) for each in losses], nth == 0)
        for nth, kind in enumerate(_KINDS)
    ]
    first, last = losses[0], losses[-1]
    told = {"low": first.k, "before": first.generalisation, "high": last.k, "after": last.generalisation}
    description = text("report.search.losses.description", column=name, **told)
    return Drawing(drawn(curves(lines, Axes("k", "", "~%", 1.0, **_PANEL), named=False), title, description), name)


def _alone_table(by_column: dict[str, list[AloneLoss]], subject: Subject) -> Table:
    ks = sorted({each.k for losses in by_column.values() for each in losses})
    headings = [numbers("k"), *(Heading(subject.names.columns[name]) for name in by_column)]
    rows = [[integer(k), *(_alone_cell(k, losses) for losses in by_column.values())] for k in ks]
    return Table.of(text("report.search.minimal.alone-table"), headings, rows)


def _alone_cell(k: int, losses: Sequence[AloneLoss]) -> str:
    """By generalisation, and by suppression where there is any."""
    found = next((each for each in losses if each.k == k), None)
    if found is None:
        return "–"
    lost = percentage(found.generalisation)
    return f"{lost} + {percentage(found.suppression)}" if found.suppression else lost


def _spread_figure(spread: Sequence[MinimalSpread], limit: float) -> Figure:
    """Two panels over k: the highest, the mean and the lowest of all minimal generalisations."""
    title = text("report.search.minimal.spread", limit=at_most(limit))
    drawings = tuple(_spread_panel(kind, spread, title) for kind in _LEFT)
    headings = [numbers("k"), Heading(text("report.search.minimal.count"))]
    headings += [Heading(text(f"search.ranking.{kind}")) for kind in _LEFT]
    rows = [[integer(each.k), integer(each.generalisations), *map(_told, _spreads(each))] for each in spread]
    data = Table.of(text("report.search.minimal.spread-table"), headings, rows)
    return Figure(title, drawings, rich("report.search.minimal.spread-caption"), data)


def _spread_panel(kind: str, spread: Sequence[MinimalSpread], title: str) -> Drawing:
    of_kind = {each.k: getattr(each, kind) for each in spread}
    lines = [
        Curve(
            text(f"report.search.minimal.{part}"), [(k, getattr(found, part)) for k, found in of_kind.items()], matters
        )
        for part, matters in (("highest", False), ("mean", True), ("lowest", False))
    ]
    name = text(f"search.ranking.{kind}")
    first, last = spread[0], spread[-1]
    told = {"low": first.k, "before": getattr(first, kind).mean, "high": last.k, "after": getattr(last, kind).mean}
    description = text("report.search.minimal.spread-description", measure=name, **told)
    axes = Axes("k", "", "~%", 1.0, width=230, height=150)
    return Drawing(drawn(curves(lines, axes), title, description), name)


def _spreads(each: MinimalSpread) -> tuple[Spread, Spread]:
    return each.precision, each.completeness


def _told(spread: Spread) -> str:
    """From the lowest to the highest, and the mean."""
    ends = [number(100 * value, 1) for value in (spread.lowest, spread.highest)]
    return text("report.search.minimal.from-to", low=ends[0], high=ends[1], mean=number(100 * spread.mean, 1))
