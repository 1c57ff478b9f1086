"""What each of several plans gives up: records on one axis, detail on the other; the best are nearest to the corner."""

from collections.abc import Sequence
from dataclasses import dataclass

from biombo._report.charts.style import ACCENT, INK, MUTED, WARNING
from biombo._report.charts.vega_lite import Specification, chart, constant, layer, name, number

_WIDTH, _HEIGHT = 480, 260
_MARGIN = 1.15
"""By so much the axes exceed what is farthest away."""
_WHOLE = 1.06
"""Where they end at the most: a point at 100% has room for its name."""
_LEAST = 0.02
"""Where axes end at the least, as a share."""


@dataclass(frozen=True)
class GivenUp:
    """The share of records that a plan leaves out, the share of detail that it loses, and what stands beside it."""

    records: float
    detail: float
    name: str = ""


def trade_off(
    offers: Sequence[GivenUp], best: Sequence[GivenUp], x_title: str, y_title: str, best_name: str
) -> Specification:
    """Offers as numbered points, the last one marked; the best that can be had as a line through its points."""
    everything = (*offers, *best)
    places = {
        "x": _share("records", x_title, [each.records for each in everything]),
        "y": _share("detail", y_title, [each.detail for each in everything]),
    }
    layers = [*_line(best, places, best_name), *_points(offers, places)]
    return chart(layers, [], width=_WIDTH, height=_HEIGHT)


def _share(field: str, title: str, values: Sequence[float]) -> Specification:
    end = min(max(_LEAST, *values) * _MARGIN, _WHOLE)
    return number(field, title=title, scale={"domain": [0, end], "nice": False}, axis={"format": "~%", "grid": True})


def _line(best: Sequence[GivenUp], places: Specification, called: str) -> list[Specification]:
    if not best:
        return []
    values = [{"records": each.records, "detail": each.detail} for each in sorted(best, key=lambda each: each.records)]
    words = {**places, "text": constant(called)}
    return [
        layer("line", places, values, color=MUTED, strokeDash=[6, 3], strokeWidth=1.6),
        layer("circle", places, values, size=34, opacity=1, color=MUTED),
        layer("text", words, values[-1:], align="left", dx=8, color=MUTED),
    ]


def _points(offers: Sequence[GivenUp], places: Specification) -> list[Specification]:
    values = [{"records": each.records, "detail": each.detail, "name": each.name} for each in offers]
    words = {**places, "text": name("name")}
    names: dict[tuple[float, float], list[str]] = {}
    for each in offers:
        names.setdefault((round(each.records, 2), round(each.detail, 2)), []).append(each.name)
    named = [{"records": x, "detail": y, "name": ", ".join(same)} for (x, y), same in names.items()]
    return [
        layer("circle", places, values[:-1], size=90, opacity=1, color=ACCENT),
        layer("circle", places, values[-1:], size=120, opacity=1, color=WARNING, stroke=INK, strokeWidth=1),
        layer("text", words, named, dy=-14, fontWeight="bold"),
    ]
