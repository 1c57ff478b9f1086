"""Which records and columns a report is about: nothing on fewer than may be told of."""

from collections.abc import Collection, Iterator
from dataclasses import replace

import polars as pl
from markupsafe import Markup

from biombo._attack import AttackScope, Dropped, Membership, Risk, RiskByPart
from biombo._criteria import SMALLEST
from biombo._i18n import integer, text
from biombo._report.blocks import Block, Prose, Section, Table, numbers, words
from biombo._report.wording import Names, counted, displayed, percentage, rich


def is_enough(risk: Risk) -> bool:
    """Has the table enough records to say something about it?"""
    return risk.rows >= SMALLEST


def large_parts(risk: RiskByPart) -> RiskByPart:
    """The parts with enough records. Every total and correlation is over these; the others are not even named."""
    return RiskByPart(risk.by, {part: outcome for part, outcome in risk.parts.items() if is_enough(outcome)})


def found_members(attack: Membership) -> Membership | None:
    """The subsets by which enough people of the sample are found in the population; nothing where none is left."""
    enough = attack.subsets.filter(pl.col("found") >= SMALLEST)
    return None if enough.is_empty() else replace(attack, subsets=enough)


def records_section(risk: Risk | RiskByPart, names: Names) -> Section:
    """Which records were used; of parts that are too small neither name nor number is told."""
    return Section("records", text("report.records.title"), tuple(_blocks(risk, names)))


def _blocks(risk: Risk | RiskByPart, names: Names) -> Iterator[Block]:
    yield Prose(used(risk, names))
    if isinstance(risk, Risk):
        yield _columns_table(risk.dropped, risk.reidentification.quasi, names)
        return
    yield Prose(text("report.records.small-parts", smallest=SMALLEST))  # also where there are none: that tells, too
    yield _columns_table(risk.dropped, [c for each in risk.parts.values() for c in each.reidentification.quasi], names)
    yield _parts_table(risk, names)


def used(risk: Risk | RiskByPart, names: Names) -> Markup:
    """How many records were used, how many left out, and because of which columns."""
    first = risk if isinstance(risk, Risk) else next(iter(risk.parts.values()))
    return used_rows(risk.rows, risk.dropped, names) + _cut(first.reidentification.evidence.scope)


def used_rows(rows: int, dropped: Dropped, names: Names) -> Markup:
    """How many rows of a table were used, and why others were not."""
    if not dropped.rows:
        return rich("report.records.all", rows=rows)
    causes = sorted((n for n in dropped.by_column if dropped.by_column[n]), key=lambda n: -dropped.by_column[n])
    return rich(
        "report.records.some",
        rows=rows,
        all=rows + dropped.rows,
        share=rows / (rows + dropped.rows),
        dropped=dropped.rows,
        causes=names.told(causes),
    )


def known(scope: AttackScope, names: Names) -> Markup:
    """Which combinations of columns were tried: all of some columns, or those up to a size."""
    columns, n = names.told(scope.quasi), len(scope.quasi)
    if scope.max_size < n:
        return rich("report.method.known-cut", n=n, most=scope.max_size, columns=columns)
    return counted("report.method.known", n, columns=columns)


def _cut(scope: AttackScope) -> Markup:
    """That not all combinations were tried, where it is so."""
    if scope.max_size == len(scope.quasi):
        return Markup("")
    return " " + rich("report.records.cut", most=scope.max_size, n=len(scope.quasi))


def _columns_table(dropped: Dropped, quasi: Collection[str], names: Names) -> Table:
    """What each column was used for, and how many records it cost."""
    headings = [
        words("column"),
        *([words("name-in-file")] if names.labelled else []),
        words("role"),
        numbers("invalid"),
    ]
    rows = [
        [
            names.columns[column],
            *([displayed(column)] if names.labelled else []),
            text(f"report.role.{'quasi' if column in quasi else 'sensitive'}"),
            integer(rows),
        ]
        for column, rows in dropped.by_column.items()
    ]
    return Table.of(text("report.records.columns"), headings, rows, rich("report.records.columns-note"))


def _parts_table(risk: RiskByPart, names: Names) -> Table:
    headings = [words("part"), *map(numbers, ("used", "left-out", "kept"))]
    rows = [
        [
            names.parts[part],
            integer(outcome.rows),
            integer(outcome.dropped.rows),
            percentage(outcome.rows / (outcome.rows + outcome.dropped.rows)),
        ]
        for part, outcome in risk.parts.items()
    ]
    return Table.of(text("report.records.parts"), headings, rows)
