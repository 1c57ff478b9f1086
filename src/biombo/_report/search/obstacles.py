"""Which columns stand in the way, and the cheapest step that would help (document 001, process 4)."""

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from biombo._i18n import integer, text
from biombo._report.blocks import Block, Prose, Section, Table, numbers, words
from biombo._report.names import marked
from biombo._report.search.sought import Sought
from biombo._report.words import of_records, rich
from biombo._search import Explanation, Obstacle


def obstacles_section(explanations: Sequence[Explanation], sought: Sought) -> Section:
    """Why the table is not fit as it is, for each set of quasi columns."""
    blocks = tuple(block for explanation in explanations for block in _blocks(explanation, sought))
    return Section("obstacles", text("search.explain.title"), blocks)


def _blocks(explanation: Explanation, sought: Sought) -> Iterator[Block]:
    headings = [words("by"), *map(numbers, ("failing-groups", "failing-records", "singled-out"))]
    together = text("search.explain.together")
    rows = [
        *(_row(obstacle, sought.names.listed(obstacle.columns), sought) for obstacle in explanation.alone),
        _row(explanation.together, together, sought),
    ]
    title = text("report.search.obstacles.title", columns=sought.names.listed(explanation.together.columns))
    yield Table.of(title, headings, rows, rich("report.search.obstacles.note"))
    advice = Markup(" ").join(_advice(explanation, sought))
    if advice:
        yield Prose(advice)


def _row(obstacle: Obstacle, name: str, sought: Sought) -> list[str]:
    shares = (of_records(count, sought.records) for count in (obstacle.records, obstacle.unique))
    return [name, integer(obstacle.groups), *shares]


def _advice(explanation: Explanation, sought: Sought) -> Iterator[Markup]:
    if step := explanation.cheapest:
        column = marked(sought.names.columns[step.column])
        yield rich("search.explain.step", column=column, level=step.level, helped=step.helped, loss=step.loss)
    if least := explanation.least_suppressed:
        yield rich("search.explain.least", suppressed=least, share=least / sought.records)
