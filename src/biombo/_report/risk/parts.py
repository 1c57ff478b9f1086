"""Parts side by side: priors, leakage, correlations, adversaries, and years (Gonze et al. 2024, section 4.3)."""

from collections.abc import Mapping, Sequence

import polars as pl
from markupsafe import Markup

from biombo._attack import AttributeInferenceByPart, Findings, Part, Row, moment_of, numbered, time_columns
from biombo._i18n import integer, number, percent, text
from biombo._report.blocks import Cell, Drawing, Emphasis, Figure, Heading, Table, numbers, words
from biombo._report.charts.bars import Bar, bars
from biombo._report.charts.curves import lines
from biombo._report.charts.svg import drawn
from biombo._report.wording import Names, correlation, displayed, percentage, points, rich

FEWEST_TO_RANK = 8
RANKED = 3
"""With that many parts, the highest and the lowest three of each column stand out, as in Gonze et al. (2024)."""
MOST_BARS = 40
"""The most parts that a chart shows; the table behind it has all."""

EACH_END = 3
"""Of more than twice as many series, those with the highest and the lowest mean are drawn."""

Series = dict[str, dict[str, float]]


def priors_figure(attacks: AttributeInferenceByPart, target: str, names: Names) -> Figure:
    """How often the best guess is right before anything is known (Fig. 1)."""
    headings = [words("part"), *map(numbers, ("records", "prior", "entropy"))]
    rows = [
        [names.parts[p], integer(a.rows), percentage(a.priors[target]), number(a.entropies[target], 2)]
        for p, a in attacks.parts.items()
    ]
    return part_bars(
        {part: attack.priors[target] for part, attack in attacks.parts.items()},
        text("report.priors.title"),
        text("report.axis.right"),
        rich("report.priors.caption"),
        Table.of(text("report.priors.table"), headings, rows),
        names,
    )


def leakage_table(attacks: AttributeInferenceByPart, found: Mapping[Part, Findings], names: Names) -> Table:
    """The best leakage of each part for each number of columns (Table 2)."""
    sizes = sorted({row["size"] for findings in found.values() for row in findings.best})
    leakages = {part: {row["size"]: row["leakage"] for row in f.best} for part, f in found.items()}
    standing = {size: _standing({p: leakages[p][size] for p in leakages if size in leakages[p]}) for size in sizes}
    headings = [words("part"), numbers("records"), numbers("prior"), *(Heading(integer(size)) for size in sizes)]
    rows: list[list[str | Cell]] = [
        [
            names.parts[part],
            integer(attacks[part].rows),
            percentage(findings.prior),
            *(
                Cell(points(leakages[part][s]), standing[s].get(part, "")) if s in leakages[part] else "–"
                for s in sizes
            ),
        ]
        for part, findings in found.items()
    ]
    note = rich("report.leakage.note")
    if len(found) >= FEWEST_TO_RANK:
        note += " " + rich("report.leakage.ranked")
    return Table.of(text("report.leakage.title"), headings, rows, note)


def _standing(values: Mapping[Part, float]) -> dict[Part, Emphasis]:
    """Which parts have the highest and the lowest values."""
    if len(values) < FEWEST_TO_RANK:
        return {}
    order = sorted(values, key=values.__getitem__)
    lowest: dict[Part, Emphasis] = dict.fromkeys(order[:RANKED], "low")
    return lowest | dict.fromkeys(order[-RANKED:], "high")


def correlation_table(attacks: AttributeInferenceByPart, target: str) -> Table:
    """Pearson's correlation of the best leakage with the number of records and with the entropy."""
    rows = [
        [integer(size), integer(parts), correlation(records), correlation(entropy)]
        for size, parts, records, entropy in attacks.correlation()
        .filter(pl.col("sensitive") == target)
        .select("size", "parts", "records", "entropy")
        .iter_rows()
    ]
    headings = [numbers("size"), numbers("parts"), numbers("with-records"), numbers("with-entropy")]
    return Table.of(text("report.correlation.title"), headings, rows, rich("report.correlation.note"))


def part_bars(
    shares: Mapping[Part, float], title: str, axis_title: str, caption: Markup, data: Table, names: Names
) -> Figure:
    """A share of each part."""
    order = sorted(shares, key=lambda part: -shares[part])
    shown = [Bar(names.parts[part], shares[part], percent(shares[part])) for part in order[:MOST_BARS]]
    description = text(
        "report.part-bars.description",
        highest=names.parts[order[0]],
        most=shares[order[0]],
        lowest=names.parts[order[-1]],
        least=shares[order[-1]],
    )
    if len(shown) < len(order):
        caption += " " + rich("report.part-bars.cut", shown=len(shown), parts=len(order))
    return Figure(title, (Drawing(drawn(bars(shown, axis_title), title, description)),), caption, data)


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


def adversaries_by_part(found: Mapping[Part, Sequence[Row]], names: Names, title: str) -> list[Table]:
    """A column for each adversary: how often it is right about each part. Nothing where none is named."""
    known = {row["adversary"]: row["quasi"] for rows in found.values() for row in rows}
    if not known:
        return []
    headings = [words("part"), *(Heading(names.adversary(name)) for name in known)]
    cells = []
    for part, rows in found.items():
        posteriors = {row["adversary"]: percentage(row["posterior"]) for row in rows}
        cells.append([names.parts[part], *(posteriors.get(name, "–") for name in known)])
    who = "; ".join(f"{names.adversary(name)}: {names.listed(quasi)}" for name, quasi in known.items())
    return [Table.of(title, headings, cells, rich("report.adversaries.who", who=who))]
