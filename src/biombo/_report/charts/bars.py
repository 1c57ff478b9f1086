"""Bars, one below the other, with their numbers in a column on the right."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from biombo._report.charts.style import MUTED, colour
from biombo._report.charts.vega_lite import AS_GIVEN, Specification, chart, constant, each, layer, name, number

_STEP = 24
_LABEL = 80
"""A label of the axis has room in this width."""


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
