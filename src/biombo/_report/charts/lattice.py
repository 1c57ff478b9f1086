"""The lattice of generalisations: the least generalised at the bottom, a line for each step up."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import Any

from biombo._report.charts.style import ACCENT, FAINT, INK, MUTED, TEXT, WARNING
from biombo._report.charts.vega_lite import Specification, chart, layer, name, number, until

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


def lattice(nodes: Sequence[Node], words: Mapping[Look, str]) -> Specification:
    """The nodes in rows by the sum of their levels; ``words`` say what each look means."""
    placed = _placed(nodes)
    wide = max(place["right"] for place in placed.values())
    high = max(place["bottom"] for place in placed.values())
    middle = {"x": _pixels("x", wide), "y": _pixels("y", high)}
    lines = {**middle, "x2": until("x2"), "y2": until("y2")}
    boxes = {
        "x": _pixels("left", wide),
        "x2": until("right"),
        "y": _pixels("top", high),
        "y2": until("bottom"),
        "fill": _filling(nodes, words),
    }
    labels = {**middle, "text": name("label"), "color": name("ink", scale=None)}
    layers = [
        layer("rule", lines, _steps(placed), color="#b9c3cc", strokeWidth=1),
        layer("rect", boxes, stroke=MUTED, strokeWidth=1, cornerRadius=3),
        layer("text", labels, fontSize=_SMALL_TEXT),
    ]
    return chart(layers, list(placed.values()), width=wide, height=high)


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


def _pixels(field: str, size: float) -> Specification:
    """A channel whose numbers are pixels already."""
    return number(field, scale={"domain": [0, size], "range": [0, size], "nice": False, "zero": False}, axis=None)


def _filling(nodes: Sequence[Node], words: Mapping[Look, str]) -> Specification:
    shown = [look for look in Look if any(node.look is look for node in nodes)]
    scale = {"domain": [look.name for look in shown], "range": [look.value[0] for look in shown]}
    labels = json.dumps({look.name: words[look] for look in shown}) + "[datum.value]"
    legend = {
        "title": None,
        "orient": "top",
        "direction": "horizontal",
        "symbolType": "square",
        "symbolStrokeColor": MUTED,
        "symbolSize": 160,
        "labelFontSize": TEXT,
        "labelColor": INK,
        "labelLimit": 0,
        "labelExpr": labels,
        "columnPadding": 18,
    }
    return name("look", scale=scale, legend=legend)
