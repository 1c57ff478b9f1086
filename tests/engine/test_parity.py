"""What a plan does, an attack finds and a criterion says depends on no engine."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import partial
from inspect import isabstract, isfunction, signature
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from operation_examples import EXAMPLES, PEOPLE, QUASI, SENSITIVE
from partition_engine import PartitionEngine, sent
from report_reading import read_back
from small_tables import SINGLE_CRITERIA, SmallTable, criteria_lists, small_tables

import biombo as bb
from biombo._criteria import as_json as judgement_as_json
from biombo._data import SourceTable
from biombo._engine import LOCAL, NAMES, Engine
from biombo._plan import OPERATIONS, Context, follows_a_rule, schema_in_use
from biombo._secrets import Key, Keys
from biombo._utility import as_json as utility_as_json

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
    if not further <= {*parameters}:
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


@pytest.mark.parametrize("engine", ENGINES, ids=["local", "one", "other"])
@pytest.mark.parametrize("attack", ATTACKS)
@settings(max_examples=8)
@given(table=small_tables(rows=25))
def test_every_attack_finds_in_counted_tuples_what_it_finds_in_rows(engine: Engine, attack: str, table) -> None:
    def counted_there(frame: pl.DataFrame) -> bb.Dataset:
        opened = engine.open(SourceTable.open(frame))
        if attack in NEED_ROWS:
            return opened.some(frame.columns, bb.Schema(), frame.height)
        return opened.tuples(frame.columns, bb.Schema())

    def rows_here(frame: pl.DataFrame) -> bb.Dataset:
        return bb.read(frame, columns=frame.columns)

    for there, here in zip(ways_to_ask(table, counted_there), ways_to_ask(table, rows_here), strict=True):
        assert found_by(attack, there) == found_by(attack, here)


def test_every_attack_is_asked_in_some_way() -> None:
    """None is passed over because nobody knows what it asks for."""
    table = SmallTable(({"a": ("x",), "b": ("x",)},), tuple(("ab"[n % 2], "flu", "9", "Ana") for n in range(9)))
    asked = list(ways_to_ask(table, lambda frame: bb.read(frame, columns=frame.columns)))

    for attack in ATTACKS:
        assert any(isinstance(found_by(attack, each), dict) for each in asked), attack


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


AGES = bb.Generalise("age", bb.Hierarchy.by_interval(20), 1)
STAYS = bb.Generalise("stay", bb.Hierarchy.by_interval(50), 1)
ABOUT = {"quasi": ["sex", "age"], "sensitive": ["disease"]}
RELEASES = {
    "as it is": (PUBLISHED, {}),
    "by people": (bb.Plan([AGES, bb.SuppressGroups()], [bb.KAnonymity(2)], **ABOUT, person="name"), {}),
    "histories": (
        bb.Plan([AGES, bb.Pseudonymise("name", "random")], [bb.KAnonymity(2)], **ABOUT, person="name"),
        {"refused": True},
    ),
    "perturbed": (  # by so little that it is rounded away
        bb.Plan([bb.AddNoise("age", 1e-9), bb.AddNoise("weight", 1e-9)], quasi=["sex", "age"], sensitive=["weight"]),
        {"unprotected": "a test", "accept": {"weight": "a test"}},
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


@pytest.mark.parametrize("name", sorted(RELEASES))
def test_releases_of_all_engines_say_the_same(name: str, tmp_path) -> None:
    here, *others = (told_of_release(name, engine, tmp_path / str(place)) for place, engine in enumerate(ENGINES))

    assert ("refused" in here) is ("refused" in RELEASES[name][1])
    for there in others:
        for key in here:
            assert there[key] == here[key], key


@pytest.mark.parametrize("engine", ENGINES[1:], ids=["one", "other"])
@settings(max_examples=25)
@given(table=small_tables(rows=30), chance=st.randoms(use_true_random=False))
def test_what_was_lost_is_the_same_wherever_it_is_counted(engine: Engine, table: SmallTable, chance) -> None:
    """Distances, associations and summaries of counted tuples, on a release that has little to do with its table."""
    original = table.data.decoded().drop("person").with_columns(age=pl.int_range(len(table.rows)) % 7)
    shuffled = [chance.randrange(original.height) for _ in range(chance.randrange(1, original.height + 1))]
    released = original[shuffled].with_columns(original["income"].gather(sorted(shuffled)))
    plan = bb.Plan([bb.Generalise("age", bb.Hierarchy.by_interval(3), 1)], quasi=table.quasi)
    for known in ({"plan": plan}, {}):
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


@pytest.mark.parametrize("engine", ENGINES[1:], ids=["one", "other"])
@pytest.mark.parametrize("person", [None, "name"])
def test_a_preview_shows_the_same_wherever_it_is_made(engine: Engine, person: str | None) -> None:
    plan = bb.Plan([AGES, bb.SuppressGroups()], [bb.KAnonymity(8 if person is None else 5)], **ABOUT, person=person)
    here, there = (bb.preview(TABLE, plan, ROWS, engine=each) for each in (LOCAL, engine))
    rows = [Counter(zip(each.before.rows(), each.after.rows(), strict=True)) for each in (here, there)]

    assert rows[0] == rows[1]
    assert (there.groups_before, there.groups_after) == (here.groups_before, here.groups_after)
    assert sum(there.dropped) == sum(here.dropped) > 0


@pytest.mark.parametrize("engine", ENGINES, ids=["local", "one", "other"])
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


def test_keyed_pseudonyms_are_the_same_on_all_engines(tmp_path) -> None:
    key = tmp_path / "key"
    named = bb.new_key(key)
    plan = bb.Plan([bb.Pseudonymise("name", "keyed", key=named, dataset="people")], sensitive=["disease"])
    found = [Counter(bb.apply(TABLE, plan, key=key, engine=engine).data.rows()) for engine in ENGINES]

    assert found[0] == found[1] == found[2]


def test_predictions_are_the_same_on_all_engines(tmp_path) -> None:
    pytest.importorskip("sklearn")
    pages = []
    for place, engine in enumerate(ENGINES[:2]):
        release = bb.publish(TABLE, PUBLISHED, tmp_path / str(place) / "release", predict="disease", engine=engine)
        pages.append(_text(release.out / "report.html"))

    assert pages[0] == pages[1]
    assert "predict" in pages[0]


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_whatever_is_sent_to_workers_can_be_sent(name: str) -> None:
    """An operation, and the context with its keys, which are in memory only."""
    operation, key = example(name), Key.new()
    context = Context(keys=Keys([key]))

    assert sent(operation) == operation
    assert sent(context).keys[key.id] == key


@pytest.mark.parametrize("engine", ENGINES[1:], ids=["one", "other"])
@pytest.mark.parametrize("person", [None, "name"])
def test_what_is_asked_for_is_the_same_wherever_rows_are_counted(engine: Engine, person: str | None, tmp_path) -> None:
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
    )

    for request in requests:
        here, there = (plain(request.run(TABLE, engine=each).as_json()) for each in (None, engine))
        for shown in ("before", "after"):  # the first records, in an order of the engine
            here.pop(shown, None), there.pop(shown, None)
        assert there == here


def _saved(plan: bb.Plan, folder: Path) -> str:
    plan.save(folder / "plan.yaml")
    return str(folder / "plan.yaml")
