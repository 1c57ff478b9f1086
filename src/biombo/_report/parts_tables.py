"""Tables over parts: priors, leakage by number of columns, correlations (document 000, section 4.3)."""

from collections.abc import Mapping

import polars as pl

from biombo._attack import AttributeInferenceByPart, Findings, Part
from biombo._i18n import integer, number, text
from biombo._report.blocks import Cell, Emphasis, Figure, Heading, Table, numbers, words
from biombo._report.names import Names
from biombo._report.part_bars import part_bars
from biombo._report.words import correlation, percentage, points, rich

FEWEST_TO_RANK = 8
RANKED = 3
"""With that many parts, the highest and the lowest three of each column stand out, as in document 000."""


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
