"""The names of lines at the right edge of a chart."""

from collections.abc import Mapping

import altair as alt

from biombo._report.charts.style import chart_of, constant

_NAME_HEIGHT = 15


def end_names(ends: Mapping[str, float], colours: Mapping[str, str], width: int) -> list[alt.Chart]:
    """The names at where their lines end, in pixels from the top, moved down where they would overlap."""
    placed = []
    y = -float("inf")
    for name in sorted(ends, key=lambda name: ends[name]):
        y = max(ends[name], y + _NAME_HEIGHT)
        mark = chart_of([{}]).mark_text(align="left", dx=6, color=colours[name])
        placed.append(
            mark.encode(x=constant(alt.XValue, width), y=constant(alt.YValue, y), text=constant(alt.TextValue, name))
        )
    return placed
