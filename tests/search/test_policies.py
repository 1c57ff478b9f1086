"""What plans can be preferred by: worked examples, purposes, and what is refused."""

from math import log2
from pathlib import Path

import polars as pl
import pytest
from nearby_tuples import NearbyTuples
from refusal import refused

import biombo as bb
from biombo._i18n import speaking
from biombo._search import POLICIES, Policy

# Four people; k = 2 at level 1 suppresses the last, of whose age there might be 31 and 32.
PEOPLE = pl.DataFrame({"age": ["21", "22", "23", "31"], "disease": ["flu", "flu", "asthma", "asthma"]})
AGES = bb.Hierarchy.by_hand({"*": {"twenties": ["21", "22", "23"], "thirties": ["31", "32"]}})
ASKED = {"quasi": ["age"], "hierarchies": {"age": AGES}, "max_suppression": 0.25, "loss_domain": "hierarchy"}

TOLD_BY_DECADE = 1 - 3 / 4 * -(1 / 3 * log2(1 / 3) + 2 / 3 * log2(2 / 3))
"""Of the one bit that an age tells about the disease: in the thirties it is sure, in the twenties 2 to 1."""

SCORES = {
    "arithmetic-loss": (3 * 3 / 5 + 1 - 4 / 5) / (4 - 4 / 5),
    "maximum-loss": (3 * 3 / 5 + 1 - 4 / 5) / (4 - 4 / 5),
    # Suppression counts half of what it loses beyond the decade, which is 2 of 5.
    "arithmetic-loss:0.25": (3 * 3 / 5 + (2 / 5 + 1 / 2 * 3 / 5) - 4 / 5) / (4 - 4 / 5),
    # Generalisation counts half.
    "arithmetic-loss:0.75": (1 / 2 * 3 * 3 / 5 + 1 - 1 / 2 * 4 / 5) / (4 - 1 / 2 * 4 / 5),
    "loss:0": (3 * 3 / 5 + 2 / 5 - 4 / 5) / (4 - 4 / 5),
    "loss:1": 1 / 4,
    "entropy": 3 * log2(3),
    "entropy:0.75": 3 * log2(3) / 2,
    "normalised-entropy": 3 * log2(3) / (4 * log2(4)),
    "ambiguity": 3 * 3 + 5,
    # One in four of each age: the release lets believe the same of the twenties, and one in twenty of any of five.
    "kl-divergence": 1 / 4 * log2((1 / 4) / (1 / 4 / 5)),
    # Two of the four are guessed right.
    "prediction:disease": 1 / 2 + 1 - 3 / 4 * TOLD_BY_DECADE,
}


@pytest.mark.parametrize(("prefer", "score"), SCORES.items(), ids=SCORES)
def test_worked_example(prefer: str, score: float) -> None:
    found = bb.search(bb.read(PEOPLE), bb.KAnonymity(2), prefer=prefer, **ASKED)

    plan = next(plan for plan in found if plan.levels == {"age": 1})
    assert (plan.suppressed, plan.score) == (1, pytest.approx(score))
    assert found.as_json()["prefer"] == prefer


def test_several_columns_are_guessed_together_and_told_one_by_one() -> None:
    people = pl.DataFrame({"a": [*"xxyy"], "b": [*"uvuv"], "t": [*"nmmn"]})  # either tells nothing, both tell all
    by_column = dict.fromkeys("ab", bb.Hierarchy.all_or_nothing())
    found = bb.search(people, bb.KAnonymity(1), quasi=["a", "b"], hierarchies=by_column, prefer="prediction:t")

    assert {tuple(plan.levels.values()): plan.score for plan in found} == {
        (0, 0): 0.0,
        (0, 1): 0.5,
        (1, 0): 0.5,
        (1, 1): 0.5,
    }


@pytest.mark.parametrize("prefer", ["prediction:t", "kl-divergence"])
def test_sets_that_share_columns_are_ranked_as_one(prefer: str) -> None:
    people = pl.DataFrame({"a": [*"xxyy"], "b": [*"uuvv"], "t": [*"nmmn"]})
    by_column = dict.fromkeys("ab", bb.Hierarchy.all_or_nothing())
    asked = {"quasi": ["a", "b"], "hierarchies": by_column, "prefer": prefer}
    sets = bb.search(people, [bb.KAnonymity(2, quasi=["a"]), bb.KAnonymity(2, quasi=["a", "b"])], **asked)
    one = bb.search(people, bb.KAnonymity(2), **asked)

    assert [(plan.levels, plan.score) for plan in sets] == [(plan.levels, plan.score) for plan in one]


def test_sets_apart_may_each_be_for_another_purpose() -> None:
    people = pl.DataFrame({"a": [*"xxyy"], "b": [*"uuvv"], "t": [*"nmmn"]})
    by_column = dict.fromkeys("ab", bb.Hierarchy.all_or_nothing())
    found = bb.search(
        people,
        [bb.KAnonymity(2, quasi=["a"]), bb.KAnonymity(2, quasi=["b"])],
        quasi=["a", "b"],
        hierarchies=by_column,
        prefer=["prediction:t", "ambiguity"],
    )
    assert found.as_json()["prefer"] == ["prediction:t", "ambiguity"]
    assert found[0].levels == {"a": 0, "b": 0}


def test_weights_count_in_what_columns_tell() -> None:
    people = pl.DataFrame({"a": [*"xxyy"], "b": [*"xxyy"], "t": [*"nnmm"]})
    by_column = dict.fromkeys("ab", bb.Hierarchy.all_or_nothing())
    asked = {"quasi": ["a", "b"], "hierarchies": by_column, "prefer": "prediction:t", "weights": {"a": 3}}
    found = bb.search(people, bb.KAnonymity(1), **asked)

    assert [(tuple(plan.levels.values()), plan.score) for plan in found] == [
        ((0, 0), 0.0),
        ((0, 1), 0.25),
        ((1, 0), 0.75),
        ((1, 1), 1.5),
    ]


def test_the_largest_loss_weighs_columns_against_the_heaviest() -> None:
    people = pl.DataFrame({"a": [*"xxyy"], "b": [*"xyxy"]})
    by_column = dict.fromkeys("ab", bb.Hierarchy.all_or_nothing())
    asked = {"quasi": ["a", "b"], "hierarchies": by_column, "prefer": "maximum-loss", "weights": {"a": 1, "b": 4}}
    best = bb.search(people, bb.KAnonymity(2), **asked)[0]

    assert (best.levels, best.score) == ({"a": 1, "b": 0}, 0.25)


def test_a_factor_of_one_half_is_none() -> None:
    for name in ("loss", "entropy"):
        plain, weighed = (bb.search(PEOPLE, bb.KAnonymity(2), prefer=each, **ASKED) for each in (name, f"{name}:0.5"))
        assert [plan.score for plan in plain] == pytest.approx([plan.score for plan in weighed])


def test_the_factor_decides_between_suppressing_and_generalising() -> None:
    best = {
        factor: bb.search(PEOPLE, bb.KAnonymity(2), prefer=f"loss:{factor}", **ASKED)[0].suppressed
        for factor in (0.2, 0.5, 0.95)
    }
    assert best == {0.2: 1, 0.5: 1, 0.95: 0}


def test_a_policy_is_called_the_same_wherever_it_is_asked_for() -> None:
    assert [str(Policy.named(name)) for name in ("loss", "loss:0.25", "prediction:a:b")] == [
        "loss",
        "loss:0.25",
        "prediction:a:b",
    ]
    assert Policy.named("prediction:t") == Policy.named("prediction:t") != Policy.named("prediction:u")
    said = [*POLICIES, "prediction:disease", "loss:0.25"]
    for language in ("en", "pt"):
        with speaking(language):
            assert len({Policy.named(name).label for name in said}) == len(said)
    assert Policy.named("prediction:disease").label == "loss for predicting disease"
    assert Policy.named("loss:0.25").label == "loss, with a suppression factor of 0.25"


@pytest.mark.parametrize(
    ("prefer", "key", "mentioned"),
    [
        ("prediction", "search.no-prediction", ["prediction:"]),
        ("prediction:", "search.no-prediction", ["prediction:"]),
        ("prediction:age", "search.predicts-quasi", ["'age'"]),
        ("prediction:name", "search.predicts-identifier", ["'name'"]),
        ("loss:", "search.factor", ["loss:", "''"]),
        ("loss:1.5", "search.factor", ["'1.5'", "loss:0.5"]),
        ("maximum-loss:nan", "search.factor", ["'nan'"]),
        ("precision:0.3", "search.no-factor", ["'precision'", "'0.3'", "loss, arithmetic-loss, maximum-loss, entropy"]),
        ("average", "search.policy", ["'average'", "kl-divergence", "prediction:COLUMN"]),
    ],
)
def test_what_means_nothing_is_refused(prefer: str, key: str, mentioned: list[str]) -> None:
    schema = bb.Schema({"name": bb.ColumnSchema(role="identifier")})
    data = bb.read(PEOPLE.with_columns(name=pl.Series(["Ana", "Beto", "Caio", "Davi"])), schema)
    with refused(key, *mentioned):
        bb.search(data, bb.KAnonymity(2), prefer=prefer, **ASKED)
    with refused(key, *mentioned):
        bb.frontier(
            data, ks=[2], limits=[0], prefer=prefer, **{n: v for n, v in ASKED.items() if n != "max_suppression"}
        )


def test_a_column_to_predict_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(bb.ColumnError, match=r"'illness'.*age, disease"):
        bb.search(PEOPLE, bb.KAnonymity(2), prefer="prediction:illness", **ASKED)


@pytest.mark.parametrize("prefer", ["kl-divergence", "prediction:disease"])
def test_what_compares_with_all_tuples_is_refused_where_these_are_elsewhere(prefer: str) -> None:
    far = NearbyTuples.of(bb.read(PEOPLE), 1_000_000)
    with refused("search.far-policy", prefer):
        bb.search(far, bb.KAnonymity(2), prefer=prefer, **ASKED)


def test_on_adult_income_is_predicted_better_than_under_least_loss(shared_data: Path) -> None:
    table = pl.read_csv(shared_data / "adult" / "adult.csv", separator=";").sample(6000, seed=1)
    quasi = [name for name in table.columns if name != "salary-class"]
    asked = {"quasi": quasi, "sensitive": "salary-class", "hierarchies": shared_data / "adult", "max_suppression": 0.05}
    right = {}
    for prefer in ("loss", "prediction:salary-class"):
        plan = bb.search(table, bb.KAnonymity(10), prefer=prefer, plans=1, **asked)[0].plan
        released = bb.apply(table, plan).data
        found = bb.utility(
            table, released, plan=plan, predict="salary-class", folds=3, models=["tree"], seed=0
        ).classification
        right[prefer] = found.for_new_records.tree

    assert right["prediction:salary-class"] > right["loss"] + 0.01
