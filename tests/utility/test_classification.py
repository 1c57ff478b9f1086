"""How well a column is predicted, in the two ways, and that nothing of what is held out leaks."""

import sys
import time
from dataclasses import replace
from threading import Timer

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusal import refused

import biombo as bb
from biombo._plan import released_of
from biombo._utility import Tables
from biombo._utility.classification import (
    FREQUENT,
    MOST,
    TREES,
    Features,
    stratified_folds,
    trained,
)


@given(st.lists(st.integers(0, 3), min_size=2, max_size=60), st.integers(2, 10), st.integers(0, 5))
def test_folds_are_of_one_size_and_so_are_their_shares_of_a_class(classes: list[int], folds: int, seed: int) -> None:
    fold = stratified_folds(np.array(classes), folds, np.random.default_rng(seed))

    for chosen in (np.ones(len(classes), bool), *(np.array(classes) == each for each in set(classes))):
        sizes = np.bincount(fold[chosen], minlength=folds)
        assert len(sizes) == folds
        assert sizes.max() - sizes.min() <= 1


def test_folds_are_drawn() -> None:
    folds = [stratified_folds(np.zeros(50, int), 5, np.random.default_rng(seed)).tolist() for seed in (1, 1, 2)]

    assert folds[0] == folds[1] != folds[2]


@given(st.integers(0, 1 << 30))
@settings(max_examples=3, deadline=None)
def test_a_forest_that_grows_step_by_step_is_the_one_that_grows_at_once(seed: int) -> None:
    from sklearn.ensemble import RandomForestClassifier

    random = np.random.default_rng(seed)
    training, known = random.normal(size=(300, 4)).astype(np.float32), random.integers(0, 3, 300)
    at_once = RandomForestClassifier(n_estimators=TREES, min_samples_leaf=5, max_features=0.5, random_state=seed)
    unseen = random.normal(size=(200, 4)).astype(np.float32)

    grown = trained("forest", training, known, seed)
    assert (grown.predict_proba(unseen) == at_once.fit(training, known).predict_proba(unseen)).all()


def test_a_forest_can_be_stopped_between_trees() -> None:
    from sklearn.ensemble import RandomForestClassifier

    random = np.random.default_rng(1)
    training, known = random.normal(size=(20_000, 30)).astype(np.float32), random.integers(0, 10, 20_000)
    watch, began = bb.Watch(), time.monotonic()
    Timer(0.2, watch.cancel).start()
    with watch, pytest.raises(bb.CancelledError):
        trained("forest", training, known, 0)
    stopped, began = time.monotonic() - began, time.monotonic()
    RandomForestClassifier(n_estimators=TREES // 2, min_samples_leaf=5, max_features=0.5).fit(training, known)

    assert stopped < time.monotonic() - began, "it was not half done"


def predicted(people: pl.DataFrame, plan: bb.Plan | None, **options: object) -> bb.Utility:
    release = people.drop("name") if plan is None else bb.apply(people, plan, keep=["cost"]).data
    return bb.utility(people, release, plan=plan, predict="dose", folds=3, seed=0, **options)  # type: ignore[arg-type]


def test_what_follows_from_another_column_is_predicted_in_all_ways(people: pl.DataFrame, plan: bb.Plan) -> None:
    found = predicted(people, plan).classification

    assert found is not None
    assert found.features == ("age", "sex", "cost")
    for way in (found.original, found.release, found.for_new_records):
        assert way.tree == pytest.approx(1, abs=0.02)
        assert way.forest == pytest.approx(1, abs=0.05)
        assert way.majority < 0.6
    assert found.original.records == found.for_new_records.records == 400


def test_what_was_generalised_away_is_predicted_no_more(people: pl.DataFrame, plan: bb.Plan) -> None:
    blunt = replace(plan, operations=(bb.Generalise("age", bb.Hierarchy.all_or_nothing(), 1),), criteria=())

    found = predicted(people, blunt).classification

    assert found is not None
    assert found.original.tree > 0.95
    assert found.release.tree < 0.65
    assert found.for_new_records.tree < 0.65


@pytest.mark.parametrize("as_text", [False, True])
@pytest.mark.parametrize("level", [1, 2])
def test_dates_and_what_a_plan_makes_of_them_have_an_order(*, as_text: bool, level: int) -> None:
    """Nearly everybody has a birthday, a month and a year that are rare: only before and after tells anything."""
    born = np.datetime64("1930-01-01") + np.random.default_rng(4).integers(0, 30_000, 500)
    table = pl.DataFrame({"born": born, "dose": np.where(born < np.datetime64("1970-01-01"), "first", "second")})
    table = table.cast({"born": pl.String}) if as_text else table
    plan = bb.Plan([bb.Generalise("born", bb.Hierarchy.by_date(["month", "year"]), level)], (), ["born"], ["dose"])

    found = bb.utility(table, bb.apply(table, plan).data, plan=plan, predict="dose", folds=3, seed=0).classification

    assert found is not None
    assert min(way.tree for way in (found.original, found.release, found.for_new_records)) > 0.98


def test_dates_that_are_written_day_first_are_categories() -> None:
    born = [f"{day:02}/06/{year}" for year in range(1940, 2000) for day in (2, 13, 24)]
    table = pl.DataFrame({"born": born, "dose": ["first" if day[-4:] < "1970" else "second" for day in born]})

    found = bb.utility(table, table, predict="dose", folds=3, seed=0).classification

    assert found is not None
    assert found.original.tree < 0.6


def test_a_release_that_dropped_the_difficult_records_does_not_look_good_for_new_ones(people: pl.DataFrame) -> None:
    """The dose of half of the people is noise, and the plan drops these."""
    random = np.random.default_rng(3)
    noisy = people.with_columns(
        dose=pl.when(pl.col("sex") == "F").then(pl.Series(random.choice(["first", "second"], 400))).otherwise("dose")
    )
    plan = bb.Plan([bb.SuppressRecords({"sex": "F"})], quasi=["age", "sex"], sensitive=["dose"], identifiers=["name"])

    found = predicted(noisy, plan).classification

    assert found is not None
    assert found.release.tree > 0.95
    assert found.for_new_records.tree < 0.85


def test_nothing_is_learned_about_people_from_their_own_record(people: pl.DataFrame) -> None:
    """Values that belong to one person each tell nothing about the others, unless a person is trained and tested on."""
    random = np.random.default_rng(5)
    table = pl.DataFrame({"key": np.arange(400).astype(str), "dose": random.choice(["a", "b"], 400)})
    schema = bb.Schema({"key": bb.ColumnSchema(role="quasi"), "dose": bb.ColumnSchema(role="sensitive")})

    found = bb.utility(table, table, plan=bb.Plan(quasi=["key"]), schema=schema, predict="dose", folds=4, seed=1)

    assert found.classification is not None
    assert found.classification.for_new_records.forest < 0.62


def test_the_training_records_alone_are_released(people: pl.DataFrame, plan: bb.Plan) -> None:
    tables = Tables.of(people, people, plan, None)
    rows = np.arange(0, 400, 2)

    released = released_of(tables.whole.original, replace(plan, identifiers=()), rows, tables.columns)

    expected = bb.apply(people[rows.tolist()], plan, keep_order=True).data
    assert released.height == expected.height < len(rows)
    assert released["age"].to_list() == expected["age"].to_list()


def test_what_is_frequent_is_learned_from_training_records_alone(people: pl.DataFrame) -> None:
    tables = Tables.of(people, people, None, None)
    training = np.flatnonzero(people["sex"].to_numpy() == "F")
    features = Features.learned(tables.whole.original, ["sex"], training, tables)

    matrix = features.matrix(tables.whole.original, np.arange(400))

    assert matrix[:, 0].tolist() == (people["sex"] == "F").cast(int).to_list()
    assert matrix.shape == (400, 1)


def test_rare_values_of_a_column_are_taken_together() -> None:
    table = pl.DataFrame({"city": [f"city {place % 90}" for place in range(200)], "x": ["a", "b"] * 100})
    tables = Tables.of(table, table, None, None)

    original, rows = tables.whole.original, np.arange(200)
    matrix = Features.learned(original, ["city"], rows, tables).matrix(original, rows)

    assert matrix.shape == (200, FREQUENT)
    assert set(matrix.sum(axis=1)) == {0, 1}


def test_the_same_seed_gives_the_same_numbers(people: pl.DataFrame, plan: bb.Plan) -> None:
    first, second = (predicted(people, plan).classification for _ in range(2))

    assert first == second


def test_without_a_plan_new_records_are_not_asked_about(people: pl.DataFrame) -> None:
    found = predicted(people, None).classification

    assert found is not None
    assert found.for_new_records.reason == "no-plan"
    assert found.for_new_records.tree is None
    assert found.release.tree > 0.95


def test_a_plan_that_releases_nothing_of_the_training_records_is_said_so(people: pl.DataFrame, plan: bb.Plan) -> None:
    strict = replace(plan, criteria=(bb.KAnonymity(160),), operations=(bb.SuppressGroups(),), quasi=("sex",))

    found = predicted(people.drop("age"), strict).classification

    assert found is not None
    assert found.for_new_records.reason == "nothing-released"


def test_of_large_tables_some_records_are_drawn_after_the_whole_was_released(
    people: pl.DataFrame, plan: bb.Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the records that are drawn alone, no group would be large enough."""
    monkeypatch.setattr(sys.modules["biombo._utility.classification.prediction"], "ROWS_AT_MOST", 90)
    strict = replace(plan, criteria=(bb.KAnonymity(100),), operations=(bb.SuppressGroups(),), quasi=("sex",))
    found = predicted(people.drop("age"), strict).classification

    assert found is not None
    assert found.sampled
    assert found.original.records == found.release.records == found.for_new_records.records == 90
    assert found.for_new_records.reason is None


def test_missing_values_of_the_target_are_a_class(people: pl.DataFrame) -> None:
    table = people.with_columns(dose=pl.when(pl.col("age") > 50).then("dose"))

    found = predicted(table, None).classification

    assert found is not None
    assert found.original.tree > 0.95


@pytest.mark.parametrize(
    ("target", "folds", "key", "mentioned"),
    [
        ("doze", 3, "column.missing-close", "dose"),
        ("name", 3, "utility.target-identifier", "name"),
        ("dose", 1, "utility.folds", "400"),
        ("dose", 500, "utility.folds", "400"),
        ("cost", 3, "utility.classes", str(MOST)),
    ],
)
def test_what_cannot_be_predicted_is_refused(
    people: pl.DataFrame, target: str, folds: int, key: str, mentioned: str
) -> None:
    schema = bb.Schema({"name": bb.ColumnSchema(role="identifier")})

    with refused(key, mentioned):
        bb.utility(people, people, schema=schema, predict=target, folds=folds)


def test_a_target_without_other_columns_is_refused(people: pl.DataFrame) -> None:
    with refused("utility.only-target", "dose"):
        bb.utility(people.select("dose"), people.select("dose"), predict="dose")


def test_without_scikit_learn_one_sentence_says_how_to_install_it(
    people: pl.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)

    with refused("utility.no-scikit-learn", "pip install 'biombo[utility]'"):
        bb.utility(people, people, predict="dose")
