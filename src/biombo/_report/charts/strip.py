"""One row of dots for each column: how far the strongest attack falls in each part when the column is missing."""

from collections.abc import Mapping, Sequence

from biombo._report.charts.style import ACCENT, INK
from biombo._report.charts.vega_lite import Specification, chart, each, layer, name, number

_STEP = 26


def strip(falls: Mapping[str, Sequence[float]], axis_title: str, width: int = 430) -> Specification:
    """The falls as dots and their mean as a tick, rows in the order given."""
    values = [{"name": column, "fall": fall} for column, row in falls.items() for fall in row]
    means = [{"name": column, "fall": sum(row) / len(row)} for column, row in falls.items()]
    places = {
        "x": number("fall", title=axis_title, axis={"grid": True}),
        "y": name("name", title=None, sort=None),
    }
    layers = [
        layer("circle", places, color=ACCENT, size=38, opacity=0.5),
        layer("tick", places, means, color=INK, thickness=2, size=16),
    ]
    return chart(layers, values, width=width, height=each(_STEP))
