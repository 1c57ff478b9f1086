"""The section on which records and columns were used."""

from markupsafe import Markup

from biombo._attack import Dropped, Risk
from biombo._criteria import SMALLEST
from biombo._i18n import integer, text
from biombo._report.blocks import Block, Prose, Section, Table, numbers, words
from biombo._report.names import Names, displayed
from biombo._report.shown import Shown
from biombo._report.words import percentage, rich


def records_section(risk: Risk, names: Names) -> Section:
    """Which records of one table were used."""
    return Section("records", text("report.records.title"), (Prose(used(risk, names)), _columns_table([risk], names)))


def used(risk: Risk, names: Names) -> Markup:
    """How many records were used, how many left out, and because of which columns."""
    return used_rows(risk.rows, risk.dropped, names) + _cut(risk)


def records_by_part(shown: Shown, names: Names) -> Section:
    """Which records of each part were used; of parts that are too small neither name nor number is told."""
    outcomes = list(shown.risk.parts.values())
    blocks: tuple[Block, ...] = (
        Prose(used_of_parts(shown, names)),
        Prose(text("report.records.small-parts", smallest=SMALLEST)),  # also where there are none: that tells, too
        _columns_table(outcomes, names),
        _parts_table(shown, names),
    )
    return Section("records", text("report.records.title"), blocks)


def used_of_parts(shown: Shown, names: Names) -> Markup:
    """:func:`used`, over all parts that are shown."""
    outcomes = shown.risk.parts.values()
    dropped = Dropped(sum(risk.dropped.rows for risk in outcomes), _invalid(list(outcomes)))
    return used_rows(sum(risk.rows for risk in outcomes), dropped, names) + _cut(next(iter(outcomes)))


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


def _cut(risk: Risk) -> Markup:
    """That not all combinations were tried, where it is so."""
    question = risk.reidentification.evidence.question
    if question.max_size == len(question.quasi):
        return Markup("")
    return " " + rich("report.records.cut", most=question.max_size, n=len(question.quasi))


def _invalid(outcomes: list[Risk]) -> dict[str, int]:
    """Records with an invalid value, by column, over all outcomes."""
    total: dict[str, int] = {}
    for risk in outcomes:
        for column, rows in risk.dropped.by_column.items():
            total[column] = total.get(column, 0) + rows
    return total


def _columns_table(outcomes: list[Risk], names: Names) -> Table:
    """What each column was used for, and how many records it cost."""
    invalid = _invalid(outcomes)
    role = {c: "quasi" for risk in outcomes for c in risk.reidentification.quasi}
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
            text(f"report.role.{role.get(column, 'sensitive')}"),
            integer(rows),
        ]
        for column, rows in invalid.items()
    ]
    return Table.of(text("report.records.columns"), headings, rows, rich("report.records.columns-note"))


def _parts_table(shown: Shown, names: Names) -> Table:
    headings = [words("part"), *map(numbers, ("used", "left-out", "kept"))]
    rows = [
        [
            names.parts[part],
            integer(risk.rows),
            integer(risk.dropped.rows),
            percentage(risk.rows / (risk.rows + risk.dropped.rows)),
        ]
        for part, risk in shown.risk.parts.items()
    ]
    return Table.of(text("report.records.parts"), headings, rows)
