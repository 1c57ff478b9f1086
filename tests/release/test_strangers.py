"""Whoever reads a released file with tools of their own finds what was judged and what is claimed."""

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import polars as pl
from examples import examples
from hypothesis import assume, given
from strangers import READERS, fewest_values, smallest_group

import biombo as bb

NAN = float("nan")
TEXTS = (
    *(None, "", "NA", "null", "NaN", "*", "#", "1", "1.0", "01", " 1", "1 ", "é", "é", "a,b", 'q"q', "x\ny", "x\ry"),
    *("=1", "'=1", "''=1", "-5", "+5", "@x", "a;=b", "x\t=y", "'", "it's", "[0, 10)", "true"),
)
COLUMNS: list[tuple[Any, tuple[Any, ...]]] = [
    (pl.String, TEXTS),
    (pl.String, (None, "", "*", "1", "01")),
    (pl.Categorical, (None, "a", "*", "NA")),
    (pl.Float64, (None, NAN, 0.0, -0.0, 1.0, 1.5)),
    (pl.Float32, (None, NAN, 0.0, -0.0, 0.1)),
    (pl.Int16, (None, 0, 1, 2)),
    (pl.UInt64, (None, 0, 2**64 - 1)),
    (pl.Boolean, (None, True, False)),
    (pl.Decimal(9, 3), (None, Decimal("1"), Decimal("1.5"), Decimal("0"))),
    (pl.Date, (None, dt.date(2024, 1, 31), dt.date(1900, 1, 1))),
    (pl.Datetime("ns"), (None, 0, 1, 1000)),
    (pl.Datetime("us", "America/Sao_Paulo"), (None, 1_550_368_800_000_000, 1_550_372_400_000_000)),
    (pl.Time, (None, dt.time(10), dt.time(10, 0, 0, 5000), dt.time(10, 0, 0, 1))),
    (pl.Duration("ms"), (None, dt.timedelta(0), dt.timedelta(seconds=-1.5))),
]
TABLE = bb.Hierarchy.load({"A": {"#": ["1", "1.0", "01", "a"], "x": ["NA", "é", "=1"]}})
MARKS = ("*", "#", "1", "A", "true", "")


@st.composite
def tables(draw: st.DrawFn) -> pl.DataFrame:
    """Few different values in few columns, so that groups form."""
    rows = draw(st.integers(4, 24))
    columns = {}
    for name in ("q1", "q2", "s"):
        kind, values = draw(st.sampled_from(COLUMNS))
        few = draw(st.lists(st.sampled_from(values), min_size=1, max_size=4))
        drawn = draw(st.lists(st.sampled_from(few), min_size=rows, max_size=rows))
        columns[name] = pl.Series(drawn, dtype=kind)
    return pl.DataFrame(columns)


@st.composite
def plans(draw: st.DrawFn) -> bb.Plan:
    level = draw(st.sampled_from([0, 0, 1, 2]))
    generalised = bb.Generalise("q1", draw(st.sampled_from([TABLE, TABLE.with_top()])), level, missing="own-branch")
    protecting = st.one_of(
        st.just(bb.SuppressGroups()),
        st.builds(bb.MaskGroups, st.sampled_from(MARKS), st.sampled_from(["mask-more", "drop"])),
    )
    return bb.Plan(
        operations=[generalised, draw(protecting)],
        criteria=[bb.KAnonymity(draw(st.integers(2, 3))), bb.LDiversity(2)],
        quasi=["q1", "q2"],
        sensitive=["s"],
    )


def refused_for_the_data(error: bb.BiomboError) -> bool:
    told = ("release.columns-tell", "plan.mask-hopeless", "plan.nothing-left", "hierarchy.taken")
    return error.key in told


def found_by_strangers(path: Path) -> list[tuple[int, int]]:
    """k and l, as each of them finds them."""
    readings = [read(path) for read in READERS[path.suffix]]
    return [(smallest_group(rows, ["q1", "q2"]), fewest_values(rows, ["q1", "q2"], "s")) for rows in readings]


@examples(120)
@given(table=tables(), plan=plans(), suffix=st.sampled_from([".csv", ".parquet"]))
def test_strangers_find_what_was_judged(tmp_path_factory, table, plan, suffix) -> None:
    path = tmp_path_factory.mktemp("strangers") / f"out{suffix}"
    try:
        applied = bb.apply(table, plan, path)
    except bb.BiomboError as error:
        assume(not refused_for_the_data(error))
        raise
    assert applied.judgement is not None
    k, l = (verdict.achieved for verdict in applied.judgement.verdicts)  # noqa: E741

    assert applied.holds
    assert found_by_strangers(path) == [(k, l), (k, l)]


@examples(15)
@given(table=tables(), plan=plans(), format=st.sampled_from(["csv", "parquet"]))
def test_strangers_find_what_is_claimed(tmp_path_factory, table, plan, format) -> None:
    try:
        release = bb.publish(table, plan, tmp_path_factory.mktemp("strangers") / "release", format=format)
    except bb.BiomboError as error:
        assume(not refused_for_the_data(error))
        raise
    claimed = [claim.value for claim in release.manifest.claims if claim.name == "criterion"]

    assert bb.verify(release.out).holds
    assert found_by_strangers(release.out / f"data.{format}") == [tuple(claimed)] * 2
