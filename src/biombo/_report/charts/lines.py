"""Lines over time, named at their ends (document 000, Fig. 4)."""

from collections.abc import Mapping, Sequence

import altair as alt

from biombo._report.charts.end_names import end_names
from biombo._report.charts.style import ACCENT, MUTED, WARNING, AnyChart, chart_of

_WIDTH, _HEIGHT = 480, 260
_FEW_TIMES = 9
"""So many times fit below the axis without turning their names."""

_DASHES = ([6, 3], [2, 2], [8, 3, 2, 3], [1, 0])

Series = Mapping[str, Mapping[str, float]]


def lines(series: Series, times: Sequence[str], y_title: str) -> AnyChart:
    """A line for each series, from times to values: the highest and the lowest coloured, the others grey."""
    order = sorted(series, key=lambda name: -sum(series[name].values()) / len(series[name]))
    colours = dict.fromkeys(order, MUTED) | {order[-1]: ACCENT} | {order[0]: WARNING}
    dashes = {name: _DASHES[nth % len(_DASHES)] if colours[name] == MUTED else [1, 0] for nth, name in enumerate(order)}
    values = [{"series": n, "time": t, "value": series[n][t]} for n in order for t in times if t in series[n]]
    top = 1.1 * max(value for row in series.values() for value in row.values()) or 1.0
    turned = alt.Axis(labelAngle=0 if len(times) < _FEW_TIMES else -45)
    x = alt.X("time:O", title=None, sort=list(times), axis=turned, scale=alt.Scale(padding=0.25))
    y = alt.Y("value:Q", title=y_title, scale=alt.Scale(domain=[0, top], nice=False))
    colour = alt.Color("series:N", legend=None, scale=alt.Scale(domain=order, range=list(colours.values())))
    dash = alt.StrokeDash("series:N", legend=None, scale=alt.Scale(domain=order, range=list(dashes.values())))
    base = chart_of(values, width=_WIDTH, height=_HEIGHT).encode(x=x, y=y, color=colour)
    ends = {name: _HEIGHT * (1 - _last(series[name], times) / top) for name in order}
    return alt.layer(
        base.mark_line(strokeWidth=2).encode(strokeDash=dash),
        base.mark_circle(size=34, opacity=1),
        *end_names(ends, colours, _WIDTH),
    )


def _last(row: Mapping[str, float], times: Sequence[str]) -> float:
    return [row[time] for time in times if time in row][-1]
