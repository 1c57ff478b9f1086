"""Every subset as a point, by its number of columns (document 000, Fig. 2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import altair as alt

from biombo._i18n import text
from biombo._report.charts.style import ACCENT, MUTED, WARNING, AnyChart, chart_of, constant

MOST_POINTS = 1000
_CROWD = 10
"""So many points of one size take the whole width they have."""

_GOLDEN = 0.618033988749895
"""Steps of this share of a range never bunch up, so points are spread evenly beside each other without chance."""


@dataclass(frozen=True)
class Point:
    """One subset: how many columns it has, and how often an adversary who knows them is right."""

    size: int
    posterior: float


def points(
    found: Sequence[Point], prior: float, label: str, y_title: str, width: int, height: int, top: float
) -> AnyChart:
    """The subsets as points, the strongest of each size ringed, the prior as a labelled rule; ``top`` ends the axis."""
    x = alt.X("size:O", title=text("report.axis.columns"), axis=alt.Axis(labelAngle=0))
    y = alt.Y(
        "posterior:Q",
        title=y_title,
        scale=alt.Scale(domain=[0, top]),
        axis=alt.Axis(format="~%", grid=True),
    )
    beside = alt.XOffset("beside:Q", scale=alt.Scale(domain=[-0.75, 0.75]))
    base = chart_of(_placed(found), width=width, height=height).encode(x=x, y=y, xOffset=beside)
    dots = base.mark_circle(color=ACCENT, size=24, opacity=0.55)
    rings = base.mark_point(color=WARNING, size=55, strokeWidth=1.8, opacity=1).transform_filter("datum.strongest")
    rule = chart_of([{"posterior": prior}]).encode(y=y)
    line = rule.mark_rule(color=MUTED, strokeDash=[5, 3])
    words = rule.mark_text(align="left", dx=5, color=MUTED).encode(
        x=constant(alt.XValue, width), text=constant(alt.TextValue, label)
    )
    return alt.layer(line, dots, rings, words)


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
