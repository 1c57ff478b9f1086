"""A square of numbers between each two things, the larger the darker."""

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from biombo._report.charts.style import INK, WARNING, AnyChart, chart_of

_STEP = 44
_DARKEST = 0.7
"""The strongest colour on which dark words are still read easily (5.3 to 1)."""


@dataclass(frozen=True)
class Heat:
    """One cell: where it is, its number, and the number in words."""

    row: str
    column: str
    value: float
    words: str


def heat_map(cells: Sequence[Heat]) -> AnyChart:
    """The cells, in the order in which their names first occur."""
    names = list(dict.fromkeys(name for cell in cells for name in (cell.row, cell.column)))
    strongest = max(abs(cell.value) for cell in cells) or 1.0
    values = [
        {
            "row": cell.row,
            "column": cell.column,
            "words": cell.words.replace("-", "−"),
            "strength": abs(cell.value) / strongest,
        }
        for cell in cells
    ]
    base = chart_of(values, width=alt.Step(_STEP), height=alt.Step(_STEP * 0.6)).encode(
        x=alt.X("column:N", title=None, sort=names, axis=alt.Axis(labelAngle=-45)),
        y=alt.Y("row:N", title=None, sort=names),
    )
    opacity = alt.Opacity("strength:Q", scale=alt.Scale(domain=[0, 1], range=[0, _DARKEST]), legend=None)
    return alt.layer(
        base.mark_rect(color=WARNING).encode(opacity=opacity),
        base.mark_text(color=INK).encode(text=alt.Text("words:N")),
    )
