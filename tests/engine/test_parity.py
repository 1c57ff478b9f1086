"""What a plan does, an attack finds and a criterion says depends on no engine."""

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache, partial
from inspect import isabstract, isfunction, signature
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from goodness_of_fit import assert_follows
from hypothesis import given, settings
from operation_examples import EXAMPLES, PEOPLE, QUASI, SENSITIVE
from partition_engine import PartitionEngine, sent
from report_reading import read_back
from small_tables import SINGLE_CRITERIA, SmallTable, criteria_lists, small_tables, telling_tables
from spark_engine import needs_spark, spark_engine

import biombo as bb
from biombo._criteria import as_json as judgement_as_json
from biombo._data import SourceTable
from biombo._engine import LOCAL, NAMES, Engine
from biombo._plan import OPERATIONS, Context, follows_a_rule, schema_in_use
from biombo._secrets import Key, Keys
from biombo._utility import as_json as utility_as_json

pytestmark = pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")

PARTITIONS = [PartitionEngine(1), PartitionEngine(2)]
SPARK = spark_engine()
"""Each of its jobs takes a good part of a second: where others are asked many examples, it is asked a telling one."""
ON_SPARK = pytest.param(SPARK, id="spark", marks=needs_spark)

_QUICK = [pytest.param(engine, id=name) for engine, name in zip(PARTITIONS, ("one", "other"), strict=True)]
each_quick_engine = pytest.mark.parametrize("engine", [pytest.param(LOCAL, id="local"), *_QUICK])
each_engine = pytest.mark.parametrize("engine", [pytest.param(LOCAL, id="local"), *_QUICK, ON_SPARK])
each_quick_one_elsewhere = pytest.mark.parametrize("engine", _QUICK)
each_one_elsewhere = pytest.mark.parametrize("engine", [*_QUICK, ON_SPARK])
elsewhere = pytest.mark.parametrize(
    "engines", [pytest.param(PARTITIONS, id="partitions"), pytest.param([SPARK], id="spark", marks=needs_spark)]
)
on_spark = pytest.mark.parametrize("engine", [ON_SPARK])


def cases(names: str, quick: Iterable[tuple], spark: Iterable[tuple]) -> pytest.MarkDecorator:
    """What partitions are asked, and the few of it that Spark is."""
    few = [pytest.param([SPARK], *case, id=f"spark-{'-'.join(map(str, case))}", marks=needs_spark) for case in spark]
    many = [pytest.param(PARTITIONS, *case, id="-".join(map(str, case))) for case in quick]
    return pytest.mark.parametrize(("engines", *names.split()), [*many, *few])


each_telling_table = pytest.mark.parametrize("table", telling_tables())

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
    last = [operation, *before] if isinstance(operation, bb.SelectRecords) else [*before, operation]
    orders = [*([operation, *after] for after in others), last]
    if any(isinstance(operation, bb.DropDuplicates) for _ in orders):
        orders = [*orders[:3], orders[-1]]
    return [bb.Plan(operations, CRITERIA, QUASI, about, person=person) for operations in orders]


ON_RECORDS = sorted({*OPERATIONS} - {"aggregate"})  # which makes no records, see below


@cases(
    "name person",
    [(name, person) for name in ON_RECORDS for person in (None, "name")],
    [
        (name, person)
        for name in ON_RECORDS
        for person in (None, "name")
        if person is None or OPERATIONS[name].scope == "two-pass"
    ],
)
def test_every_operation_does_the_same_on_both(name: str, person: str | None, engines: list[Engine]) -> None:
    """A new operation has an example, or fails here."""
    plans = plans_with(example(name), None if name == "pseudonymise" else person)
    if SPARK in engines:
        plans = plans[1:2] if person is None else plans[-1:]
    for plan in plans:
        here, *others = (_applied(plan, engine) for engine in (LOCAL, *engines))
        drawn = any(operation.draws for operation in plan.operations)
        for there in others:
            if drawn and not follows_a_rule(plan, schema_in_use(plan, bb.Schema()), QUASI):
                _assert_alike(here, there)
            elif isinstance(here, str) or isinstance(there, str):
                assert here == there
            else:
                assert told(here, of_records=not drawn) == told(there, of_records=not drawn)


@cases("person", [(None,), ("name",)], [("name",)])
def test_so_does_the_one_that_makes_a_table_of_counts(person: str | None, engines: list[Engine]) -> None:
    """Alone, and after others."""
    befores = ([], [bb.SuppressGroups()], [bb.MaskGroups()], [bb.SuppressRecords({"zip": "02139"})])
    asked = bb.Aggregate(["sex", "zip"], sum=["weight"])
    for before in befores[1:2] if SPARK in engines else befores:
        plan = bb.Plan([*before, asked], [bb.KAnonymity(3)], QUASI, SENSITIVE, person=person)
        here, *others = (bb.aggregate(TABLE, plan, engine=engine).to_frame() for engine in (LOCAL, *engines))

        assert here["records"].max() > 3
        assert all(there.equals(here) for there in others)


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


@each_engine
class TestWhatIsDrawn:
    """What is left to chance keeps its promises on every engine."""

    def test_a_sample_has_its_size_and_every_record_the_same_chance(self, engine) -> None:
        records, times = (200, 1) if engine is SPARK else (5, 200)
        table = pl.DataFrame({"x": range(records)})
        plan = bb.Plan([bb.Sample(records=2 * records // 5)], sensitive=["x"])
        samples = [bb.apply(table, plan, engine=engine).data["x"].to_list() for _ in range(times)]
        fifths = Counter(x * 5 // records for sample in samples for x in sample)

        assert all(len(set(sample)) == 2 * records // 5 for sample in samples)
        assert len(fifths) == 5
        expected = fifths.total() / 5
        # χ², 4 degrees: once in 20,000 runs
        assert sum((count - expected) ** 2 / expected for count in fifths.values()) < 25

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
        plan = bb.Plan([bb.AddNoise("age", 3), bb.SuppressGroups()], [bb.LDiversity(3)], ["age"], ["born"])
        after = bb.apply(TABLE, plan, engine=engine)

        assert after.data.group_by("age").agg(pl.col("born").n_unique())["born"].min() >= 3
        assert after.outcome.total["suppressed"] == after.suppressed == ROWS - after.rows

    def test_noise_is_another_for_each_record_and_as_large_as_said(self, engine) -> None:
        """Workers that are copies of one process would draw the same."""
        records = 200
        table = pl.DataFrame({"key": range(records), "x": [0.0] * records})
        plan = bb.Plan([bb.AddNoise("x", 3, "normal", decimals=9)], sensitive=["x", "key"])
        noise = bb.apply(table, plan, engine=engine).data.sort("key")["x"].to_numpy()

        assert len(set(noise)) == records
        assert abs(noise.mean()) < 5 * 3 / records**0.5
        assert noise.std() == pytest.approx(3, rel=0.25)  # five times what it varies by
        assert abs(np.corrcoef(noise[:-1], noise[1:])[0, 1]) < 5 / records**0.5

    def test_answers_are_true_as_often_as_they_promise(self, engine) -> None:
        table = pl.DataFrame({"x": ["yes"] * 200})
        asked = bb.RandomisedResponse("x", np.log(3), domain=["yes", "no"])
        given = bb.apply(table, bb.Plan([asked], sensitive=["x"]), engine=engine).data["x"]

        assert_follows(given, {"yes": 0.75, "no": 0.25})

    def test_noise_on_groups_is_drawn_for_those_that_fail_and_for_nobody_else(self, engine) -> None:
        """Two hundred are alone in their town, and as many share one."""
        towns = [f"{n}" for n in range(200)] + ["big"] * 200
        ill = ["no"] * 200 + ["no", "yes"] * 100
        table = pl.DataFrame({"key": range(400), "town": towns, "x": ["yes"] * 400, "ill": ill})
        small = bb.NoiseSmallGroups(2, [bb.RandomisedResponse("x", np.log(3), domain=["yes", "no"])])
        alike = bb.NoiseUniformGroups(2, bb.RandomisedResponse("ill", np.log(3), domain=["yes", "no"]))
        plan = bb.Plan([small, alike], quasi=["town", "x"], sensitive=["ill", "key"])
        applied = bb.apply(table, plan, engine=engine)
        after = applied.data.with_columns(pl.col("key").cast(pl.Int64)).sort("key")

        assert [each.count.records for each in applied.noised] == [200, 200]
        assert_follows(after["x"][:200], {"yes": 0.75, "no": 0.25})
        assert_follows(after["ill"][:200], {"no": 0.75, "yes": 0.25})
        assert after.select("x", "ill")[200:].equals(table.select("x", "ill")[200:])

    def test_records_come_out_in_any_order(self, engine) -> None:
        records = 200
        table = pl.DataFrame({"x": range(records)})
        plan = bb.Plan([], sensitive=["x"])
        kept, mixed = (
            bb.apply(table, plan, engine=engine, keep_order=keep).data["x"].to_numpy() for keep in (True, False)
        )

        assert list(kept) == sorted(mixed) == list(range(records))
        assert abs(np.corrcoef(kept, mixed)[0, 1]) < 5 / records**0.5
        assert abs(np.corrcoef(mixed[:-1], mixed[1:])[0, 1]) < 5 / records**0.5


@each_quick_engine
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
    other = list(rows)
    order.shuffle(other)
    results = _results([rows, other], [*operations, group], engine)

    assert results[0] == results[1]


@on_spark
@pytest.mark.parametrize("group", [bb.MaskGroups(if_failing="drop"), bb.SuppressGroups()], ids=["mask", "suppress"])
def test_nor_does_it_matter_in_which_part_a_row_is(engine: Engine, group) -> None:
    """What is text that may be empty in one part is a number, or nothing at all, in another."""
    chance = random.Random(5)
    rows = [tuple(chance.choice(["a", "b", "", None]) for _ in range(3)) for _ in range(60)]
    other = chance.sample(rows, len(rows))
    operations = [bb.DropDuplicates(), bb.DropInvalid({"y": ["b"]}), group]
    results = _results([rows, other], operations, engine)

    assert results[0] == results[1] == _results([rows], operations, LOCAL)[0]


def _results(tables: list[list[tuple]], operations: list[bb.Operation], engine: Engine) -> list[Any]:
    plan = bb.Plan(operations, [bb.KAnonymity(3)], ["x", "y"], ["z"])
    results = []
    for each in tables:
        table = pl.DataFrame(each, {"x": pl.String, "y": pl.String, "z": pl.String}, orient="row")
        try:
            results.append(told(bb.apply(table, plan, engine=engine), of_records=True))
        except bb.BiomboError as error:
            results.append(error.key)
    return results


def kinds_of(base: type) -> set[type]:
    """All that can be made of a kind of thing."""
    below = {kind for each in base.__subclasses__() for kind in kinds_of(each)}
    return below if isabstract(base) else below | {base}


def test_every_criterion_is_among_those_that_are_judged() -> None:
    """Absence is always about a table of the population, which plans that are carried out elsewhere refuse."""
    ours = {kind for kind in kinds_of(bb.Criterion) if kind.__module__.startswith("biombo.")}
    assert ours == {bb.Absence, *(type(criterion) for criterion in SINGLE_CRITERIA)}


def counted(table: SmallTable, engine: Engine) -> bb.Dataset:
    """The table as an engine counts it."""
    data = table.data
    source = SourceTable.open(data.decoded())
    return engine.open(source).tuples(list(data.columns), data.schema)


@each_quick_engine
@settings(max_examples=25)
@given(table=small_tables(rows=30), criteria=criteria_lists)
def test_criteria_say_of_counted_tuples_what_they_say_of_rows(engine: Engine, table: SmallTable, criteria) -> None:
    asked = {"quasi": table.quasi, "sensitive": "disease"}

    assert verdicts(counted(table, engine), criteria, asked) == verdicts(table.data, criteria, asked)


@on_spark
@each_telling_table
def test_every_criterion_says_of_tuples_that_were_counted_far_away_what_it_says_of_rows(engine, table) -> None:
    asked, there = {"quasi": table.quasi, "sensitive": "disease"}, counted(table, engine)

    for criterion in SINGLE_CRITERIA:
        assert verdicts(there, [criterion], asked) == verdicts(table.data, [criterion], asked)


def verdicts(data: bb.Dataset, criteria: Sequence[bb.Criterion], asked: dict[str, Any]) -> Any:
    return _rounded(judgement_as_json(bb.judge(data, criteria, **asked)))


def _or_refusal(attack: Callable[[Any], Any], data: Any) -> Any:
    try:
        return attack(data)
    except bb.BiomboError as error:
        return error.key


def _rounded(found: Any) -> Any:
    """Numbers to nine decimals: sums depend on the order of what is added."""
    return json.loads(json.dumps(found), parse_float=lambda text: round(float(text), 9))


ATTACKS = sorted(
    name
    for name in bb.__all__
    if isfunction(getattr(bb, name)) and getattr(bb, name).__module__.startswith("biombo._attack.")
)
"""All that there are: a new one is run by the names of what it asks for."""
NEED_ROWS = {"individual_attack"}
"""What lists single records."""


def in_two_tables(table: SmallTable, data: Callable[[pl.DataFrame], bb.Dataset]) -> tuple[bb.Dataset, bb.Dataset]:
    """The table, and what is true of the same people: some of them have been given the values of others."""
    truth = table.data.decoded()
    released = truth.with_columns(truth["q0"].reverse(), truth["disease"].shift(1, fill_value="flu"))
    whole = data(released.hstack(truth.rename(lambda name: f"true {name}")))
    return tuple(
        replace(whole, columns={name: replace(whole[prefix + name], name=name) for name in truth.columns})
        for prefix in ("", "true ")
    )


def ways_to_ask(table: SmallTable, count: Callable[[pl.DataFrame], bb.Dataset]) -> Iterator[dict[str, Any]]:
    """What an attack may ask for, by name. Each way is tried on every attack that knows all of its further options."""
    frame = table.data.decoded().with_columns(weight=pl.int_range(1, len(table.rows) + 1) % 3 + 1)
    data = replace(count(frame), schema=table.data.schema)
    asked = {
        "data": data,
        "sample": data,
        "population": data,
        "known": {"q0": frame["q0"][0]},
        "columns": table.quasi,
        "quasi": table.quasi,
        "sensitive": "disease",
    }
    released, truth = in_two_tables(table, count)
    yield asked
    yield asked | {"by": ["income"]}
    yield asked | {"max_size": 1}
    yield asked | {"fraction": 0.2}
    yield asked | {"weight": "weight"}
    yield asked | {"repeated": "count-once"}
    yield asked | {"data": released, "truth": truth}


def found_by(attack: str, asked: dict[str, Any]) -> Any:
    function = getattr(bb, attack)
    parameters = signature(function).parameters
    further = {"by", "max_size", "fraction", "weight", "repeated", "truth"} & {*asked}
    if "found" in parameters:  # it goes on from another attack
        return _or_refusal(lambda given: plain(function(bb.membership(*given), **_of(asked, parameters))), _both(asked))
    needed = {name for name, each in parameters.items() if each.default is each.empty}
    if not further <= {*parameters} or not needed <= {*asked}:
        return None
    return _or_refusal(lambda given: plain(function(**given)), _of(asked, parameters))


def _both(asked: dict[str, Any]) -> tuple[Any, ...]:
    return asked["sample"], asked["population"], asked["quasi"]


def _of(asked: dict[str, Any], parameters: Iterable[str]) -> dict[str, Any]:
    return {name: value for name, value in asked.items() if name in parameters}


def plain(found: Any) -> Any:
    """What was found, as plain values in an order of their own; tables and arrays that it was found in are left out."""
    if isinstance(found, pl.DataFrame):
        return sorted(map(repr, map(plain, found.to_dicts())))
    if isinstance(found, float):
        return round(found, 9)
    if isinstance(found, Mapping):
        return {str(key): plain(value) for key, value in found.items()}
    if isinstance(found, list | tuple):
        return [plain(each) for each in found]
    if is_dataclass(found) and not isinstance(found, bb.Dataset):
        public = [each.name for each in fields(found) if each.name not in ("evidence", "tables", "own")]
        return {name: plain(getattr(found, name)) for name in public if not _holds_rows(getattr(found, name))}
    return found if isinstance(found, str | int | bool | None) else repr(type(found))


def _holds_rows(value: Any) -> bool:
    return isinstance(value, np.ndarray | bb.Dataset | Callable)


def read_there(engine: Engine, rows: bool, frame: pl.DataFrame) -> bb.Dataset:
    """A table as an engine gives it: counted, or row by row."""
    opened = engine.open(SourceTable.open(frame))
    schema = bb.Schema()
    return opened.some(frame.columns, schema, frame.height) if rows else opened.tuples(frame.columns, schema)


def rows_here(frame: pl.DataFrame) -> bb.Dataset:
    return bb.read(frame, columns=frame.columns)


@each_quick_engine
@pytest.mark.parametrize("attack", ATTACKS)
@settings(max_examples=8)
@given(table=small_tables(rows=25))
def test_every_attack_finds_in_counted_tuples_what_it_finds_in_rows(engine: Engine, attack: str, table) -> None:
    reading = partial(read_there, engine, attack in NEED_ROWS)
    for there, here in zip(ways_to_ask(table, reading), ways_to_ask(table, rows_here), strict=True):
        assert found_by(attack, there) == found_by(attack, here)


@cache
def asked_of_spark(table: int, rows: bool) -> list[dict[str, Any]]:
    """What attacks ask for, read once for all of them."""
    return list(ways_to_ask(telling_tables()[table], partial(read_there, SPARK, rows)))


@pytest.mark.parametrize("engine", [ON_SPARK])
@pytest.mark.parametrize("attack", ATTACKS)
def test_every_attack_finds_the_same_in_tuples_that_were_counted_far_away(engine: Engine, attack: str) -> None:
    for number, table in enumerate(telling_tables()):
        there = asked_of_spark(number, attack in NEED_ROWS)
        for asked, here in zip(there, ways_to_ask(table, rows_here), strict=True):
            assert found_by(attack, asked) == found_by(attack, here)


def test_every_attack_is_asked_in_some_way() -> None:
    """None is passed over because nobody knows what it asks for."""
    table = SmallTable(({"a": ("x",), "b": ("x",)},), tuple(("ab"[n % 2], "flu", "9", "Ana") for n in range(9)))
    asked = list(ways_to_ask(table, lambda frame: bb.read(frame, columns=frame.columns)))

    for attack in ATTACKS:
        assert any(isinstance(found_by(attack, each), dict) for each in asked), attack


@each_quick_engine
@settings(max_examples=10)
@given(table=small_tables(rows=30), criteria=criteria_lists)
def test_a_search_finds_in_counted_tuples_what_it_finds_in_rows(engine: Engine, table: SmallTable, criteria) -> None:
    assert plans_for(table, counted(table, engine), criteria) == plans_for(table, table.data, criteria)


@on_spark
@each_telling_table
def test_a_search_finds_the_same_in_tuples_that_were_counted_far_away(engine: Engine, table: SmallTable) -> None:
    there = counted(table, engine)
    here, found = ([plans_for(table, data, [each]) for each in SINGLE_CRITERIA] for data in (table.data, there))

    assert found == here
    assert sum(map(len, found)) > len(SINGLE_CRITERIA)


def plans_for(table: SmallTable, data: bb.Dataset, criteria: Sequence[bb.Criterion]) -> list[str]:
    return [found.plan.hash for found in bb.search(data, criteria, max_suppression=0.3, **table.options)]


PUBLISHED = bb.Plan(
    [bb.Generalise("age", bb.Hierarchy.by_interval(20), 1), bb.MaskGroups()],
    [bb.KAnonymity(3)],
    quasi=["sex", "age"],
    sensitive=["disease"],
    identifiers=["name"],
)


TOWNS = ["02138", "02141", "02142"]
FIRST: dict[str, list[bb.Operation]] = {
    "nothing": [],
    "sample": [bb.Sample(share=0.9)],
    "selection": [bb.SelectRecords({"zip": TOWNS, "born": {"at-least": "1934-01-01"}})],
}
FIRST["sample of a selection"] = [*FIRST["selection"], *FIRST["sample"]]


@cases("first", [(name,) for name in FIRST], [("sample of a selection",)])
def test_a_release_is_published_verified_traced_and_measured(first: str, engines: list[Engine], tmp_path) -> None:
    for place, engine in enumerate([LOCAL, *engines] if engines == PARTITIONS else engines):
        _publish_and_trace(FIRST[first], engine, tmp_path / str(place))


def _publish_and_trace(operations: list[bb.Operation], engine: Engine, tmp_path: Path) -> None:
    tmp_path.mkdir()
    source = tmp_path / "people.csv"
    TABLE.with_columns(name=pl.Series([f"P{n}" for n in range(ROWS)])).write_csv(source)
    plan = bb.Plan(
        [*operations, *PUBLISHED.operations], PUBLISHED.criteria, ["sex", "age"], ["disease"], identifiers=["name"]
    )
    release = bb.publish(source, plan, tmp_path / "release", engine=engine)
    found = bb.utility(source, release.data, plan=release.plan, outcome=release.private / "outcome.parquet")
    there = TABLE.filter(pl.col("zip").is_in(TOWNS), pl.col("born") >= "1934-01-01") if plan.selections else TABLE

    assert bb.verify(release.out).holds
    assert found.measures.completeness == pytest.approx(
        release.applied.rows / (there.height - release.applied.not_drawn)
    )
    cells = pl.read_parquet(release.private / "cells.parquet")
    assert (cells["records"].sum(), cells.filter("released")["records"].sum()) == (there.height, release.applied.rows)
    some = release.data.head(5)
    origins = bb.trace(release.out, some["trace_id"], reason="a test")
    for row in some.iter_rows(named=True):
        found_at = origins[row["trace_id"]]
        record = TABLE.row(found_at.number - 1, named=True)
        assert found_at.checked
        assert record["disease"] == row["disease"]
        assert row["sex"] in ("*", record["sex"])
        assert record in there.to_dicts()


AGES = bb.Generalise("age", bb.Hierarchy.by_interval(20), 1)
BANDS = AGES.hierarchy.domain(1, bounds=(0, 119))
STAYS = bb.Generalise("stay", bb.Hierarchy.by_interval(50), 1)
ABOUT = {"quasi": ["sex", "age"], "sensitive": ["disease"]}
WAIVER = bb.Waiver(
    bb.LDiversity(9, column="disease"),
    reason="a test",
    accepted_by="the test",
    values={"": "low"} | dict.fromkeys(PEOPLE["disease"].drop_nulls(), "high"),
)
RELEASES = {
    "as it is": (PUBLISHED, {}),
    "by people": (bb.Plan([AGES, bb.SuppressGroups()], [bb.KAnonymity(2)], **ABOUT, person="name"), {}),
    "selected": (
        bb.Plan([bb.SelectRecords({"zip": TOWNS}), AGES, bb.MaskGroups()], [bb.KAnonymity(2)], **ABOUT),
        {"format": "parquet"},
    ),
    "predicted": (
        bb.Plan(
            [
                bb.SelectRecords({"zip": TOWNS}),
                AGES,
                bb.DeriveDuration("admitted", "left", "stay"),
                STAYS,
                bb.MaskGroups(),
            ],
            [bb.KAnonymity(2)],
            **ABOUT,
        ),
        {"predict": "disease", "other": ["weight"], "accept": {"weight": "a test"}, "format": "parquet"},
    ),
    "histories": (
        bb.Plan([AGES, bb.Pseudonymise("name", "random")], [bb.KAnonymity(2)], **ABOUT, person="name"),
        {"refused": True},
    ),
    "perturbed": (  # by so little that it is rounded away
        bb.Plan([bb.AddNoise("age", 1e-9), bb.AddNoise("weight", 1e-9)], quasi=["sex", "age"], sensitive=["weight"]),
        {"unprotected": "a test", "accept": {"weight": "a test"}},
    ),
    "noise on groups": (  # by so little that another value is drawn once in e^100 times
        bb.Plan([AGES, bb.NoiseSmallGroups(15, [bb.RandomisedResponse("age", 100, BANDS)])], **ABOUT),
        {"model": bb.PublicRelease(harm="low", own_threshold=1)},
    ),
    "derived": (
        bb.Plan(
            [bb.DeriveDuration("admitted", "left", "stay"), STAYS, bb.MaskGroups()],
            [bb.KAnonymity(2)],
            quasi=["sex"],
            sensitive=["disease"],
        ),
        {"other": ["weight"], "accept": dict.fromkeys(["weight", "disease"], "a test"), "format": "parquet"},
    ),
    "waived": (
        bb.Plan([AGES, bb.SuppressGroups()], [bb.KAnonymity(2)], **ABOUT, person="name", waived=[WAIVER]),
        {},
    ),
}


def told_of_release(name: str, engine: Engine, folder: Path) -> dict[str, Any]:
    """All that a release says, in public and in private, where nothing of it is drawn."""
    plan, options = RELEASES[name]
    options = {key: value for key, value in options.items() if key != "refused"}
    try:
        release = bb.publish(TABLE, plan, folder / "release", engine=engine, **options)
    except bb.RefusedError as error:
        return {"refused": str(error)}
    plan_at, outcome = release.private / "plan.yaml", release.private / "outcome.parquet"
    lost = [
        bb.utility(TABLE, release.out / release.manifest.data, plan=plan_at, outcome=given, engine=engine)
        for given in (outcome, None)
    ]
    return {
        "records": Counter(map(str, release.data.drop("trace_id").rows())),
        "claims": [each.to_tree() for each in release.manifest.claims if each.name != "plan"],
        "dictionary": (release.out / "dictionary.csv").read_text(),
        "measured": release.measured.as_json(),
        "applied": {key: value for key, value in release.applied.as_json().items() if key != "out"},
        "pages": [_text(folder / "report.html") for folder in (release.out, release.private)],
        "lost": [_rounded(utility_as_json(replace(each, release=""))) for each in lost],
        "verified": [(each.claim, each.holds) for each in bb.verify(release.out, engine=engine).checks],
    }


def _text(page: Path) -> str:
    """What a page says, without charts, times and names that are new each time."""
    words = read_back(page.read_text()).text
    return re.sub(r"[0-9a-f]{16,}|key-\w+|\d{4}-\d\d-\d\d[^ ]*|\d\d?:\d\d", "…", words)


@cases("name", [(name,) for name in sorted(RELEASES)], [("by people",), ("histories",), ("predicted",)])
def test_releases_of_all_engines_say_the_same(name: str, engines: list[Engine], tmp_path) -> None:
    if "predict" in RELEASES[name][1]:
        pytest.importorskip("sklearn")
    places = enumerate([LOCAL, *engines])
    here, *others = (told_of_release(name, engine, tmp_path / str(place)) for place, engine in places)

    assert ("refused" in here) is ("refused" in RELEASES[name][1])
    assert "predict" not in RELEASES[name][1] or "predict" in here["pages"][0]
    for there in others:
        for key in here:
            assert there[key] == here[key], key


@each_quick_one_elsewhere
@settings(max_examples=25)
@given(table=small_tables(rows=30), chance=st.randoms(use_true_random=False))
def test_what_was_lost_is_the_same_wherever_it_is_counted(engine: Engine, table: SmallTable, chance) -> None:
    assert_same_loss(engine, table, chance)


@on_spark
def test_what_was_lost_is_the_same_where_it_is_counted_far_away(engine: Engine) -> None:
    assert_same_loss(engine, telling_tables()[0], random.Random(2))


def assert_same_loss(engine: Engine, table: SmallTable, chance: random.Random) -> None:
    """Distances, associations and summaries of counted tuples, on a release that has little to do with its table."""
    original = table.data.decoded().drop("person").with_columns(age=pl.int_range(len(table.rows)) % 7)
    shuffled = [chance.randrange(original.height) for _ in range(chance.randrange(1, original.height + 1))]
    released = original[shuffled].with_columns(original["income"].gather(sorted(shuffled)))
    plan = bb.Plan([bb.Generalise("age", bb.Hierarchy.by_interval(3), 1)], quasi=table.quasi)
    for known in ({"plan": plan}, {})[: 1 if engine is SPARK else 2]:
        here, there = (_or_refusal(partial(_lost, original, released, known), each) for each in (LOCAL, engine))
        assert _nearly(there, here)


def _lost(original: pl.DataFrame, released: pl.DataFrame, known: dict[str, Any], engine: Engine) -> dict[str, Any]:
    return utility_as_json(bb.utility(original, released, **known, engine=engine))


def _nearly(there: Any, here: Any) -> bool:
    """Are both the same, up to what sums in another order may differ by?"""
    if isinstance(here, float) and isinstance(there, float):
        return there == pytest.approx(here, abs=1e-6)
    if isinstance(here, dict):
        return here.keys() == there.keys() and all(_nearly(there[key], here[key]) for key in here)
    if isinstance(here, list):
        return len(here) == len(there) and all(map(_nearly, there, here))
    return bool(there == here)


@each_one_elsewhere
@pytest.mark.parametrize("person", [None, "name"])
def test_a_preview_shows_the_same_wherever_it_is_made(engine: Engine, person: str | None) -> None:
    plan = bb.Plan([AGES, bb.SuppressGroups()], [bb.KAnonymity(8 if person is None else 5)], **ABOUT, person=person)
    here, there = (bb.preview(TABLE, plan, ROWS, engine=each) for each in (LOCAL, engine))
    rows = [Counter(zip(each.before.rows(), each.after.rows(), strict=True)) for each in (here, there)]

    assert rows[0] == rows[1]
    assert (there.groups_before, there.groups_after) == (here.groups_before, here.groups_after)
    assert sum(there.dropped) == sum(here.dropped) > 0


@each_engine
@pytest.mark.parametrize("kind", ["keyed", "random"])
def test_pseudonyms_are_undone_by_the_table_of_all_parts(engine: Engine, kind: str, tmp_path) -> None:
    key = tmp_path / "key"
    named = bb.new_key(key)
    dataset = {"dataset": "people"} if kind == "keyed" else {}
    plan = bb.Plan([bb.Pseudonymise("name", kind, key=named, reversible_=True, **dataset)], sensitive=["born"])
    table = TABLE.with_columns(born="name")
    bb.apply(table, plan, tmp_path / "out.csv", key=key, private=tmp_path / "private", engine=engine)
    released = pl.read_csv(tmp_path / "out.csv", infer_schema=False)
    asked = {"plan": plan, "key": key, "private": tmp_path / "private", "who": "a test", "reason": "a test"}
    behind = bb.reveal(released["name"].unique(), "name", **asked)

    assert Counter(released["born"]) == Counter(TABLE["name"])
    assert {behind[row["name"]] == row["born"] for row in released.iter_rows(named=True)} == {True}


@elsewhere
def test_keyed_pseudonyms_are_the_same_on_all_engines(engines: list[Engine], tmp_path) -> None:
    key = tmp_path / "key"
    named = bb.new_key(key)
    plan = bb.Plan([bb.Pseudonymise("name", "keyed", key=named, dataset="people")], sensitive=["disease"])
    here, *others = (Counter(bb.apply(TABLE, plan, key=key, engine=engine).data.rows()) for engine in (LOCAL, *engines))

    for there in others:
        assert there == here


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_whatever_is_sent_to_workers_can_be_sent(name: str) -> None:
    """An operation, and the context with its keys, which are in memory only."""
    operation, key = example(name), Key.new()
    context = Context(keys=Keys([key]))

    assert sent(operation) == operation
    assert sent(context).keys[key.id] == key


@cases("person", [(None,), ("name",)], [("name",)])
def test_what_is_asked_for_is_the_same_wherever_rows_are_counted(person, engines: list[Engine], tmp_path) -> None:
    schema = tmp_path / "schema.yaml"
    schema.write_text(f"person: {person}\n" if person else "{}\n")
    columns = {"quasi": ["sex", "age"], "sensitive": ["disease"], "schema": str(schema)}
    population = tmp_path / "population.csv"
    TABLE.write_csv(population)
    plan = _saved(bb.Plan([AGES], [bb.KAnonymity(2)], **ABOUT), tmp_path)
    requests = (
        bb.RiskRequest(**columns),
        bb.RiskRequest(**columns, population=str(population), repeated="count-once"),
        bb.RiskRequest(**columns, by=["zip"]),
        bb.SearchRequest(**columns, k=2, max_suppression=0.5, explain=True),
        bb.ApplyRequest(plan=plan, schema=str(schema), preview=True),
        bb.TabulateRequest(by={"sex": [0], "zip": [0]}, sum=("weight",), person=person, k=4),
    )

    for request in requests:
        here, *others = (plain(request.run(TABLE, engine=each).as_json()) for each in (None, *engines))
        for found in (here, *others):
            for shown in ("before", "after"):  # the first records, in an order of the engine
                found.pop(shown, None)
        for there in others:
            assert there == here


@each_one_elsewhere
def test_synthetic_records_are_of_the_columns_and_values_that_are_read_elsewhere(engine: Engine) -> None:
    """They are drawn, so that only what they are drawn from can be the same."""
    table = TABLE.select("sex", "zip", "disease")
    made = bb.synthesise(table, columns=table.columns, engine=engine).data

    assert (made.columns, made.height) == (table.columns, table.height)
    assert all(set(made[name]) <= set(table[name]) for name in table.columns)


def _saved(plan: bb.Plan, folder: Path) -> str:
    plan.save(folder / "plan.yaml")
    return str(folder / "plan.yaml")
