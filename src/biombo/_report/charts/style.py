"""How charts look: one accent colour, one for warnings, greys for the rest."""

from typing import Any

from biombo._report.fonts import MEASURED

ACCENT = "#1d5b79"
WARNING = "#b5471b"
INK = "#1b1f24"
MUTED = "#59626d"
GRID = "#e4e7eb"
FAINT = "#d5dde3"

TEXT = 13
_EDGE, _LABEL = 5, 240


def config(room: float = 0) -> dict[str, Any]:
    """The look that all charts share, with ``room`` at both sides."""
    beside = _EDGE + min(room, _LABEL / 2)
    return {
        "padding": {"left": beside, "right": beside, "top": _EDGE, "bottom": _EDGE},
        "font": MEASURED,
        "background": "transparent",
        "view": {"stroke": None},
        "axis": {
            "labelFontSize": TEXT,
            "labelColor": INK,
            "titleFontSize": TEXT,
            "titleFontWeight": "normal",
            "titleColor": MUTED,
            "titlePadding": 8,
            "labelLimit": _LABEL,
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
