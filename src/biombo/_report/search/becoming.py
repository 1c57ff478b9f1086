"""What becomes of each column."""

from biombo._i18n import integer, text
from biombo._report.blocks import Table, numbers, words
from biombo._report.names import displayed
from biombo._report.search.sought import Sought
from biombo._report.words import percentage
from biombo._search import QuasiColumn, RankedPlan


def becoming_table(plan: RankedPlan, sought: Sought) -> Table:
    """The level of each column, an example, and how many different values are left."""
    headings = [
        words("column"),
        words("becomes"),
        words("example"),
        *map(numbers, ("values-before", "values-after", "column-loss")),
    ]
    rows = [
        [
            sought.names.columns[column.name],
            _becomes(column, plan.levels[column.name]),
            _example(column, plan.levels[column.name]),
            integer(column.at_levels.cardinalities[0]),
            integer(column.at_levels.cardinalities[plan.levels[column.name]]),
            percentage(plan.column_loss[column.name]),
        ]
        for column in sought.columns
    ]
    return Table.of(text("report.search.becoming.title"), headings, rows, text("report.search.becoming.note"))


def _becomes(column: QuasiColumn, level: int) -> str:
    if level == 0:
        return text("report.search.becoming.kept")
    one_value = column.at_levels.cardinalities[level] <= 1
    key = "report.search.becoming.one-value" if one_value else "report.search.becoming.level"
    return text(key, level=level, height=column.height)


def _example(column: QuasiColumn, level: int) -> str:
    """A frequent value and what it becomes, with what people call it where that is a code."""
    pair = column.example(level)
    if pair is None:
        return "–"
    before, after = pair
    name = column.hierarchy.name_of(after)
    return f"{displayed(before)} → {displayed(after)}" + (f" ({displayed(name)})" if name else "")
