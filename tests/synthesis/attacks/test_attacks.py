"""Attacks on synthetic records: as others count them, by plain definitions, on a table that copies and on an honest
one."""

import numpy as np
import polars as pl
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from made_up_synthesis import people, synthesised
from three_tables import NAMES, three_tables

import biombo as bb
from biombo._engine import Randomness
from biombo._synthesis.attacks import compared, infer, link, nearness, single_out


@pytest.fixture(scope="module")
def tables():
    return compared(*three_tables(), Randomness.seeded(1))


def test_links_are_those_that_anonymeter_finds(tables):
    """26 and 3 of 60 by anonymeter 1.1.0 on the same three tables, all records attacked."""
    found = link(tables, 60, (["a", "c"], ["b", "d"]))

    assert (found.original, found.control) == ((26, 60), (3, 60))


@pytest.mark.parametrize(("secret", "right"), [("a", (25, 5)), ("b", (31, 6)), ("c", (22, 6)), ("d", (20, 5))])
def test_guesses_are_those_of_anonymeter(tables, secret, right):
    """By anonymeter 1.1.0 on the same three tables, all records attacked, with its regression=True."""
    found = infer(tables, 60, [name for name in NAMES if name != secret], secret)

    assert (found.original[0], found.control[0]) == right


def test_predicates_on_one_column_are_those_of_anonymeter(tables):
    """248 predicates by anonymeter 1.1.0, of which 16 single out an original, and 16 a control record."""
    found = single_out(tables, 1000, 1)

    assert (found.original, found.control) == ((16, 248), (16, 248))


def gower(a: dict, b: dict, spans: dict) -> float:
    return sum(abs(a[name] - b[name]) / spans[name] if name in spans else a[name] != b[name] for name in a)


small = st.lists(st.tuples(st.sampled_from("xyz"), st.integers(0, 5)), min_size=3, max_size=8)


@examples(15)
@given(small, small, small)
def test_the_nearest_record_is_nearest(original, synthetic, control):
    rows = (original, synthetic, control)
    frames = [pl.DataFrame(each, schema={"name": pl.String, "amount": pl.Int64}, orient="row") for each in rows]
    tables = compared(*frames, Randomness.seeded(1))
    every = [amount for each in rows for _, amount in each]
    spans = {"amount": max(max(every) - min(every), 1)}
    found, distances = tables.nearest("original", np.arange(frames[0].height), ["name", "amount"])

    for place, target in enumerate(frames[0].to_dicts()):
        plain = [gower(target, each, spans) for each in frames[1].to_dicts()]
        assert plain[found[place]] == pytest.approx(min(plain), abs=1e-5)
        assert distances[place] == pytest.approx(min(plain), abs=1e-5)


@examples(15)
@given(small, small, small)
def test_predicates_single_out_as_their_definition_says(original, made, control):
    rows = (original, made, control)
    frames = [pl.DataFrame(each, schema={"name": pl.String, "amount": pl.Int64}, orient="row") for each in rows]
    frames[2] = frames[2].head(min(frame.height for frame in frames))
    frames[0] = frames[0].head(frames[2].height)
    found = single_out(compared(*frames, Randomness.seeded(1)), 1000, 1)
    synthetic = frames[1]
    predicates = [
        pl.col(name) == value
        for name in synthetic.columns
        for value, n in synthetic[name].value_counts().rows()
        if n == 1
    ]
    low, high = synthetic["amount"].min(), synthetic["amount"].max()
    for end, predicate in ((low, pl.col("amount") <= low), (high, pl.col("amount") >= high)):
        predicates += [predicate] if (synthetic["amount"] == end).sum() == 1 else []
    singled = [sum(frame.filter(each).height == 1 for each in predicates) for frame in (frames[0], frames[2])]

    assert (found.original, found.control) == ((singled[0], len(predicates)), (singled[1], len(predicates)))


def test_a_table_that_copies_is_caught():
    table = people(1200, 11)
    seen, unseen = table[:800], table[800:]
    found = bb.synthetic_risk(seen, seen, unseen, seed=1)
    by_attack = {each.attack: each for each in found.attacks}

    assert found.is_found
    assert found.nearness.is_copied
    assert found.nearness.copies == (400, 800)  # as many originals are looked at as were held out
    assert by_attack["linkability"].is_found
    assert by_attack["singling-out-together"].is_found
    assert any(each.is_found for each in found.attacks if each.columns == ("city",))
    assert "do not publish" in found.sentences()[-1]


def test_a_table_that_copies_half_is_caught():
    table = people(2000, 12)
    seen, unseen = table[:1000], table[1000:]
    half = pl.concat([seen[:500], synthesised(seen, 12, records=500).data])

    assert bb.synthetic_risk(seen, half, unseen, seed=1).is_found


def test_an_honest_one_is_accused_no_more_often_than_is_said():
    """At 95% at most one in twenty, so that more than three of twelve have a chance of 0.2%; fresh records of the same
    kind are as honest as can be."""
    accused = 0
    for seed in range(12):
        table = people(1500, 100 + seed)
        accused += bb.synthetic_risk(table[:500], table[500:1000], table[1000:], tries=100, seed=seed).is_found

    assert accused <= 3


def test_the_model_itself_is_not_accused():
    table = people(3000, 14)
    made = synthesised(table, 14, holdout=0.3, tries=200)

    assert made.held_out == pytest.approx(900, abs=120)
    assert not made.risk.is_found
    assert made.risk.nearness.copies[0] / made.risk.nearness.copies[1] < 0.05


def test_distances_by_hand():
    """(1, x) is an original; (9, y) is (9 − 5) / 8 + 1 from the nearest, (5, x). From the nearest held out, (9, x),
    they are 1 and 1."""
    original = pl.DataFrame({"n": [1, 5], "c": ["x", "x"]})
    synthetic = pl.DataFrame({"n": [1, 9, 9], "c": ["x", "y", "y"]})
    control = pl.DataFrame({"n": [9, 9], "c": ["x", "x"]})
    found = nearness(compared(original, synthetic, control, Randomness.seeded(1)), 10, 0.95)

    assert (found.copies, found.twins) == ((1, 2), (0, 2))
    assert found.median == pytest.approx((0.75, 1.0))


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"control": people(5, 1)}, "only 5 control records"),
        ({"secrets": ["income?"]}, "did you mean 'income'"),
        ({"tries": 0}, "'tries'"),
        ({"confidence": 1}, "confidence"),
        ({"original": people(50, 1).drop("age")}, "'age' is not in"),
    ],
)
def test_bad_input_is_told_in_one_sentence(asked, says):
    given_ = {"original": people(50, 1), "synthetic": people(50, 2), "control": people(50, 3)} | asked
    with pytest.raises(bb.BiomboError, match=says):
        bb.synthetic_risk(**given_)
