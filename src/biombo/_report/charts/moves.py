"""From before to after, one step beside the other."""

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from biombo._report.charts.style import ACCENT, MUTED, WARNING, AnyChart, chart_of

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


def moves(found: Sequence[Move], x_title: str, y_title: str, ends: tuple[float, float]) -> AnyChart:
    """The steps in the order given, on an axis between ``ends``."""
    values = [{"name": m.name, "before": m.before, "after": m.after, "words": m.words} for m in found]
    x = alt.X("name:N", title=x_title, sort=None, axis=alt.Axis(labelAngle=0))
    scale = alt.Scale(domain=list(ends), nice=False)
    axis = alt.Axis(format="~%", grid=True, tickCount=5)
    before, after = (alt.Y(f"{field}:Q", title=y_title, scale=scale, axis=axis) for field in ("before", "after"))
    base = chart_of(values, width=min(_WIDTH, _WIDEST * len(found)), height=_HEIGHT).encode(x=x)
    layers = [
        base.mark_rule(color=MUTED, strokeWidth=1.5).encode(y=before, y2=alt.Y2("after")),
        base.mark_circle(color=ACCENT, size=60, opacity=1).encode(y=before),
        base.mark_circle(color=WARNING, size=60, opacity=1).encode(y=after),
        base.mark_text(baseline="bottom", dy=-7).encode(y=after, text=alt.Text("words:N")),
    ]
    return alt.layer(*layers[: 4 if len(found) <= _FEW else 3])
