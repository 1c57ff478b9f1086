"""Charts of reports: specifications of what they tell, and pictures drawn of them."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._report.charts.bars import Bar, Rule, Upright, bars, columns, histogram
    from biombo._report.charts.curves import Axes, Chosen, Curve, curves, lines
    from biombo._report.charts.dots import Move, Point, moves, strip, subset_dots
    from biombo._report.charts.lattice import Look, Node, lattice
    from biombo._report.charts.squares import Heat, heat_map, hundred
    from biombo._report.charts.style import ACCENT, INK, MUTED, WARNING, config
    from biombo._report.charts.svg import as_picture, as_specification, drawing, drawn
    from biombo._report.charts.trade_off import GivenUp, trade_off

__all__ = [
    "ACCENT",
    "INK",
    "MUTED",
    "WARNING",
    "Axes",
    "Bar",
    "Chosen",
    "Curve",
    "GivenUp",
    "Heat",
    "Look",
    "Move",
    "Node",
    "Point",
    "Rule",
    "Upright",
    "as_picture",
    "as_specification",
    "bars",
    "columns",
    "config",
    "curves",
    "drawing",
    "drawn",
    "heat_map",
    "histogram",
    "hundred",
    "lattice",
    "lines",
    "moves",
    "strip",
    "subset_dots",
    "trade_off",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
