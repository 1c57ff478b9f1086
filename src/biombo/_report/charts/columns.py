"""Columns side by side: shares by number or size, and histograms."""

from collections.abc import Sequence
from dataclasses import dataclass

from biombo._report.charts.style import colour
from biombo._report.charts.vega_lite import AS_GIVEN, Specification, chart, layer, name, number, until

_WIDTH, _HEIGHT = 560, 220
_WIDEST = 64
"""The most that one column takes."""

_FEW = 12
"""So many columns have room for words on their tops."""


@dataclass(frozen=True)
class Upright:
    """One column: what stands below it, its height as a share, and the words on its top."""

    name: str
    share: float
    words: str
    stands_out: bool = False


def columns(found: Sequence[Upright], x_title: str, y_title: str) -> Specification:
    """The columns in the order given."""
    values = [{"name": c.name, "share": c.share, "words": c.words, "colour": colour(c.stands_out)} for c in found]
    places = {
        "x": name("name", title=x_title, sort=None, axis={"labelAngle": 0}),
        "y": _shares(y_title, max(column.share for column in found)),
    }
    layers = [layer("bar", {**places, "color": AS_GIVEN})]
    if len(found) <= _FEW:
        layers.append(layer("text", {**places, "text": name("words")}, baseline="bottom", dy=-3))
    return chart(layers, values, width=min(_WIDTH, _WIDEST * len(found)), height=_HEIGHT)


def histogram(found: Sequence[float], x_title: str, y_title: str, top: float) -> Specification:
    """Shares in equal intervals from 0 to 100%; the last one stands out. ``top`` ends the axis, to compare charts."""
    step = 1 / len(found)
    last = len(found) - 1
    values = [
        {"low": nth * step, "high": (nth + 1) * step, "share": share, "colour": colour(nth == last)}
        for nth, share in enumerate(found)
    ]
    x = number("low", title=x_title, bin="binned", axis={"format": "~%", "values": [0, 0.5, 1], "grid": False})
    channels = {"x": x, "x2": until("high"), "y": _shares(y_title, top), "color": AS_GIVEN}
    return chart([layer("bar", channels, binSpacing=1)], values, width=165, height=130)


def _shares(title: str, highest: float) -> Specification:
    scale = {"domain": [0, min(1.0, 1.05 * highest) or 1.0], "nice": False}
    return number("share", title=title, scale=scale, axis={"format": "~%", "tickCount": 4})
