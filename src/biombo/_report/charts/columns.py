"""Columns side by side: shares by number or size, and histograms."""

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from biombo._report.charts.style import AnyChart, as_given, chart_of, colour

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


def columns(found: Sequence[Upright], x_title: str, y_title: str) -> AnyChart:
    """The columns in the order given."""
    values = [{"name": c.name, "share": c.share, "words": c.words, "colour": colour(c.stands_out)} for c in found]
    base = chart_of(values, width=min(_WIDTH, _WIDEST * len(found)), height=_HEIGHT).encode(
        x=alt.X("name:N", title=x_title, sort=None, axis=alt.Axis(labelAngle=0)),
        y=_shares(y_title, max(column.share for column in found)),
    )
    words = base.mark_text(baseline="bottom", dy=-3).encode(text=alt.Text("words:N"))
    layers = [base.mark_bar().encode(color=as_given()), words]
    return alt.layer(*layers[: 2 if len(found) <= _FEW else 1])


def histogram(found: Sequence[float], x_title: str, y_title: str, top: float) -> AnyChart:
    """Shares in equal intervals from 0 to 100%; the last one stands out. ``top`` ends the axis, to compare charts."""
    step = 1 / len(found)
    last = len(found) - 1
    values = [
        {"low": nth * step, "high": (nth + 1) * step, "share": share, "colour": colour(nth == last)}
        for nth, share in enumerate(found)
    ]
    x = alt.X("low:Q", title=x_title, bin="binned", axis=alt.Axis(format="~%", values=[0, 0.5, 1], grid=False))
    chart: AnyChart = (
        chart_of(values, width=165, height=130)
        .mark_bar(binSpacing=1)
        .encode(x=x, x2=alt.X2("high:Q"), y=_shares(y_title, top), color=as_given())
    )
    return chart


def _shares(title: str, highest: float) -> alt.Y:
    scale = alt.Scale(domain=[0, min(1.0, 1.05 * highest) or 1.0], nice=False)
    return alt.Y("share:Q", title=title, scale=scale, axis=alt.Axis(format="~%", tickCount=4))
