"""Makes the numbers and the picture of population-estimates.md: estimates from samples of a population that we hold.

    python docs/population_estimates.py

The population is UCI Adult (../shared/data/adult). Takes about half a minute.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import altair as alt
import numpy as np
import polars as pl
import vl_convert
from numpy.typing import NDArray

from biombo._attack import PopulationEstimate
from biombo._report import WHOLE
from biombo._report.charts import ACCENT, INK, MUTED, WARNING, config

DOCS = Path(__file__).parent
ADULT = DOCS / ".." / ".." / "shared" / "data" / "adult" / "adult.csv"
PAGE = DOCS / "population-estimates.md"
PICTURE = DOCS / "images" / "population-estimates.png"

ALL = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation"]
FEW = ALL[:5]
SEED = 2012
FRACTION, SAMPLES = 0.1, 100
FRACTIONS, SAMPLES_EACH = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5), 25

UNIQUES = {"Zayatz": "zayatz", "SNB": "snb", "Pitman": "pitman", "Dankar's choice": "dankar"}
MARKETER = ("F = f/π", "Benedetti–Franconi", "Pitman", "Shlosser, K/N")
COLOURS = (WARNING, MUTED, ACCENT, INK)


def group_of_each_row(people: pl.DataFrame, quasi: Sequence[str]) -> NDArray[np.int64]:
    """The rows' groups by ``quasi``, numbered from 0."""
    return people.select(pl.struct(quasi).rank("dense").cast(pl.Int64) - 1).to_series().to_numpy()


def estimates(estimate: PopulationEstimate) -> dict[tuple[str, str], float | None]:
    """Every estimator's share of unique records and of correct matches, by measure and name."""
    uniques = {("uniques", name): getattr(estimate, key).share for name, key in UNIQUES.items()}
    proportional = estimate.sample.fraction * estimate.prosecutor.mean
    benedetti_franconi = estimate.by_benedetti_franconi.mean
    shlosser = estimate.groups / estimate.sample.population
    matches = (proportional, benedetti_franconi, estimate.marketer, shlosser)
    return {**uniques, **{("marketer", name): value for name, value in zip(MARKETER, matches, strict=True)}}


def experiment(group: NDArray[np.int64], fraction: float, samples: int) -> pl.DataFrame:
    """For each sample, measure and estimator: the estimate beside the truth."""
    rng = np.random.default_rng(SEED)
    population = np.bincount(group)
    rows = []
    for _ in range(samples):
        drawn = rng.choice(group, round(fraction * len(group)), replace=False)
        sizes = np.bincount(drawn, minlength=len(population))
        seen = sizes > 0
        truth = {
            "uniques": (population == 1).sum() / len(group),
            "marketer": (sizes[seen] / population[seen]).sum() / len(drawn),
        }
        found = estimates(PopulationEstimate.of(sizes[seen], len(drawn) / len(group)))
        rows += [(measure, name, fraction, value, truth[measure]) for (measure, name), value in found.items()]
    return pl.DataFrame(rows, schema=["measure", "estimator", "fraction", "estimate", "truth"], orient="row")


def summary(results: pl.DataFrame) -> pl.DataFrame:
    """Mean, bias, root mean square error and samples without an estimate."""
    error = pl.col("estimate") - pl.col("truth")
    return results.group_by("measure", "estimator", "fraction", maintain_order=True).agg(
        pl.col("truth").mean(),
        pl.col("estimate").mean().alias("mean"),
        error.mean().alias("bias"),
        (error**2).mean().sqrt().alias("rmse"),
        pl.col("estimate").null_count().alias("missing"),
    )


def points(share: float) -> str:
    """In percent, without the sign."""
    return f"{100 * share:.1f}"


def bias_table(results: pl.DataFrame) -> list[str]:
    """Bias and RMSE of each estimator for one fraction."""
    lines = ["| | estimator | truth | mean | bias | RMSE |", "| --- | --- | ---: | ---: | ---: | ---: |"]
    labels = {"uniques": "population uniques", "marketer": "marketer risk"}
    for row in summary(results).iter_rows(named=True):
        numbers = [points(row["truth"]), points(row["mean"]), f"{100 * row['bias']:+.1f}", points(row["rmse"])]
        lines.append(f"| {labels[row['measure']]} | {row['estimator']} | {' | '.join(numbers)} |")
    return lines


def fraction_table(results: pl.DataFrame, measure: str) -> list[str]:
    """Mean and RMSE of each estimator for several fractions."""
    lines = [f"| estimator | {' | '.join(f'{fraction:.0%}' for fraction in FRACTIONS)} |", "| --- |" + " ---: |" * 6]
    chosen = summary(results.filter(pl.col("measure") == measure))
    for (name,), rows in chosen.group_by("estimator", maintain_order=True):
        cells = [f"{points(row['mean'])} ({points(row['rmse'])})" for row in rows.iter_rows(named=True)]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def by_sample(results: pl.DataFrame, measure: str, title: str) -> alt.LayerChart:
    """A mark for each sample's estimate, and a line at the truth."""
    chosen = results.filter(pl.col("measure") == measure)
    names = chosen["estimator"].unique(maintain_order=True).to_list()
    axis = alt.Axis(format="%", title=f"{title}, {SAMPLES} samples of {FRACTION:.0%}")
    ticks = (
        alt.Chart(chosen)
        .mark_tick(thickness=1.5, opacity=0.45, height=18, color=ACCENT)
        .encode(
            x=alt.X("estimate:Q", axis=axis, scale=alt.Scale(domain=[0, 0.8])),
            y=alt.Y("estimator:N", sort=names, title=None),
        )
    )
    truth = chosen.select(pl.col("truth").mean())
    line = alt.Chart(truth).mark_rule(color=WARNING, strokeWidth=2, strokeDash=[5, 3]).encode(x="truth:Q")
    return alt.layer(ticks, line).properties(width=330, height=130)


def by_fraction(results: pl.DataFrame, measure: str, title: str) -> alt.LayerChart:
    """Each model's mean over the sampling fraction, and a line at the truth."""
    chosen = summary(results.filter(pl.col("measure") == measure, pl.col("estimator") != "Dankar's choice"))
    names = chosen["estimator"].unique(maintain_order=True).to_list()
    colour = alt.Color(
        "estimator:N",
        sort=names,
        scale=alt.Scale(domain=names, range=COLOURS[: len(names)]),
        legend=alt.Legend(title=None, orient="bottom", columns=2),
    )
    fraction = alt.X(
        "fraction:Q",
        scale=alt.Scale(type="log", domain=[0.01, 0.5]),
        axis=alt.Axis(format="%", values=FRACTIONS, tickCount=100, title="sampling fraction"),
    )
    lines = (
        alt.Chart(chosen)
        .mark_line(point=True)
        .encode(x=fraction, y=alt.Y("mean:Q", axis=alt.Axis(format="%", title=title)), color=colour)
    )
    truth = chosen.select(pl.col("truth").mean())
    rule = alt.Chart(truth).mark_rule(color=WARNING, strokeWidth=2, strokeDash=[5, 3]).encode(y="truth:Q")
    return alt.layer(rule, lines).properties(width=330, height=220)


def draw(main: pl.DataFrame, fractions: pl.DataFrame) -> None:
    """The picture of the page."""
    titles = {"uniques": "records unique in the population", "marketer": "marketer risk"}
    panels = [
        alt.vconcat(by_sample(main, measure, title), by_fraction(fractions, measure, title))
        for measure, title in titles.items()
    ]
    chart = alt.hconcat(*panels, spacing=40).resolve_scale(color="independent")
    look = {**config(), "background": "white", "padding": 12}
    vl_convert.register_font_directory(str(WHOLE))
    PICTURE.write_bytes(vl_convert.vegalite_to_png(chart.to_dict(), config=look, scale=1.5))


def fill_in(sections: Mapping[str, Sequence[str]]) -> None:
    """Put tables into the page, between the comments that name them."""
    page = PAGE.read_text("utf-8")
    for name, lines in sections.items():
        begin, end = f"<!-- {name} -->\n", f"\n<!-- end of {name} -->"
        before, rest = page.split(begin)
        page = before + begin + "\n".join(lines) + end + rest.split(end)[1]
    PAGE.write_text(page, "utf-8")


def main() -> None:
    """Run the experiment, fill in the tables and draw the picture."""
    people = pl.read_csv(ADULT, separator=";")
    group = group_of_each_row(people, ALL)
    at_ten_percent = experiment(group, FRACTION, SAMPLES)
    many = pl.concat(experiment(group, fraction, SAMPLES_EACH) for fraction in FRACTIONS)
    group = group_of_each_row(people, FEW)
    few = pl.concat(experiment(group, fraction, SAMPLES_EACH) for fraction in FRACTIONS)
    sections = {"ten percent": bias_table(at_ten_percent)}
    for name, results in (("many columns", many), ("few columns", few)):
        for measure in ("uniques", "marketer"):
            sections[f"{name}, {measure}"] = fraction_table(results, measure)
    draw(at_ten_percent, many)
    fill_in(sections)
    print("\n".join(line for lines in sections.values() for line in ["", *lines]))
    missing = pl.concat([many, few]).filter(pl.col("estimate").is_null()).group_by("estimator", "fraction").len()
    print("\nsamples without an estimate:", missing.rows() or "none")


if __name__ == "__main__":
    main()
