"""A share as so many of a hundred squares."""

from biombo._report.charts.style import FAINT
from biombo._report.charts.vega_lite import AS_GIVEN, Specification, chart, layer, rank

_SIDE = 132


def hundred(share: float, colour: str) -> Specification:
    """A hundred squares, filled row by row from the top."""
    filled = round(100 * share)
    squares = [{"column": n % 10, "row": n // 10, "colour": colour if n < filled else FAINT} for n in range(100)]
    places = {"x": rank("column", axis=None), "y": rank("row", axis=None)}
    return chart(
        [layer("square", {**places, "color": AS_GIVEN}, size=105, opacity=1)], squares, width=_SIDE, height=_SIDE
    )
