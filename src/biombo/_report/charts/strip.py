"""One row of dots for each column: how far the strongest attack falls in each part when the column is missing."""

from collections.abc import Mapping, Sequence

import altair as alt

from biombo._report.charts.style import ACCENT, INK, AnyChart, chart_of

_STEP = 26


def strip(falls: Mapping[str, Sequence[float]], axis_title: str, width: int = 430) -> AnyChart:
    """The falls as dots and their mean as a tick, rows in the order given."""
    values = [{"name": name, "fall": fall} for name, row in falls.items() for fall in row]
    means = [{"name": name, "fall": sum(row) / len(row)} for name, row in falls.items()]
    x = alt.X("fall:Q", title=axis_title, axis=alt.Axis(grid=True))
    y = alt.Y("name:N", title=None, sort=None)
    dots = (
        chart_of(values, width=width, height=alt.Step(_STEP))
        .mark_circle(color=ACCENT, size=38, opacity=0.5)
        .encode(x=x, y=y)
    )
    ticks = chart_of(means).mark_tick(color=INK, thickness=2, size=16).encode(x=x, y=y)
    return alt.layer(dots, ticks)
