"""Curves over k and lines over time, named at their ends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from biombo._report.charts.style import ACCENT, INK, MUTED, WARNING
from biombo._report.charts.vega_lite import Specification, chart, constant, layer, name, number, rank

_DASHES = ([6, 3], [2, 2], [8, 3, 2, 3], [12, 3])
_MARGIN = 1.08
"""By so much the axis exceeds the first k and the last."""

_NUMBER_WIDTH = 28
"""Numbers below the axis that are closer than this would be on top of each other."""
_WIDTH, _HEIGHT = 480, 260
_FEW_TIMES = 9
"""So many times fit below the axis without turning their names."""

_LINE_DASHES = ([6, 3], [2, 2], [8, 3, 2, 3], [1, 0])
Series = Mapping[str, Mapping[str, float]]
_NAME_HEIGHT = 15


@dataclass(frozen=True)
class Curve:
    """Values by k, and what they are of; one of several curves may be the one that matters."""

    name: str
    points: Sequence[tuple[int, float]]
    matters: bool = True


@dataclass(frozen=True)
class Chosen:
    """The plan that was chosen: its k, its value, and words to put beside it."""

    k: int
    value: float
    words: str = ""


@dataclass(frozen=True)
class Axes:
    """What the axes say, how values are written, where the vertical one ends, and how large the chart is."""

    x_title: str
    y_title: str
    written: str
    top: float
    width: int = 480
    height: int = 260


def curves(found: Sequence[Curve], axes: Axes, chosen: Chosen | None = None, *, named: bool = True) -> Specification:
    """The curves, the one that matters coloured and in front, the others grey; ``named`` at their ends."""
    order = sorted(found, key=lambda curve: curve.matters)
    ks = sorted({k for curve in found for k, _ in curve.points} | ({chosen.k} if chosen else set()))
    places = {"x": _x(axes, ks), "y": _y(axes)}
    drawn = [part for nth, curve in enumerate(order) for part in _line(curve, places, nth)]
    ends = {curve.name: axes.height * (1 - curve.points[-1][1] / axes.top) for curve in found if curve.points}
    colours = {curve.name: _colour(curve) for curve in order}
    names = end_names(ends, colours, axes.width) if named else []
    return chart([*drawn, *names, *_mark(chosen, places)], [], width=axes.width, height=axes.height)


def _line(curve: Curve, places: Specification, nth: int) -> list[Specification]:
    values = [{"k": k, "value": value} for k, value in curve.points]
    dash = [1, 0] if curve.matters else _DASHES[nth % len(_DASHES)]
    colour = _colour(curve)
    return [
        layer("line", places, values, strokeWidth=2.4 if curve.matters else 1.6, color=colour, strokeDash=dash),
        layer("circle", places, values, size=34, opacity=1, color=colour),
    ]


def _colour(curve: Curve) -> str:
    return ACCENT if curve.matters else MUTED


def _mark(chosen: Chosen | None, places: Specification) -> list[Specification]:
    if chosen is None:
        return []
    values = [{"k": chosen.k, "value": chosen.value}]
    point = layer("circle", places, values, size=120, opacity=1, color=WARNING, stroke=INK, strokeWidth=1)
    if not chosen.words:
        return [point]
    halo, words = (
        layer("text", {**places, "text": constant(chosen.words)}, values, dy=-14, fontWeight="bold", **paint)
        for paint in ({"color": "white", "stroke": "white", "strokeWidth": 4}, {"color": WARNING})
    )
    return [halo, point, words]


def _x(axes: Axes, ks: Sequence[int]) -> Specification:
    scale = {"type": "log", "domain": [ks[0] / _MARGIN, ks[-1] * _MARGIN], "nice": False}
    shown = _numbered(axes, ks)
    axis = {"values": shown, "tickCount": len(shown), "format": "d", "ticks": True, "labelOverlap": False}
    return number("k", title=axes.x_title, scale=scale, axis=axis)


def _numbered(axes: Axes, ks: Sequence[int]) -> list[int]:
    """The values of k that have room for their number below the axis, the last one in any case."""
    apart = (ks[-1] / ks[0]) ** (_NUMBER_WIDTH / axes.width)
    shown: list[int] = []
    for k in reversed(ks):
        if not shown or shown[-1] >= apart * k:
            shown.append(k)
    return shown[::-1]


def _y(axes: Axes) -> Specification:
    scale = {"domain": [0, axes.top], "nice": False}
    return number("value", title=axes.y_title, scale=scale, axis={"format": axes.written})


def lines(series: Series, times: Sequence[str], y_title: str) -> Specification:
    """A line for each series, from times to values: the highest and the lowest coloured, the others grey."""
    order = sorted(series, key=lambda name: -sum(series[name].values()) / len(series[name]))
    colours = dict.fromkeys(order, MUTED) | {order[-1]: ACCENT} | {order[0]: WARNING}
    dashes = {
        name: _LINE_DASHES[nth % len(_LINE_DASHES)] if colours[name] == MUTED else [1, 0]
        for nth, name in enumerate(order)
    }
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


def end_names(ends: Mapping[str, float], colours: Mapping[str, str], width: int) -> list[Specification]:
    """The names at where their lines end, in pixels from the top, moved down where they would overlap."""
    placed = []
    y = -float("inf")
    for line in sorted(ends, key=lambda line: ends[line]):
        y = max(ends[line], y + _NAME_HEIGHT)
        channels = {"x": constant(width), "y": constant(y), "text": constant(line)}
        placed.append(layer("text", channels, [{}], align="left", dx=6, color=colours[line]))
    return placed
