"""Lines over time, named at their ends (document 000, Fig. 4)."""

from collections.abc import Mapping, Sequence

from biombo._report.charts.end_names import end_names
from biombo._report.charts.style import ACCENT, MUTED, WARNING
from biombo._report.charts.vega_lite import Specification, chart, layer, name, number, rank

_WIDTH, _HEIGHT = 480, 260
_FEW_TIMES = 9
"""So many times fit below the axis without turning their names."""

_DASHES = ([6, 3], [2, 2], [8, 3, 2, 3], [1, 0])

Series = Mapping[str, Mapping[str, float]]


def lines(series: Series, times: Sequence[str], y_title: str) -> Specification:
    """A line for each series, from times to values: the highest and the lowest coloured, the others grey."""
    order = sorted(series, key=lambda name: -sum(series[name].values()) / len(series[name]))
    colours = dict.fromkeys(order, MUTED) | {order[-1]: ACCENT} | {order[0]: WARNING}
    dashes = {name: _DASHES[nth % len(_DASHES)] if colours[name] == MUTED else [1, 0] for nth, name in enumerate(order)}
    values = [{"series": n, "time": t, "value": series[n][t]} for n in order for t in times if t in series[n]]
    top = 1.1 * max(value for row in series.values() for value in row.values()) or 1.0
    turned = {"labelAngle": 0 if len(times) < _FEW_TIMES else -45}
    places = {
        "x": rank("time", title=None, sort=list(times), axis=turned, scale={"padding": 0.25}),
        "y": number("value", title=y_title, scale={"domain": [0, top], "nice": False}),
        "color": name("series", legend=None, scale={"domain": order, "range": list(colours.values())}),
    }
    dash = name("series", legend=None, scale={"domain": order, "range": list(dashes.values())})
    ends = {name: _HEIGHT * (1 - _last(series[name], times) / top) for name in order}
    layers = [
        layer("line", {**places, "strokeDash": dash}, strokeWidth=2),
        layer("circle", places, size=34, opacity=1),
        *end_names(ends, colours, _WIDTH),
    ]
    return chart(layers, values, width=_WIDTH, height=_HEIGHT)


def _last(row: Mapping[str, float], times: Sequence[str]) -> float:
    return [row[time] for time in times if time in row][-1]
