"""The lattice of generalisations: the least generalised at the bottom, a line for each step up."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import Any

import altair as alt

from biombo._report.charts.style import ACCENT, FAINT, INK, MUTED, TEXT, WARNING, AnyChart, chart_of

_LETTER, _PADDING = 6.2, 10
_CLOSEST, _FARTHEST, _AIRY = 8, 40, 480
"""How far boxes are from each other: as far as keeps a row within the last of these, if possible."""

_HIGH, _STEP = 19, 50
_SMALL_TEXT = 11


class Look(Enum):
    """What a node is, and how that looks: its filling, and its text."""

    CHOSEN = (WARNING, "#ffffff")
    MINIMAL = (ACCENT, "#ffffff")
    SATISFYING = ("#cfe1ec", INK)
    FAILING = ("#ffffff", MUTED)
    UNDECIDED = (FAINT, MUTED)


@dataclass(frozen=True)
class Node:
    """One generalisation: its levels, and what it is."""

    levels: tuple[int, ...]
    look: Look

    @property
    def label(self) -> str:
        """The levels in a few letters: 021, or 0·12·1 where one has two digits."""
        return ("" if max(self.levels) < 10 else "·").join(map(str, self.levels))


def lattice(nodes: Sequence[Node], words: Mapping[Look, str]) -> AnyChart:
    """The nodes in rows by the sum of their levels; ``words`` say what each look means."""
    placed = _placed(nodes)
    wide = max(place["right"] for place in placed.values())
    high = max(place["bottom"] for place in placed.values())
    x, y = (_pixels(axis, size) for axis, size in ((alt.X, wide), (alt.Y, high)))
    size = {"width": wide, "height": high}
    steps = chart_of(_steps(placed), **size).mark_rule(color="#b9c3cc", strokeWidth=1)
    boxes = chart_of(list(placed.values()), **size)
    return alt.layer(
        steps.encode(x=x("x"), x2=alt.X2("x2"), y=y("y"), y2=alt.Y2("y2")),
        boxes.mark_rect(stroke=MUTED, strokeWidth=1, cornerRadius=3).encode(
            x=x("left"), x2=alt.X2("right"), y=y("top"), y2=alt.Y2("bottom"), fill=_filling(nodes, words)
        ),
        boxes.mark_text(fontSize=_SMALL_TEXT).encode(
            x=x("x"), y=y("y"), text=alt.Text("label:N"), color=alt.Color("ink:N", scale=None)
        ),
    )


def _placed(nodes: Sequence[Node]) -> dict[tuple[int, ...], dict[str, Any]]:
    """Where each node is, in pixels from the top left corner."""
    wide = _LETTER * max(len(node.label) for node in nodes) + _PADDING
    in_order = sorted(nodes, key=lambda node: (-sum(node.levels), node.levels))
    rows = [list(row) for _, row in groupby(in_order, key=lambda node: sum(node.levels))]
    longest = max(map(len, rows))
    step = wide + max(_CLOSEST, min(_FARTHEST, _AIRY / longest - wide))
    middle = (longest - 1) * step / 2 + wide / 2
    placed = {}
    for down, row in enumerate(rows):
        for across, node in enumerate(row):
            x = middle + (across - (len(row) - 1) / 2) * step
            y = down * _STEP + _HIGH / 2
            box = {"left": x - wide / 2, "right": x + wide / 2, "top": y - _HIGH / 2, "bottom": y + _HIGH / 2}
            placed[node.levels] = {
                "x": x,
                "y": y,
                "label": node.label,
                "look": node.look.name,
                "ink": node.look.value[1],
                **box,
            }
    return placed


def _steps(placed: Mapping[tuple[int, ...], Mapping[str, Any]]) -> list[dict[str, float]]:
    """A line from each node to those with one level more in one column."""
    steps = []
    for levels, lower in placed.items():
        for column in range(len(levels)):
            upper = placed.get((*levels[:column], levels[column] + 1, *levels[column + 1 :]))
            if upper is not None:
                steps.append({"x": lower["x"], "y": lower["top"], "x2": upper["x"], "y2": upper["bottom"]})
    return steps


def _pixels(axis: Any, size: float) -> Any:
    """A channel whose numbers are pixels already."""
    scale = alt.Scale(domain=[0, size], range=[0, size], nice=False, zero=False)
    return lambda field: axis(f"{field}:Q", scale=scale, axis=None)


def _filling(nodes: Sequence[Node], words: Mapping[Look, str]) -> alt.Fill:
    shown = [look for look in Look if any(node.look is look for node in nodes)]
    scale = alt.Scale(domain=[look.name for look in shown], range=[look.value[0] for look in shown])
    labels = json.dumps({look.name: words[look] for look in shown}) + "[datum.value]"
    legend = alt.Legend(
        title=None,
        orient="top",
        direction="horizontal",
        symbolType="square",
        symbolStrokeColor=MUTED,
        symbolSize=160,
        labelFontSize=TEXT,
        labelColor=INK,
        labelLimit=0,
        labelExpr=labels,
        columnPadding=18,
    )
    return alt.Fill("look:N", scale=scale, legend=legend)
