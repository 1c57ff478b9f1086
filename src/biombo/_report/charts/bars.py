"""Bars, one below the other, with their numbers in a column on the right."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import altair as alt

from biombo._report.charts.style import MUTED, AnyChart, as_given, chart_of, colour, constant

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
) -> AnyChart:
    """The bars in the order given; the axis ends at the longest one, unless ``end`` is given."""
    values = [
        {"name": bar.name, "share": bar.share, "words": bar.words, "colour": colour(bar.stands_out)} for bar in found
    ]
    longest = max([bar.share for bar in found] + [rule.share for rule in rules]) if end is None else end
    x = alt.X(
        "share:Q",
        title=axis_title,
        scale=alt.Scale(domain=[0, longest or 1.0], nice=False),
        axis=alt.Axis(format="~%", grid=True, tickCount=max(2, width // _LABEL)),
    )
    y = alt.Y("name:N", title=None, sort=None)
    base = chart_of(values, width=width, height=alt.Step(_STEP)).encode(y=y)
    drawn = base.mark_bar(size=15).encode(x=x, color=as_given())
    words = base.mark_text(align="right").encode(x=constant(alt.XValue, width + 56), text=alt.Text("words:N"))
    return alt.layer(drawn, words, *(layer for rule in rules for layer in _rule(rule)))


def _rule(rule: Rule) -> list[alt.Chart]:
    base = chart_of([{"share": rule.share}]).encode(x=alt.X("share:Q"))
    words = base.mark_text(align=rule.align, baseline="bottom", color=MUTED).encode(
        y=constant(alt.YValue, -4), text=constant(alt.TextValue, rule.words)
    )
    return [base.mark_rule(color=MUTED, strokeDash=[5, 3]), words]
