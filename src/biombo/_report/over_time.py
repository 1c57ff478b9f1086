"""The strongest attack on each part over the years or months (document 000, Fig. 4)."""

from collections.abc import Mapping, Sequence

from biombo._attack import Findings, Part, moment_of, numbered, time_columns
from biombo._i18n import number, text
from biombo._report.blocks import Drawing, Figure, Heading, Table, words
from biombo._report.charts.lines import lines
from biombo._report.charts.svg import drawn
from biombo._report.names import displayed
from biombo._report.words import rich

EACH_END = 3
"""Of more than twice as many series, those with the highest and the lowest mean are drawn."""

Series = dict[str, dict[str, float]]


def over_time_figure(found: Mapping[Part, Findings], by: Sequence[str]) -> Figure | None:
    """Lines over the columns that are a time, one for each value of the others; none where there is no time."""
    places = time_columns(by, list(found))
    series = _series(found, places)
    times = sorted({time for row in series.values() for time in row})
    if not places or len(times) < 2:
        return None
    shown = _ends(series)
    title = text("report.time.title")
    chart = lines(shown, times, text("report.axis.leakage"))
    description = text("report.time.description", series=", ".join(shown), first=times[0], last=times[-1])
    caption = rich("report.time.caption")
    if len(shown) < len(series):
        caption += " " + rich("report.time.cut", each=EACH_END)
    rows = [[name, *(number(row[t], 2) if t in row else "–" for t in times)] for name, row in series.items()]
    data = Table.of(text("report.time.table"), [words("part"), *map(Heading, times)], rows)
    return Figure(title, (Drawing(drawn(chart, title, description)),), caption, data)


def _series(found: Mapping[Part, Findings], places: Sequence[int]) -> Series:
    """The best leakage by series and time, in percentage points."""
    others: dict[Part, dict[str, float]] = {}
    for part, findings in found.items():
        key = tuple(value for place, value in enumerate(part) if place not in places)
        others.setdefault(key, {})[moment_of(part, places)] = 100 * findings.leakage
    named = numbered(" · ".join(map(displayed, key)) or text("report.time.all") for key in others)
    return dict(zip(named, others.values(), strict=True))


def _ends(series: Series) -> Series:
    if len(series) <= 2 * EACH_END:
        return series
    order = sorted(series, key=lambda name: -sum(series[name].values()) / len(series[name]))
    return {name: series[name] for name in (*order[:EACH_END], *order[-EACH_END:])}
