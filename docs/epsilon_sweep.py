"""Makes the numbers and the picture of epsilon-sweep.md: what an adversary gains, and what is left, for several ε.

    python docs/epsilon_sweep.py

The people are made up. The noise cannot be seeded, so the numbers differ a little from run to run. Takes a minute.
"""

from collections.abc import Sequence
from pathlib import Path

import altair as alt
import numpy as np
import polars as pl
import vl_convert

import biombo as bb
from biombo._report import WHOLE
from biombo._report.charts import ACCENT, MUTED, WARNING, config

DOCS = Path(__file__).parent
PAGE = DOCS / "epsilon-sweep.md"
PICTURE = DOCS / "images" / "epsilon-sweep.png"

SEED, PEOPLE, RUNS = 2001, 5000, 20
EPSILONS = (1, 3, 6, 9, 12, 18)
DOMAINS = {
    "age": tuple(f"{start}-{start + 9}" for start in range(0, 80, 10)),
    "city": tuple(f"city {number}" for number in range(10)),
    "sex": ("F", "M"),
}
DISEASES = ("asthma", "flu", "gout", "angina", "none")
QUASI = list(DOMAINS)


def made_up_people() -> pl.DataFrame:
    """People whose disease depends on age most, on city and sex as well, with exceptions."""
    rng = np.random.default_rng(SEED)
    codes = {name: rng.integers(len(domain), size=PEOPLE) for name, domain in DOMAINS.items()}
    by_age = codes["age"] // 2
    by_place = (codes["city"] + 2 * codes["sex"]) % len(DISEASES)
    usual = np.where((codes["city"] + codes["age"]) % 3 == 0, by_place, by_age)
    disease = np.where(rng.random(PEOPLE) < 0.6, usual, rng.integers(len(DISEASES), size=PEOPLE))
    columns = {name: [DOMAINS[name][code] for code in column] for name, column in codes.items()}
    return pl.DataFrame({**columns, "disease": [DISEASES[code] for code in disease]})


def plan(epsilon: float) -> bb.Plan:
    """Randomised response on each quasi column, with an equal part of ε."""
    part = epsilon / len(DOMAINS)
    noise = [bb.RandomisedResponse(name, part, domain) for name, domain in DOMAINS.items()]
    return bb.Plan(noise, quasi=QUASI, sensitive=["disease"])


def kept(released: pl.DataFrame, people: pl.DataFrame, columns: Sequence[str]) -> float:
    """1 − the total variation distance between how ``columns`` are jointly distributed in two tables."""
    shares = [table.group_by(columns).agg(share=pl.len() / table.height) for table in (released, people)]
    both = shares[0].join(shares[1], on=columns, how="full", suffix="_true").fill_null(0)
    return 1 - float((both["share"] - both["share_true"]).abs().sum()) / 2


def kept_by_pure_noise(people: pl.DataFrame) -> float:
    """What :func:`kept` would be if every age were drawn at random: the least that any ε leaves."""
    drawn = pl.DataFrame({"age": DOMAINS["age"]}).join(people.select("disease"), how="cross")
    return kept(drawn, people, ["age", "disease"])


def sweep(people: pl.DataFrame) -> pl.DataFrame:
    """For each ε, over several runs: the posterior, and how well ages and diseases still go together."""
    truth = bb.read(people)
    rows = []
    for epsilon in EPSILONS:
        for _ in range(RUNS):
            released = bb.apply(people, plan(epsilon)).data
            found = bb.attribute_inference(bb.read(released), QUASI, "disease", truth=truth)
            posterior = found.subsets["posterior"][-1]
            rows.append((epsilon, posterior, kept(released, people, ["age", "disease"])))
    results = pl.DataFrame(rows, schema=["epsilon", "posterior", "kept"], orient="row")
    spread = pl.col("posterior").std().alias("spread")
    return results.group_by("epsilon", maintain_order=True).agg(pl.col("posterior", "kept").mean(), spread)


def table_of(results: pl.DataFrame, prior: float, plain: float, least: float) -> list[str]:
    """The results as the page shows them."""
    lines = ["| ε of a record | posterior | leakage | age and disease kept |", "| ---: | ---: | ---: | ---: |"]
    lines.append(f"| pure noise | | | {least:.1%} |")
    for epsilon, posterior, share, spread in results.iter_rows():
        lines.append(
            f"| {epsilon:g} | {posterior:.1%} ± {100 * spread:.1f} | {100 * (posterior - prior):+.1f} | {share:.1%} |"
        )
    return [*lines, f"| no noise | {plain:.1%} | {100 * (plain - prior):+.1f} | 100.0% |"]


def draw(results: pl.DataFrame, prior: float, plain: float) -> None:
    """The picture of the page: posterior against utility, a point for each ε."""
    percent = alt.Axis(format="%")
    x = alt.X("kept:Q", axis=percent, scale=alt.Scale(domain=[0.6, 1.05]), title="age and disease: distribution kept")
    y = alt.Y("posterior:Q", axis=percent, scale=alt.Scale(zero=False), title="posterior, scored against the truth")
    points = alt.Chart(results.with_columns(label=pl.Series([f"ε = {epsilon:g}" for epsilon in results["epsilon"]])))
    line = points.mark_line(color=ACCENT, point=alt.OverlayMarkDef(color=ACCENT, size=60)).encode(
        x=x, y=y, order="epsilon:Q"
    )
    names = points.mark_text(align="left", dx=7, dy=14, color=MUTED).encode(x=x, y=y, text="label:N")
    limits = pl.DataFrame({"posterior": [prior, plain], "label": ["prior", "without noise"]})
    rules = alt.Chart(limits).mark_rule(color=WARNING, strokeDash=[5, 3]).encode(y="posterior:Q")
    words = alt.Chart(limits).mark_text(align="left", dx=4, dy=-8, color=WARNING)
    chart = alt.layer(rules, words.encode(x=alt.value(0), y="posterior:Q", text="label:N"), line, names)
    look = {**config(), "background": "white", "padding": 12}
    spec = chart.properties(width=560, height=320).to_dict()
    vl_convert.register_font_directory(str(WHOLE))
    PICTURE.write_bytes(vl_convert.vegalite_to_png(spec, config=look, scale=1.5))


def main() -> None:
    """Run the sweep, fill in the table and draw the picture."""
    people = made_up_people()
    truth = bb.read(people)
    unperturbed = bb.attribute_inference(truth, QUASI, "disease", truth=truth)
    prior, plain = unperturbed.prior, unperturbed.subsets["posterior"][-1]
    results = sweep(people)
    lines = table_of(results, prior, plain, kept_by_pure_noise(people))
    draw(results, prior, plain)
    before, rest = PAGE.read_text("utf-8").split("<!-- sweep -->\n")
    PAGE.write_text(
        f"{before}<!-- sweep -->\n"
        + "\n".join(lines)
        + "\n<!-- end of sweep -->"
        + rest.split("<!-- end of sweep -->")[1],
        "utf-8",
    )
    print(f"prior {prior:.1%}", *lines, sep="\n")


if __name__ == "__main__":
    main()
