"""Squares: a share of a hundred of them, and a number between each two things, the larger the darker."""

from collections.abc import Sequence
from dataclasses import dataclass

from biombo._report.charts.style import FAINT, INK, WARNING
from biombo._report.charts.vega_lite import AS_GIVEN, Specification, chart, each, layer, name, number, rank

_SIDE = 132
_STEP = 44
_DARKEST = 0.7
"""The strongest colour on which dark words are still read easily (5.3 to 1)."""


def hundred(share: float, colour: str) -> Specification:
    """A hundred squares, filled row by row from the top."""
    filled = round(100 * share)
    squares = [{"column": n % 10, "row": n // 10, "colour": colour if n < filled else FAINT} for n in range(100)]
    places = {"x": rank("column", axis=None), "y": rank("row", axis=None)}
    return chart(
        [layer("square", {**places, "color": AS_GIVEN}, size=105, opacity=1)], squares, width=_SIDE, height=_SIDE
    )


@dataclass(frozen=True)
class Heat:
    """One cell: where it is, its number, and the number in words."""

    row: str
    column: str
    value: float
    words: str


def heat_map(cells: Sequence[Heat]) -> Specification:
    """The cells, in the order in which their names first occur."""
    names = list(dict.fromkeys(name for cell in cells for name in (cell.row, cell.column)))
    strongest = max(abs(cell.value) for cell in cells) or 1.0
    values = [
        {
            "row": cell.row,
            "column": cell.column,
            "words": cell.words.replace("-", "−"),
            "strength": round(abs(cell.value) / strongest, 3),  # as fine as is seen: sums vary with the order of rows
        }
        for cell in cells
    ]
    places = {
        "x": name("column", title=None, sort=names, axis={"labelAngle": -45}),
        "y": name("row", title=None, sort=names),
    }
    opacity = number("strength", scale={"domain": [0, 1], "range": [0, _DARKEST]}, legend=None)
    layers = [
        layer("rect", {**places, "opacity": opacity}, color=WARNING),
        layer("text", {**places, "text": name("words")}, color=INK),
    ]
    return chart(layers, values, width=each(_STEP), height=each(_STEP * 0.6))
