"""The names of lines at the right edge of a chart."""

from collections.abc import Mapping

from biombo._report.charts.vega_lite import Specification, constant, layer

_NAME_HEIGHT = 15


def end_names(ends: Mapping[str, float], colours: Mapping[str, str], width: int) -> list[Specification]:
    """The names at where their lines end, in pixels from the top, moved down where they would overlap."""
    placed = []
    y = -float("inf")
    for name in sorted(ends, key=lambda name: ends[name]):
        y = max(ends[name], y + _NAME_HEIGHT)
        channels = {"x": constant(width), "y": constant(y), "text": constant(name)}
        placed.append(layer("text", channels, [{}], align="left", dx=6, color=colours[name]))
    return placed
