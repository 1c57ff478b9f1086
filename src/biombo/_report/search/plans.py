"""The plans that satisfy what was asked, what stands in the way, and how often values occur."""

from collections.abc import Iterator, Sequence

import numpy as np
from markupsafe import Markup

from biombo._criteria import shown
from biombo._i18n import integer, text
from biombo._report.blocks import Block, Heading, Prose, Section, Table, numbers, words
from biombo._report.search.subject import Subject
from biombo._report.wording import counted, displayed, marked, of_records, percentage, rich
from biombo._search import Explanation, Obstacle, QuasiColumn, RankedPlan

_MINIMAL = {True: "report.search.plans.yes", False: "report.search.plans.no", None: "report.search.plans.unknown"}


def plans_section(subject: Subject) -> Section:
    """The ranked plans as a table."""
    measure = subject.measure
    headings = [
        numbers("rank"),
        words("generalised"),
        numbers("suppressed"),
        Heading(measure.title),
        *map(numbers, _measures(subject)),
        *([words("minimal")] if subject.by_one_measure else []),
    ]
    rows = [[integer(place), *_row(plan, subject)] for place, plan in enumerate(subject.found, start=1)]
    title = str(counted("report.search.plans.title", len(rows)))
    key = "report.search.plans.note" if subject.by_one_measure else "report.search.plans.note-of-sets"
    note = Markup(" ").join([rich(key, measure=measure.name), *_merged(subject), subject.loss_domain])
    return Section("plans", text("search.ranking.title"), (Table.of(title, headings, rows, note),))


def _merged(subject: Subject) -> Iterator[Markup]:
    """How many plans are not listed since they are the same but for columns that are constant anyway."""
    if merged := sum(plan.merged for plan in subject.found):
        yield rich("search.ranking.merged", merged=merged)


def _measures(subject: Subject) -> list[str]:
    """What is told of each plan besides what was preferred."""
    said = {"loss": "loss", "distribution": "groups"}.get(subject.measure.policy)
    return [name for name in ("loss", "precision", "completeness", "groups") if name != said]


def _row(plan: RankedPlan, subject: Subject) -> list[str]:
    shares = {name: percentage(getattr(plan, name)) for name in ("loss", "precision", "completeness")}
    told = shares | {"groups": integer(plan.groups)}
    return [
        levels_in_words(plan, subject),
        of_records(plan.suppressed, subject.records),
        subject.measure.written(plan),
        *(told[name] for name in _measures(subject)),
        *([text(_MINIMAL[plan.minimal])] if subject.by_one_measure else []),
    ]


def levels_in_words(plan: RankedPlan, subject: Subject) -> str:
    """The columns that are generalised, with their levels: ``age: bands of 10 years; race: not shown (*)``."""
    moved = [
        f"{subject.names.columns[column]}: {subject.level_label(column, level)}"
        for column, level in plan.levels.items()
        if level > 0
    ]
    return "; ".join(moved) or text("report.search.plans.nothing")


def obstacles_section(explanations: Sequence[Explanation], subject: Subject) -> Section:
    """Why the table is not fit as it is, for each set of quasi columns."""
    blocks = tuple(block for explanation in explanations for block in _blocks(explanation, subject))
    return Section("obstacles", text("search.explain.title"), blocks)


def _blocks(explanation: Explanation, subject: Subject) -> Iterator[Block]:
    headings = [words("by"), *map(numbers, ("failing-groups", "failing-records", "singled-out"))]
    together = text("search.explain.together")
    rows = [
        *(_obstacle_row(obstacle, subject.names.listed(obstacle.columns), subject) for obstacle in explanation.alone),
        _obstacle_row(explanation.together, together, subject),
    ]
    title = text("report.search.obstacles.title", columns=subject.names.listed(explanation.together.columns))
    yield Table.of(title, headings, rows, rich("report.search.obstacles.note"))
    advice = Markup(" ").join(_advice(explanation, subject))
    if advice:
        yield Prose(advice)


def _obstacle_row(obstacle: Obstacle, name: str, subject: Subject) -> list[str]:
    shares = (of_records(count, subject.records) for count in (obstacle.records, obstacle.unique))
    return [name, integer(obstacle.groups), *shares]


def _advice(explanation: Explanation, subject: Subject) -> Iterator[Markup]:
    if step := explanation.cheapest:
        column, level = marked(subject.names.columns[step.column]), displayed(step.level_label)
        yield rich("search.explain.step", column=column, level=level, helped=step.helped, loss=step.loss)
    must = explanation.must_change
    if must is not None and len(must.columns) > 1:
        key = "must-change" if must.proved else "can-change"
        yield rich(f"search.explain.{key}", columns=subject.names.told(must.columns))
    if least := explanation.least_suppressed:
        yield rich("search.explain.least", suppressed=least, share=least / subject.records)


def frequencies_section(subject: Subject) -> Section:
    """Different values, and the lowest, median and highest of their frequencies, column by column."""
    headings = [words("column"), *map(numbers, ("distinct", "lowest", "median", "highest"))]
    rows = [[subject.names.columns[column.name], *_frequency_row(column)] for column in subject.columns]
    note = rich("report.search.frequencies.note")
    table = Table.of(text("report.search.frequencies.table"), headings, rows, note)
    return Section("frequencies", text("report.search.frequencies.title"), (table,))


def _frequency_row(column: QuasiColumn) -> list[str]:
    counts = column.frequencies
    return [integer(len(counts)), integer(counts.min()), shown(float(np.median(counts))), integer(counts.max())]
