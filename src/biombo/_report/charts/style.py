"""How charts look: one accent colour, one for warnings, greys for the rest."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from biombo._report.fonts import MEASURED

AnyChart = alt.Chart | alt.LayerChart | alt.FacetChart

ACCENT = "#1d5b79"
WARNING = "#b5471b"
INK = "#1b1f24"
MUTED = "#59626d"
GRID = "#e4e7eb"
FAINT = "#d5dde3"

TEXT = 13


def config() -> dict[str, Any]:
    """The look that all charts share."""
    return {
        "font": f"{MEASURED}, sans-serif",
        "background": "transparent",
        "view": {"stroke": None},
        "axis": {
            "labelFontSize": TEXT,
            "labelColor": INK,
            "titleFontSize": TEXT,
            "titleFontWeight": "normal",
            "titleColor": MUTED,
            "titlePadding": 8,
            "labelLimit": 240,
            "labelPadding": 6,
            "labelFlush": False,
            "gridColor": GRID,
            "domainColor": MUTED,
            "tickColor": MUTED,
            "tickSize": 4,
        },
        "axisQuantitative": {"domain": False, "ticks": False, "tickCount": 5},
        "axisBand": {"grid": False, "ticks": False},
        "text": {"fontSize": TEXT, "color": INK},
    }


def colour(stands_out: bool) -> str:
    """The colour of a thing that stands out, or not."""
    return WARNING if stands_out else ACCENT


def as_given() -> alt.Color:
    """The colours in the field ``colour``, as they are."""
    return alt.Color("colour:N", scale=None)


def constant(channel: Any, value: str | float) -> Any:
    """A channel with one value for all marks; Altair takes twenty times as long over ``alt.value``."""
    return channel(value)


def chart_of(values: Sequence[Mapping[str, Any]], **properties: Any) -> alt.Chart:
    """A chart of plain values. Their names are ours: what comes from the data is always a value, never a field."""
    return alt.Chart(alt.InlineData(values=[dict(value) for value in values]), **properties)
