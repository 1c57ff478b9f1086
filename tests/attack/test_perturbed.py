"""Attribute inference from perturbed data, scored against the original."""

import warnings
from collections import Counter
from itertools import combinations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusal import refused

import biombo as bb

QUASI = ["sex", "age", "city"]

rows_of = st.lists(st.tuples(*[st.sampled_from("ab")] * 2, st.sampled_from("xyz")), min_size=1, max_size=12)


def table(rows) -> bb.Dataset:
    return bb.read(pl.DataFrame(rows, schema=["p", "q", "s"], orient="row"))


def slow_posterior(released, truth, known) -> float:
    """By its definition: look the true values up in the release, guess the most frequent value, compare."""
    total = 0.0
    for person in truth:
        matches = [r for r in released if all(r[i] == person[i] for i in known)] or released
        counts = Counter(r[2] for r in matches)
        guesses = [value for value, count in counts.items() if count == max(counts.values())]
        total += (person[2] in guesses) / len(guesses)
    return total / len(truth)


@settings(max_examples=60)
@given(rows_of, st.data())
def test_the_adversary_succeeds_as_often_as_the_definition_says(truth, data) -> None:
    released = data.draw(
        st.lists(
            st.tuples(*[st.sampled_from("ab")] * 2, st.sampled_from("xyz")), min_size=len(truth), max_size=len(truth)
        )
    )
    found = bb.attribute_inference(table(released), ["p", "q"], "s", truth=table(truth))

    expected = [slow_posterior(released, truth, known) for size in (1, 2) for known in combinations(range(2), size)]
    assert found.subsets["posterior"].to_list() == pytest.approx(expected)
    assert found.prior == max(Counter(row[2] for row in truth).values()) / len(truth)
    assert found.rows == len(truth)
    records = found.records(["p", "q"])
    assert records["row"].to_list() == list(range(len(truth)))
    assert records["success"].mean() == pytest.approx(expected[-1])


@settings(max_examples=40)
@given(rows_of, st.randoms(use_true_random=False))
def test_where_nothing_was_perturbed_it_is_the_plain_attack_in_whatever_order(rows, random) -> None:
    shuffled = random.sample(rows, len(rows))
    found = bb.attribute_inference(table(shuffled), ["p", "q"], "s", truth=table(rows))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bb.BiomboWarning)  # a column may tell everybody apart in so small a table
        plain = bb.attribute_inference(table(rows), ["p", "q"], "s")

    assert found.priors == plain.priors
    same = ["sensitive", "size", "quasi", "groups"]
    assert found.subsets.select(same).rows() == plain.subsets.select(same).rows()
    for name in ("posterior", "leakage", "multiplicative"):
        assert found.subsets[name].to_list() == pytest.approx(plain.subsets[name].to_list())
    assert found.subsets["found"].to_list() == [1.0] * 3


def test_the_clinic_attacked_from_itself_gives_the_values_computed_on_paper(clinic: bb.Dataset) -> None:
    found = bb.attribute_inference(clinic, QUASI, ["disease"], truth=clinic)

    assert found.best().select("quasi", "posterior").rows() == [
        (["age"], pytest.approx(8 / 12)),
        (["sex", "age"], pytest.approx(8 / 12)),
        (["sex", "age", "city"], pytest.approx(9 / 12)),
    ]


def test_whoever_finds_nobody_guesses_the_most_frequent_value_of_the_release() -> None:
    released = table([("a", "a", "x"), ("a", "a", "x"), ("a", "a", "y")])
    truth = table([("b", "a", "x"), ("b", "a", "z"), ("a", "a", "x")])
    found = bb.attribute_inference(released, ["p"], "s", truth=truth)

    assert found.subsets.select("posterior", "found", "groups").rows() == [
        (pytest.approx(2 / 3), pytest.approx(1 / 3), 1)
    ]
    assert found.records(["p"])["success"].to_list() == [1, 0, 1]


def test_noise_can_mislead_below_the_prior() -> None:
    released, truth = table([("a", "a", "y")] * 3), table([("a", "a", "x")] * 3)
    found = bb.attribute_inference(released, ["p"], "s", truth=truth)

    assert found.subsets["leakage"].to_list() == [-1.0]


def test_several_sensitive_columns_are_guessed_each_and_jointly() -> None:
    rows = [("a", "x", "x"), ("a", "y", "x"), ("b", "y", "z")]
    found = bb.attribute_inference(table(rows), ["p"], ["q", "s"], truth=table(rows))

    assert found.sensitive == ("q", "s", "q+s")
    assert found.subsets["posterior"].to_list() == pytest.approx([2 / 3, 1, 2 / 3])
    with refused("attack.which-sensitive", "q+s"):
        _ = found.prior


def test_people_who_were_left_out_of_the_release_are_not_attacked() -> None:
    original = pl.DataFrame({"id": [1, 2, 3], "p": ["a", "a", "b"], "s": ["x", "y", "z"]})
    truth = bb.read(original)
    released = bb.read(original.filter(pl.col("id") != 2).with_columns(id=pl.col("id").cast(pl.String)))
    found = bb.attribute_inference(released, ["p"], "s", truth=truth, link="id")

    assert found.rows == 2
    assert found.records(["p"]).rows() == [(0, 1.0), (2, 1.0)]


def test_numbers_are_the_same_however_they_are_written() -> None:
    truth = bb.read(pl.DataFrame({"p": ["070,50", "1"], "s": ["x", "y"]}))
    released = bb.read(pl.DataFrame({"p": [70.5, 1.0], "s": ["x", "y"]}))

    assert bb.attribute_inference(released, ["p"], "s", truth=truth).subsets["found"].to_list() == [1.0]


def test_continuous_columns_share_their_intervals() -> None:
    schema = bb.Schema(
        {"p": bb.ColumnSchema("quasi", "continuous", bounds=(0, 100)), "s": bb.ColumnSchema("sensitive")}
    )
    truth = bb.read(pl.DataFrame({"p": [float(i) for i in range(100)], "s": ["x", "y"] * 50}), schema)
    released = bb.read(pl.DataFrame({"p": [i + 0.25 for i in range(100)], "s": ["x", "y"] * 50}), schema)
    found = bb.attribute_inference(released, truth=truth)

    assert found.subsets.select("groups", "found").rows() == [(20, 1.0)]
    assert found.binnings[0].kind == "equal-width"


def test_invalid_rows_are_left_out_of_both_tables() -> None:
    schema = bb.Schema({"p": bb.ColumnSchema("quasi", invalid=frozenset({"?"})), "s": bb.ColumnSchema("sensitive")})
    truth = bb.read(pl.DataFrame({"p": ["a", "?", "b"], "s": ["x", "y", "z"]}), schema)
    released = bb.read(pl.DataFrame({"p": ["a", "?", "?"], "s": ["x", "y", "z"]}), schema)
    found = bb.attribute_inference(released, truth=truth)

    assert [each.rows for each in found.dropped] == [2, 1]
    assert found.rows == 2
    with refused("attack.truth-nobody", "the Polars table"):
        bb.attribute_inference(
            bb.read(pl.DataFrame({"p": ["?"], "s": ["x"]}), schema),
            truth=bb.read(pl.DataFrame({"p": ["a"], "s": ["x"]}), schema),
        )


def test_what_makes_no_sense_is_refused() -> None:
    one, two = table([("a", "a", "x")]), table([("a", "a", "x")] * 2)
    with refused("attack.truth-rows", "1", "2"):
        bb.attribute_inference(one, ["p"], "s", truth=two)
    with refused("attack.truth-link", "'q'"):
        bb.attribute_inference(one, ["p"], "s", truth=two, link="q")
    with refused("attack.truth-stranger", "'q'"):
        bb.attribute_inference(one, ["p"], "s", truth=table([("a", "b", "x")]), link="q")
    with refused("attack.no-sensitive"):
        bb.attribute_inference(one, ["p"], [], truth=one)
    with refused("attack.not-read"):
        bb.attribute_inference(one, ["p"], "s", truth="people.csv")
    with refused("attack.truth-parts"):
        bb.attribute_inference(one, ["p"], "s", by=["q"], truth=one)


def test_with_less_noise_the_adversary_gains_more() -> None:
    rows = [{"p": p, "s": p} for p in "abcdefgh"] * 40
    truth = bb.read(pl.DataFrame(rows))

    def posterior(epsilon: float) -> float:
        plan = bb.Plan([bb.RandomisedResponse("p", epsilon, tuple("abcdefgh"))], sensitive=["s"])
        released = bb.read(bb.apply(pl.DataFrame(rows), plan).data)
        return bb.attribute_inference(released, ["p"], "s", truth=truth).subsets["posterior"][0]

    assert posterior(0.01) < posterior(100) == 1.0


def slow_identity(released, truth, known) -> float:
    """By its definition: pick one of the records with the true values; is it the person's own?"""
    total = 0.0
    for place, person in enumerate(truth):
        matches = [i for i, r in enumerate(released) if all(r[j] == person[j] for j in known)]
        matches = matches or list(range(len(released)))
        total += (place in matches) / len(matches)
    return total / len(truth)


@settings(max_examples=60)
@given(rows_of, st.data())
def test_the_record_picked_is_the_persons_own_as_often_as_the_definition_says(truth, data) -> None:
    cells = st.tuples(*[st.sampled_from("ab")] * 2, st.sampled_from("xyz"))
    released = data.draw(st.lists(cells, min_size=len(truth), max_size=len(truth)))
    found = bb.reidentification(table(released), ["p", "q"], truth=table(truth))

    expected = [slow_identity(released, truth, known) for size in (1, 2) for known in combinations(range(2), size)]
    assert found.subsets["posterior"].to_list() == pytest.approx(expected)
    assert found.prior == 1 / len(released)
    assert found.records(["p", "q"])["success"].mean() == pytest.approx(expected[-1])


@settings(max_examples=30)
@given(rows_of, st.randoms(use_true_random=False))
def test_a_link_finds_the_own_record_in_whatever_order(rows, random) -> None:
    people = [(str(i), *row) for i, row in enumerate(rows)]
    columns = ["id", "p", "q", "s"]
    truth = bb.read(pl.DataFrame(people, schema=columns, orient="row"))
    released = bb.read(pl.DataFrame(random.sample(people, len(people)), schema=columns, orient="row"))
    found = bb.reidentification(released, ["p", "q"], truth=truth, link="id")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bb.BiomboWarning)
        plain = bb.reidentification(truth, ["p", "q"])

    assert found.subsets["posterior"].to_list() == pytest.approx(plain.subsets["posterior"].to_list())
    assert found.subsets["groups"].to_list() == plain.subsets["groups"].to_list()


def test_the_truth_of_parts_is_refused_for_records_too(clinic: bb.Dataset) -> None:
    with refused("attack.truth-parts"):
        bb.reidentification(clinic, QUASI, by=["sex"], truth=clinic)  # type: ignore[call-overload]
