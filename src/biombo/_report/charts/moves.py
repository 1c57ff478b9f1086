"""From before to after, one step beside the other."""

from collections.abc import Sequence
from dataclasses import dataclass

from biombo._report.charts.style import ACCENT, MUTED, WARNING
from biombo._report.charts.vega_lite import Specification, chart, layer, name, number, until

_WIDTH, _HEIGHT = 300, 190
_WIDEST = 75
"""The most that one step takes."""

_FEW = 6
"""So many steps have room for their numbers in words."""


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
