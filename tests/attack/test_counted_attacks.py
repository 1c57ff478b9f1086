"""Attacks on counted tuples give what they give on the rows that these stand for."""

from dataclasses import asdict, replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from counting import counted
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb
from biombo._attack import as_json, as_table
from biombo._data import read_counted

pytestmark = pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")

QUASI, SENSITIVE = ["x", "y", "z"], ["s", "t"]
SCHEMA = bb.Schema(
    {
        "x": bb.ColumnSchema(role="quasi", invalid=frozenset({"9", None})),
        "y": bb.ColumnSchema(role="quasi"),
        "z": bb.ColumnSchema(role="quasi", type="continuous"),
        "s": bb.ColumnSchema(role="sensitive", invalid=frozenset({"?"})),
        "t": bb.ColumnSchema(role="sensitive"),
    },
    adversaries={"neighbour": ("x", "y")},
)
row = st.tuples(
    st.sampled_from(["1", "2", "9", None]),
    st.sampled_from("ab"),
    st.integers(0, 40),
    st.sampled_from(["s", "t", "?"]),
    st.sampled_from("uv"),
)


@st.composite
def datasets(draw: st.DrawFn, rows: int = 60) -> bb.Dataset:
    """Few values and many of them, so that rows are equal; one row at least is valid."""
    several = draw(st.lists(row, min_size=1, max_size=rows // 3))
    table = [("1", "a", 3, "s", "u"), *draw(st.lists(st.sampled_from(several), min_size=1, max_size=rows))]
    names = [*QUASI, *SENSITIVE]
    return bb.read(pl.DataFrame(table, schema=names, orient="row"), SCHEMA, columns=names)


@examples(40)
@given(datasets(), st.sampled_from([None, 1, 2]))
def test_both_attacks_are_the_same(data: bb.Dataset, max_size: int | None) -> None:
    expected, found = bb.risk(data, max_size=max_size), bb.risk(counted(data), max_size=max_size)
    assert as_json(found) == as_json(expected)
    assert as_table(found).equals(as_table(expected))
    assert found.dropped == expected.dropped
    inference, inferred = expected.attribute_inference, found.attribute_inference
    assert inference is not None
    assert inferred is not None
    for name in inference.sensitive:
        for measure in ("distribution", "successes"):
            one, other = (asdict(getattr(each, measure)(["x", "z"], name)) for each in (inference, inferred))
            np.testing.assert_equal(one, other)
    sizes = [each.reidentification.group_sizes(QUASI) for each in (expected, found)]
    assert sizes[0].equals(sizes[1])


@examples(40)
@given(datasets())
def test_every_part_is_the_same(data: bb.Dataset) -> None:
    of_parts = [bb.risk_by_part(each, ["y"]) for each in (data, counted(data))]
    assert as_json(of_parts[0]) == as_json(of_parts[1])


def test_an_invalid_part_is_left_out_with_as_many_records() -> None:
    frame = pl.DataFrame({"x": ["9", "9", "1", "2"], "y": list("abab"), "s": list("stst")})
    for data in (bb.read(frame, SCHEMA, columns=list("xys")), read_counted(frame, SCHEMA, columns=list("xys"))):
        with pytest.warns(bb.BiomboWarning, match="2"):
            assert list(bb.risk_by_part(data, ["x"], ["y"], ["s"]).parts) == [("1",), ("2",)]


@examples(40)
@given(datasets(), st.data())
def test_one_person_is_the_same(data: bb.Dataset, more: st.DataObject) -> None:
    place = more.draw(st.integers(0, data.rows - 1))
    known = {name: data[name].decoded()[place] for name in ("x", "y")}
    expected, found = bb.target(data, known), bb.target(counted(data), known)
    assert (found.candidates, found.rows) == (expected.candidates, expected.rows)
    assert all(found.values[name].equals(expected.values[name]) for name in SENSITIVE)


@examples(40)
@given(datasets(), st.sampled_from([0.01, 0.2, 1.0]))
def test_estimates_for_a_population_are_the_same(data: bb.Dataset, fraction: float) -> None:
    of_each = [bb.population_risk(each, fraction=fraction) for each in (data, counted(data))]
    assert as_estimates(of_each[0]) == as_estimates(of_each[1])
    with pytest.raises(bb.UsageError, match="row by row"):
        of_each[1].records()


@examples(40)
@given(datasets())
def test_estimates_by_weights_are_the_same(data: bb.Dataset) -> None:
    weighted = bb.read(data.decoded().with_columns(w=pl.col("z") % 3 + 1.5), SCHEMA, columns=[*QUASI, "w"])
    of_each = [bb.population_risk(each, weight="w") for each in (weighted, counted(weighted))]
    one, other = (np.sort(each.estimate.weight_sums) for each in of_each)
    np.testing.assert_allclose(one, other, rtol=1e-12)
    assert sorted(of_each[0].estimate.sizes) == sorted(of_each[1].estimate.sizes)


@pytest.mark.parametrize("weight", ["no", "0.1"])
def test_a_wrong_weight_is_told_without_a_row(weight: str) -> None:
    data = read_counted(pl.DataFrame({"x": ["a", "a"], "w": [weight, weight]}))
    with pytest.raises(bb.InputError) as error:
        bb.population_risk(data, ["x"], weight="w")
    assert "ow 1 " not in str(error.value)


def as_estimates(found: bb.PopulationRisk) -> dict[str, Any]:
    estimate = found.estimate
    names = ("prosecutor", "by_benedetti_franconi", "zayatz", "snb", "pitman", "dankar")
    return {"rows": found.rows, "marketer": estimate.marketer} | {n: asdict(getattr(estimate, n)) for n in names}


@examples(40)
@given(datasets(), st.data())
def test_membership_is_the_same(population: bb.Dataset, more: st.DataObject) -> None:
    chosen = more.draw(st.lists(st.booleans(), min_size=population.rows, max_size=population.rows))
    sample = bb.read(population.decoded().filter(pl.Series([True, *chosen[1:]])), SCHEMA, columns=[*QUASI, *SENSITIVE])
    pairs = [(sample, population), (counted(sample), population), (counted(sample), counted(population))]
    expected, *others = (bb.membership(part, whole) for part, whole in pairs)
    for found in others:
        assert (found.people, found.sampled, found.prior) == (expected.people, expected.sampled, expected.prior)
        # Threads add up shares in an order of their own.
        assert found.subsets.columns == expected.subsets.columns
        for name in expected.subsets.columns:
            one, other = expected.subsets[name].to_list(), found.subsets[name].to_list()
            assert one == other if name == "quasi" else one == pytest.approx(other, rel=1e-12)
        np.testing.assert_equal(asdict(found.distribution(["x"])), asdict(expected.distribution(["x"])))
        assert bb.member_loss(found, ["x", "y"], "s") == bb.member_loss(expected, ["x", "y"], "s")
        with pytest.raises(bb.UsageError, match="row by row"):
            bb.individual_attack(found, ["x"])
    known = {"x": "1", "y": "a"}
    targets = [bb.membership_target(part, whole, known) for part, whole in pairs]
    assert targets[0] == targets[1] == targets[2]


def people(names: list[str]) -> bb.Dataset:
    frame = pl.DataFrame({"person": names, "x": ["a"] * len(names)})
    schema = bb.Schema({"x": bb.ColumnSchema(role="quasi")}, person="person")
    return read_counted(frame, schema, columns=["person", "x"])


def test_people_with_several_records_are_refused_or_counted_once() -> None:
    sample, population = people(["Ana", "Ana"]), people(["Ana", "Ana", "Beto", "Caio", "Caio", "Caio"])
    with pytest.raises(bb.ColumnError):
        bb.membership(sample, population)
    found = bb.membership(sample, population, repeated="count-once")
    assert (found.people, found.sampled) == (3, 1)
    with pytest.raises(bb.ColumnError):
        bb.population_risk(sample, fraction=0.5)


@examples(40)
@given(datasets(), st.permutations(["s", "t", "?"]))
def test_inference_against_the_truth_is_the_same(truth: bb.Dataset, changed: list[str]) -> None:
    shuffled = dict(zip(["s", "t", "?"], changed, strict=True))
    released = bb.read(
        truth.decoded().with_columns(pl.col("s").replace_strict(shuffled)), SCHEMA, columns=[*QUASI, *SENSITIVE]
    )
    try:
        expected = bb.attribute_inference(released, truth=truth)
    except bb.InputError:
        return  # nobody is valid
    for pair in ((counted(released), truth), (released, counted(truth)), (counted(released), counted(truth))):
        found = bb.attribute_inference(pair[0], truth=pair[1])
        assert (found.rows, found.dropped, found.priors) == (expected.rows, expected.dropped, expected.priors)
        for name in ("posterior", "leakage", "multiplicative", "groups", "found"):
            assert found.subsets[name].to_list() == pytest.approx(expected.subsets[name].to_list(), abs=1e-12)
        with pytest.raises(bb.UsageError, match="row by row"):
            found.records(["x"], "s")
        with pytest.raises(bb.UsageError, match="row by row"):
            bb.reidentification(pair[0], truth=pair[1])


@examples(40)
@given(datasets(), st.integers(2**32, 2**40))
def test_many_times_as_many_records_give_the_same_shares(data: bb.Dataset, times: int) -> None:
    few = counted(data)
    assert few.counts is not None
    many = replace(few, counts=few.counts * times)
    one, other = bb.risk(few), bb.risk(many)
    assert other.rows == one.rows * times
    for each in ("posterior", "leakage"):
        shares = [risk.attribute_inference.subsets[each].to_list() for risk in (one, other) if risk.attribute_inference]
        assert shares[0] == pytest.approx(shares[1], abs=1e-12)
    assert other.reidentification.subsets["unique"].to_list() == [0] * 7
