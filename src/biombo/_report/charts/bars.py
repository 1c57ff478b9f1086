"""Bars below each other and columns side by side, with their numbers in words, and histograms."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from biombo._report.charts.style import MUTED, colour
from biombo._report.charts.vega_lite import AS_GIVEN, Specification, chart, constant, each, layer, name, number, until

_STEP = 24
_LABEL = 80
"""A label of the axis has room in this width."""
_WIDTH, _HEIGHT = 560, 220
_WIDEST = 64
"""The most that one column takes."""

_FEW = 12
"""So many columns have room for words on their tops."""


@dataclass(frozen=True)
class Bar:
    """One bar: its name, its length as a share, and its number in words."""

    name: str
    share: float
    words: str
    stands_out: bool = False


@dataclass(frozen=True)
class Rule:
    """A line across the bars, with the words above it."""

    share: float
    words: str
    align: Literal["left", "right"]
    """Which end of the words is at the line."""


def bars(
    found: Sequence[Bar], axis_title: str, rules: Sequence[Rule] = (), width: int = 400, end: float | None = None
) -> Specification:
    """The bars in the order given; the axis ends at the longest one, unless ``end`` is given."""
    values = [
        {"name": bar.name, "share": bar.share, "words": bar.words, "colour": colour(bar.stands_out)} for bar in found
    ]
    longest = max([bar.share for bar in found] + [rule.share for rule in rules]) if end is None else end
    x = number(
        "share",
        title=axis_title,
        scale={"domain": [0, longest or 1.0], "nice": False},
        axis={"format": "~%", "grid": True, "tickCount": max(2, width // _LABEL)},
    )
    y = name("name", title=None, sort=None)
    layers = [
        layer("bar", {"x": x, "y": y, "color": AS_GIVEN}, size=15),
        layer("text", {"x": constant(width + 56), "y": y, "text": name("words")}, align="right"),
        *(part for rule in rules for part in _rule(rule)),
    ]
    return chart(layers, values, width=width, height=each(_STEP))


def _rule(rule: Rule) -> list[Specification]:
    values, x = [{"share": rule.share}], number("share")
    words = {"x": x, "y": constant(-4), "text": constant(rule.words)}
    return [
        layer("rule", {"x": x}, values, color=MUTED, strokeDash=[5, 3]),
        layer("text", words, values, align=rule.align, baseline="bottom", color=MUTED),
    ]


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
