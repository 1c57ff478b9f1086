"""What a plan does, an attack finds and a criterion says depends on no engine."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from inspect import isabstract
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from operation_examples import EXAMPLES, PEOPLE, QUASI, SENSITIVE
from partition_engine import PartitionEngine
from small_tables import SINGLE_CRITERIA, SmallTable, criteria_lists, small_tables

import biombo as bb
from biombo._attack import as_json as attack_as_json
from biombo._criteria import as_json as judgement_as_json
from biombo._data import SourceTable
from biombo._engine import LOCAL, NAMES, Engine
from biombo._plan import OPERATIONS, follows_a_rule, schema_in_use

pytestmark = pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")

ENGINES = [LOCAL, PartitionEngine(1), PartitionEngine(2)]
ROWS = 80
KEPT = ["age", "weight"]
CRITERIA = [bb.KAnonymity(2, quasi=["sex"]), bb.LDiversity(2), bb.TCloseness(0.95)]


def made_up(seed: int = 3) -> pl.DataFrame:
    """Many records with the values of a few, so that all examples can be applied to them."""
    chance = np.random.default_rng(seed)
    return pl.DataFrame([PEOPLE[name].gather(chance.integers(0, PEOPLE.height, ROWS)) for name in PEOPLE.columns])


TABLE = made_up()


def example(name: str) -> bb.Operation:
    return OPERATIONS[name].from_entries(EXAMPLES[name], Path())


def told(applied: bb.Applied, *, of_records: bool) -> dict[str, Any]:
    """All that must be the same, whatever the order of the records."""
    assert applied.data is not None
    same: dict[str, Any] = {"columns": applied.data.columns}
    if of_records:
        same["records"] = Counter(map(str, applied.data.rows()))
        same["judgement"] = None if applied.judgement is None else _rounded(judgement_as_json(applied.judgement))
        same["types"] = applied.data.dtypes
    same |= {name: (getattr(applied, name), applied.people[name]) for name in NAMES}
    same["outcome"] = applied.outcome.total
    return same


def plans_with(operation: bb.Operation, person: str | None) -> list[bb.Plan]:
    """The operation alone, before others, and after others."""
    about = [name for name in SENSITIVE if person != name]
    others = ([], [bb.SuppressGroups()], [bb.MaskGroups()], [bb.DropDuplicates(["zip", "disease", "age"])])
    before = [bb.SuppressRecords({"zip": "02139", "disease": "gout"})]
    orders = [*([operation, *after] for after in others), [*before, operation]]
    if any(isinstance(operation, bb.DropDuplicates) for _ in orders):
        orders = [*orders[:3], orders[-1]]
    return [bb.Plan(operations, CRITERIA, QUASI, about, person=person) for operations in orders]


@pytest.mark.parametrize("name", sorted(OPERATIONS))
@pytest.mark.parametrize("person", [None, "name"])
def test_every_operation_does_the_same_on_both(name: str, person: str | None) -> None:
    """A new operation has an example, or fails here."""
    for plan in plans_with(example(name), None if name == "pseudonymise" else person):
        here, *elsewhere = (_applied(plan, engine) for engine in ENGINES)
        drawn = any(operation.draws for operation in plan.operations)
        for there in elsewhere:
            if drawn and not follows_a_rule(plan, schema_in_use(plan, bb.Schema()), QUASI):
                _assert_alike(here, there)
            elif isinstance(here, str) or isinstance(there, str):
                assert here == there
            else:
                assert told(here, of_records=not drawn) == told(there, of_records=not drawn)


def _assert_alike(*found: bb.Applied | str) -> None:
    """What holds whatever is drawn."""
    columns = set()
    for each in found:
        if isinstance(each, str):
            assert each in ("plan.nothing-left", "plan.mask-hopeless")
            continue
        assert each.rows + each.suppressed + each.not_drawn + each.duplicates + each.invalid == ROWS
        assert each.outcome.total.total == ROWS
        columns.add(tuple(each.data.columns))
    assert len(columns) <= 1


def _applied(plan: bb.Plan, engine: Engine) -> bb.Applied | str:
    try:
        return bb.apply(TABLE, plan, keep=KEPT, engine=engine)
    except bb.BiomboError as error:
        return error.key


@pytest.mark.parametrize("engine", ENGINES, ids=["local", "one", "other"])
class TestWhatIsDrawn:
    """What is left to chance keeps its promises on every engine."""

    def test_a_sample_has_its_size_and_every_record_the_same_chance(self, engine) -> None:
        table = pl.DataFrame({"x": [str(n) for n in range(5)]})
        plan = bb.Plan([bb.Sample(records=2)], sensitive=["x"])
        drawn = Counter(x for _ in range(200) for x in bb.apply(table, plan, engine=engine).data["x"])

        assert drawn.total() == 400
        assert sum((count - 80) ** 2 / 80 for count in drawn.values()) < 25  # χ², 4 degrees: once in 20,000 runs

    def test_swapped_columns_stay_together_within_their_strata(self, engine) -> None:
        table = TABLE.with_columns(twin=pl.col("age"))
        plan = bb.Plan([bb.Swap(["age", "twin"], within=["sex"])], quasi=["sex"], sensitive=["age", "twin"])
        after = bb.apply(table, plan, engine=engine).data

        assert after["age"].to_list() == after["twin"].to_list()
        assert Counter(after.select("sex", "age").rows()) == Counter(table.select("sex", "age").rows())

    def test_ranks_move_no_farther_than_they_may(self, engine) -> None:
        table = pl.DataFrame({"key": range(60), "x": np.random.default_rng(1).permutation(60)})
        plan = bb.Plan([bb.RankSwap("x", at_most=0.1)], sensitive=["x", "key"])
        after = bb.apply(table, plan, engine=engine).data.sort("key")["x"].to_numpy()

        assert sorted(after) == list(range(60))
        assert np.abs(after - table["x"].to_numpy()).max() <= 6

    def test_words_are_given_in_turn(self, engine) -> None:
        table = pl.DataFrame({"city": ["A"] * 7 + ["B"] * 5, "disease": ["flu"] * 7 + ["flu", "gout"] * 2 + ["gout"]})
        words = {"flu": ["grippe", "influenza"], "gout": ["podagra", "uric arthritis"]}
        plan = bb.Plan([bb.Diversify("disease", words, groups_below=2)], quasi=["city"], sensitive=["disease"])
        after = Counter(bb.apply(table, plan, engine=engine).data.rows())

        assert sorted(after[("A", word)] for word in ("flu", "grippe", "influenza")) == [2, 2, 3]
        assert (after[("B", "flu")], after[("B", "gout")]) == (2, 3)

    def test_a_value_has_one_pseudonym_and_a_pseudonym_one_value(self, engine) -> None:
        plan = bb.Plan([bb.Pseudonymise("name", "random")], sensitive=["born"])
        pairs = set(bb.apply(TABLE.with_columns(born="name"), plan, engine=engine).data.select("name", "born").rows())

        assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs}) == TABLE["name"].n_unique()

    def test_what_is_drawn_is_drawn_once(self, engine) -> None:
        """Groups are judged on the values that come out, not on others drawn for the judgement."""
        plan = bb.Plan([bb.AddNoise("age", 3), bb.SuppressGroups()], [bb.KAnonymity(3)], ["age"])
        after = bb.apply(TABLE, plan, engine=engine)

        assert after.data.group_by("age").len()["len"].min() >= 3
        assert after.outcome.total["suppressed"] == after.suppressed == ROWS - after.rows


@pytest.mark.parametrize("engine", ENGINES, ids=["local", "one", "other"])
@settings(max_examples=25)
@given(
    rows=st.lists(st.tuples(*[st.sampled_from(["a", "b", "", None])] * 3), min_size=1, max_size=25),
    order=st.randoms(use_true_random=False),
    operations=st.lists(
        st.sampled_from(
            [
                bb.DropDuplicates(["x"]),
                bb.DropDuplicates(),
                bb.DropInvalid({"y": ["b"]}),
                bb.SuppressRecords({"x": "a", "y": "a"}),
            ]
        ),
        max_size=2,
        unique_by=id,
    ),
    group=st.sampled_from([bb.MaskGroups(), bb.MaskGroups(if_failing="drop"), bb.SuppressGroups()]),
)
def test_the_order_of_the_rows_does_not_matter(engine: Engine, rows, order, operations, group) -> None:
    plan = bb.Plan([*operations, group], [bb.KAnonymity(3)], ["x", "y"], ["z"])
    other = list(rows)
    order.shuffle(other)
    results = []
    for each in (rows, other):
        table = pl.DataFrame(each, {"x": pl.String, "y": pl.String, "z": pl.String}, orient="row")
        try:
            results.append(told(bb.apply(table, plan, engine=engine), of_records=True))
        except bb.BiomboError as error:
            results.append(error.key)

    assert results[0] == results[1]


def kinds_of(base: type) -> set[type]:
    """All that can be made of a kind of thing."""
    below = {kind for each in base.__subclasses__() for kind in kinds_of(each)}
    return below if isabstract(base) else below | {base}


def test_every_criterion_is_among_those_that_are_judged() -> None:
    ours = {kind for kind in kinds_of(bb.Criterion) if kind.__module__.startswith("biombo.")}
    assert ours == {type(criterion) for criterion in SINGLE_CRITERIA}


def counted(table: SmallTable, engine: Engine) -> bb.Dataset:
    """The table as an engine counts it."""
    data = table.data
    source = SourceTable.open(data.decoded())
    return engine.open(source).tuples(list(data.columns), data.schema)


@pytest.mark.parametrize("engine", ENGINES, ids=["local", "one", "other"])
@settings(max_examples=25)
@given(table=small_tables(rows=30), criteria=criteria_lists)
def test_criteria_say_of_counted_tuples_what_they_say_of_rows(engine: Engine, table: SmallTable, criteria) -> None:
    asked = {"quasi": table.quasi, "sensitive": "disease"}

    assert verdicts(counted(table, engine), criteria, asked) == verdicts(table.data, criteria, asked)


def verdicts(data: bb.Dataset, criteria: Sequence[bb.Criterion], asked: dict[str, Any]) -> Any:
    return _rounded(judgement_as_json(bb.judge(data, criteria, **asked)))


def _or_refusal(attack: Callable[[bb.Dataset], Any], data: bb.Dataset) -> Any:
    try:
        return _rounded(attack(data))
    except bb.BiomboError as error:
        return error.key


def _rounded(found: Any) -> Any:
    """Numbers to nine decimals: sums depend on the order of what is added."""
    return json.loads(json.dumps(found), parse_float=lambda text: round(float(text), 9))


@pytest.mark.parametrize("engine", ENGINES, ids=["local", "one", "other"])
@settings(max_examples=15)
@given(table=small_tables(rows=30))
def test_attacks_find_in_counted_tuples_what_they_find_in_rows(engine: Engine, table: SmallTable) -> None:
    tuples, rows = counted(table, engine), table.data
    known = {"q0": rows["q0"].decoded()[0]}
    for attack in (
        lambda data: attack_as_json(bb.risk(data, table.quasi, ["disease"])),
        lambda data: attack_as_json(bb.risk_by_part(data, ["income"], table.quasi, ["disease"])),
        lambda data: bb.target(data, known, sensitive=["disease"]).candidates,
        lambda data: asdict(bb.population_risk(data, table.quasi, fraction=0.2).estimate.zayatz),
        lambda data: bb.membership(data, data, table.quasi).subsets.sort(pl.col("quasi").list.join(",")).to_dicts(),
    ):
        assert _or_refusal(attack, tuples) == _or_refusal(attack, rows)


@pytest.mark.parametrize("engine", ENGINES, ids=["local", "one", "other"])
@settings(max_examples=10)
@given(table=small_tables(rows=30), criteria=criteria_lists)
def test_a_search_finds_in_counted_tuples_what_it_finds_in_rows(engine: Engine, table: SmallTable, criteria) -> None:
    plans = [
        [found.plan.hash for found in bb.search(data, criteria, max_suppression=0.3, **table.options)]
        for data in (counted(table, engine), table.data)
    ]

    assert plans[0] == plans[1]


PUBLISHED = bb.Plan(
    [bb.Generalise("age", bb.Hierarchy.by_interval(20), 1), bb.MaskGroups()],
    [bb.KAnonymity(3)],
    quasi=["sex", "age"],
    sensitive=["disease"],
    identifiers=["name"],
)


@pytest.mark.parametrize("engine", ENGINES, ids=["local", "one", "other"])
@pytest.mark.parametrize("operations", [(), (bb.Sample(share=0.9),)], ids=["as it is", "sampled"])
def test_a_release_is_published_verified_traced_and_measured(engine: Engine, operations, tmp_path) -> None:
    source = tmp_path / "people.csv"
    TABLE.with_columns(name=pl.Series([f"P{n}" for n in range(ROWS)])).write_csv(source)
    plan = bb.Plan(
        [*operations, *PUBLISHED.operations], PUBLISHED.criteria, ["sex", "age"], ["disease"], identifiers=["name"]
    )
    release = bb.publish(source, plan, tmp_path / "release", engine=engine)
    found = bb.utility(source, release.data, plan=release.plan, outcome=release.private / "outcome.parquet")

    assert bb.verify(release.out).holds
    assert found.measures.completeness == pytest.approx(release.applied.rows / (ROWS - release.applied.not_drawn))
    cells = pl.read_parquet(release.private / "cells.parquet")
    assert (cells["records"].sum(), cells.filter("released")["records"].sum()) == (ROWS, release.applied.rows)
    some = release.data.head(5)
    origins = bb.trace(release.out, some["trace_id"], reason="a test")
    for row in some.iter_rows(named=True):
        found_at = origins[row["trace_id"]]
        record = TABLE.row(found_at.number - 1, named=True)
        assert found_at.checked
        assert record["disease"] == row["disease"]
        assert row["sex"] in ("*", record["sex"])


def test_releases_of_both_engines_say_the_same(tmp_path) -> None:
    public = []
    for number, engine in enumerate(ENGINES):
        release = bb.publish(TABLE, PUBLISHED, tmp_path / f"{number}", engine=engine)
        manifest = json.loads((release.out / "manifest.json").read_text())
        claims = [each for each in manifest["claims"] if "plan" not in each["claim"]]
        records = Counter(release.data.drop("trace_id").rows())
        public.append((records, claims, (release.out / "dictionary.csv").read_text()))

    assert public[0] == public[1] == public[2]


@pytest.mark.parametrize("engine", ENGINES, ids=["local", "one", "other"])
def test_a_risk_and_a_search_that_are_asked_for_are_the_same_wherever_rows_are_counted(engine: Engine) -> None:
    people = bb.samples.clinic()
    columns = {"quasi": ["sex", "age", "city"], "sensitive": ["disease"]}
    asked = bb.RiskRequest(**columns), bb.SearchRequest(**columns, k=3, max_suppression=0.5, explain=True)

    for request in asked:
        assert request.run(people, engine=engine).as_json() == request.run(people).as_json()
