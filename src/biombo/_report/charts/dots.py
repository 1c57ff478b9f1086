"""Dots: every subset by its number of columns, what one column changes, and from before to after."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from biombo._i18n import text
from biombo._report.charts.style import ACCENT, INK, MUTED, WARNING
from biombo._report.charts.vega_lite import Specification, chart, constant, each, layer, name, number, rank, until

MOST_POINTS = 1000
_CROWD = 10
"""So many points of one size take the whole width they have."""

_GOLDEN = 0.618033988749895
"""Steps of this share of a range never bunch up, so points are spread evenly beside each other without chance."""
_STEP = 26
_WIDTH, _HEIGHT = 300, 190
_WIDEST = 75
"""The most that one step takes."""

_FEW = 6
"""So many steps have room for their numbers in words."""


@dataclass(frozen=True)
class Point:
    """One subset: how many columns it has, and how often an adversary who knows them is right."""

    size: int
    posterior: float


def subset_dots(
    found: Sequence[Point], prior: float, label: str, y_title: str, width: int, height: int, top: float
) -> Specification:
    """The subsets as points, the strongest of each size ringed, the prior as a labelled rule; ``top`` ends the axis."""
    y = number("posterior", title=y_title, scale={"domain": [0, top]}, axis={"format": "~%", "grid": True})
    places = {
        "x": rank("size", title=text("report.axis.columns"), axis={"labelAngle": 0}),
        "y": y,
        "xOffset": number("beside", scale={"domain": [-0.75, 0.75]}),
    }
    at_prior, words = [{"posterior": prior}], {"x": constant(width), "y": y, "text": constant(label)}
    layers = [
        layer("rule", {"y": y}, at_prior, color=MUTED, strokeDash=[5, 3]),
        layer("circle", places, color=ACCENT, size=24, opacity=0.55),
        layer("point", places, only="datum.strongest", color=WARNING, size=55, strokeWidth=1.8, opacity=1),
        layer("text", words, at_prior, align="left", dx=5, color=MUTED),
    ]
    return chart(layers, _placed(found), width=width, height=height)


def thinned(found: Sequence[Point]) -> list[Point]:
    """The points that can be told apart: all of them, or where they are very many, one for each half percent."""
    if len(found) <= MOST_POINTS:
        return list(found)
    return [Point(size, step / 200) for size, step in {(p.size, round(200 * p.posterior)): None for p in found}]


def _placed(found: Sequence[Point]) -> list[dict[str, Any]]:
    """The points of each size, the strongest in the middle, the others spread beside it."""
    placed = []
    by_size = sorted(thinned(found), key=lambda point: (point.size, -point.posterior))
    for size, same_size in groupby(by_size, key=lambda point: point.size):
        row = list(same_size)
        width = min(1.0, len(row) / _CROWD)
        placed += [
            {
                "size": size,
                "posterior": point.posterior,
                "beside": width * ((nth * _GOLDEN + 0.5) % 1 - 0.5),
                "strongest": nth == 0,
            }
            for nth, point in enumerate(row)
        ]
    return placed


def strip(falls: Mapping[str, Sequence[float]], axis_title: str, width: int = 430) -> Specification:
    """The falls as dots and their mean as a tick, rows in the order given."""
    values = [{"name": column, "fall": fall} for column, row in falls.items() for fall in row]
    means = [{"name": column, "fall": sum(row) / len(row)} for column, row in falls.items()]
    places = {
        "x": number("fall", title=axis_title, axis={"grid": True}),
        "y": name("name", title=None, sort=None),
    }
    layers = [
        layer("circle", places, color=ACCENT, size=38, opacity=0.5),
        layer("tick", places, means, color=INK, thickness=2, size=16),
    ]
    return chart(layers, values, width=width, height=each(_STEP))


@dataclass(frozen=True)
class Move:
    """One step: what stands below it, where it starts and ends as shares, and the end in words."""

    name: str
    before: float
    after: float
    words: str


def moves(found: Sequence[Move], x_title: str, y_title: str, ends: tuple[float, float]) -> Specification:
    """The steps in the order given, on an axis between ``ends``."""
    values = [{"name": m.name, "before": m.before, "after": m.after, "words": m.words} for m in found]
    x = name("name", title=x_title, sort=None, axis={"labelAngle": 0})
    look = {
        "title": y_title,
        "scale": {"domain": list(ends), "nice": False},
        "axis": {"format": "~%", "grid": True, "tickCount": 5},
    }
    before, after = number("before", **look), number("after", **look)
    layers = [
        layer("rule", {"x": x, "y": before, "y2": until("after")}, color=MUTED, strokeWidth=1.5),
        layer("circle", {"x": x, "y": before}, color=ACCENT, size=60, opacity=1),
        layer("circle", {"x": x, "y": after}, color=WARNING, size=60, opacity=1),
    ]
    if len(found) <= _FEW:
        layers.append(layer("text", {"x": x, "y": after, "text": name("words")}, baseline="bottom", dy=-7))
    return chart(layers, values, width=min(_WIDTH, _WIDEST * len(found)), height=_HEIGHT)
