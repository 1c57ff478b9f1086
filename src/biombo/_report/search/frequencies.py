"""How often the values of each column occur before anything is generalised, as in the experiment of document 004."""

import numpy as np

from biombo._criteria import shown
from biombo._i18n import integer, text
from biombo._report.blocks import Section, Table, numbers, words
from biombo._report.search.sought import Sought
from biombo._report.words import rich
from biombo._search import QuasiColumn


def frequencies_section(sought: Sought) -> Section:
    """Different values, and the lowest, median and highest of their frequencies, column by column."""
    headings = [words("column"), *map(numbers, ("distinct", "lowest", "median", "highest"))]
    rows = [[sought.names.columns[column.name], *_row(column)] for column in sought.columns]
    note = rich("report.search.frequencies.note")
    table = Table.of(text("report.search.frequencies.table"), headings, rows, note)
    return Section("frequencies", text("report.search.frequencies.title"), (table,))


def _row(column: QuasiColumn) -> list[str]:
    counts = column.frequencies
    return [integer(len(counts)), integer(counts.min()), shown(float(np.median(counts))), integer(counts.max())]
