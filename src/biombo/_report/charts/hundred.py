"""A share as so many of a hundred squares."""

import altair as alt

from biombo._report.charts.style import FAINT, AnyChart, as_given, chart_of

_SIDE = 132


def hundred(share: float, colour: str) -> AnyChart:
    """A hundred squares, filled row by row from the top."""
    filled = round(100 * share)
    squares = [{"column": n % 10, "row": n // 10, "colour": colour if n < filled else FAINT} for n in range(100)]
    chart: AnyChart = (
        chart_of(squares, width=_SIDE, height=_SIDE)
        .mark_square(size=105, opacity=1)
        .encode(
            x=alt.X("column:O", axis=None),
            y=alt.Y("row:O", axis=None),
            color=as_given(),
        )
    )
    return chart
