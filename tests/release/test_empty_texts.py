"""An empty text is a missing value, from the first count of a table to the file that goes out."""

from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused
from strangers import READERS

import biombo as bb

QUASI = ["town", "job"]
LETTERS = bb.Hierarchy.load({"A-B": ["a", "b"], "C-D": ["c", "d"]})
BY_COLUMN = {"town": LETTERS, "job": bb.Hierarchy.all_or_nothing()}
values = st.sampled_from(["a", "b", "c", "", None])
kinds = st.sampled_from([pl.String(), pl.Categorical(), pl.Binary()])


@st.composite
def tables(draw: st.DrawFn) -> pl.DataFrame:
    """Both in every column, in whatever type texts may come."""
    rows = draw(st.lists(st.tuples(values, values, values), min_size=4, max_size=30))
    table = pl.DataFrame(rows, dict.fromkeys([*QUASI, "ill"], pl.String()), orient="row")
    return table.with_columns([pl.col(name).cast(draw(kinds)) for name in table.columns])


def with_missing(table: pl.DataFrame) -> pl.DataFrame:
    """The same table in which no text is empty."""
    texts = table.cast(pl.String())
    return texts.with_columns([pl.when(pl.col(name) != "").then(pl.col(name)) for name in texts.columns])


def groups_in(path: Path) -> list[Counter[tuple[str, ...]]]:
    """How many records each group has, to each of two strangers."""
    readings = [read(path) for read in READERS[path.suffix]]
    return [Counter(tuple(repr(row[name]) for name in QUASI) for row in rows) for rows in readings]


@examples(60)
@given(table=tables(), k=st.integers(1, 3), recoding=st.sampled_from(["global", "local"]), more=st.data())
def test_what_a_search_claims_is_what_strangers_count_in_the_file(table, k, recoding, more, tmp_path_factory) -> None:
    share = more.draw(st.sampled_from([0, 0.3])) if recoding == "global" else 0
    suffix, stored = more.draw(st.sampled_from([".csv", ".parquet"])), more.draw(st.booleans())
    folder = tmp_path_factory.mktemp("empty")
    if stored:
        table.write_parquet(folder / "table.parquet")
    asked = {"quasi": QUASI, "sensitive": "ill", "hierarchies": BY_COLUMN, "max_suppression": share}
    data = bb.read(folder / "table.parquet") if stored else table
    found = bb.search(data, bb.KAnonymity(k), recoding=recoding, **asked)
    if not found:
        return
    plan = found[0]
    bb.apply(folder / "table.parquet" if stored else table, plan.plan, folder / f"out{suffix}")

    for groups in groups_in(folder / f"out{suffix}"):
        assert len(groups) == plan.groups
        assert groups.total() == table.height - plan.suppressed
        assert sum(size * size for size in groups.values()) == plan.discernibility - plan.suppressed * table.height


CRITERIA = [
    bb.KAnonymity(2),
    bb.LDiversity(2),
    bb.TCloseness(0.2),
    bb.Deassociation(0.5),
    bb.Deassociation(0.3, values=[""], column="ill"),
    bb.BetaLikeness(0.5),
    bb.DeltaDisclosure(1),
    bb.Uniqueness(0.1),
    bb.AverageRisk(0.3),
]


@examples(60)
@given(table=tables())
def test_no_judgement_and_no_risk_tells_them_apart(table) -> None:
    told = []
    for each in (table, with_missing(table)):
        judged = bb.judge(each, CRITERIA, quasi=QUASI, sensitive="ill")
        with bb.Watch(warning=str):
            risk = bb.risk(bb.read(each), quasi=QUASI, sensitive=["ill"])
        told.append(
            (
                [(verdict.achieved, verdict.groups, verdict.records) for verdict in judged.verdicts],
                judged.failing_rows().tolist(),
                risk.reidentification.subsets.rows(),
                risk.attribute_inference.subsets.rows(),
            )
        )
    assert told[0] == told[1]


@examples(20)
@given(table=tables())
def test_a_release_has_lost_nothing_by_them(table, tmp_path_factory) -> None:
    plan = bb.Plan([], [bb.KAnonymity(1)], quasi=QUASI, sensitive=["ill"])
    path = tmp_path_factory.mktemp("empty") / "out.parquet"
    bb.apply(table, plan, path)

    assert bb.utility(table, path, plan=plan).measures.loss == 0
    assert pl.read_parquet(path).select(pl.all().cast(pl.String()).eq("").any()).row(0) in [(False,) * 3, (None,) * 3]


def test_people_without_a_name_are_one_whichever_way_it_is_missing() -> None:
    table = pl.DataFrame({"town": ["a"] * 3, "name": ["", None, "Ana"]})
    data = bb.read(table, bb.Schema({}, person="name"))
    assert bb.judge(data, bb.KAnonymity(3), quasi=["town"]).verdicts[0].achieved == 2


@pytest.mark.parametrize("invalid", ["", None])
def test_a_schema_means_both_by_either(invalid) -> None:
    schema = bb.Schema({"town": bb.ColumnSchema(role="quasi", invalid=frozenset([invalid, "?"]))})
    data = bb.read(pl.DataFrame({"town": ["", None, "?", "a", "a"]}), schema)
    assert bb.reidentification(data, ["town"]).dropped.rows == 3
    found = bb.search(data, bb.KAnonymity(2), quasi=["town"], hierarchies={"town": LETTERS}, drop_invalid=True)
    assert (found.records, found[0].levels) == (2, {"town": 0})


@pytest.mark.parametrize(
    ("make", "key", "mentioned"),
    [
        (lambda path: bb.Hierarchy.from_csv(path), "hierarchy.empty", ["h.csv", " 2", " 1", "*"]),
        (lambda _: bb.Hierarchy.by_hand({"": ["a", "b"]}), "hierarchy.empty", ["'a'", " 1"]),
        (lambda _: bb.Hierarchy.by_order(["low", "", "high"], 2), "hierarchy.order-empty", []),
    ],
)
def test_a_group_without_a_name_would_be_a_missing_value(make, key, mentioned, tmp_path) -> None:
    (path := tmp_path / "h.csv").write_text("a;A;*\nb;;*\n")
    with refused(key, *mentioned):
        make(path)
