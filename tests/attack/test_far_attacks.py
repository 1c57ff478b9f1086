"""Attacks find the same where the tuples stay elsewhere."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nearby_tuples import NearbyTuples

import biombo as bb
from biombo._attack import as_json
from biombo._data import Dataset

pytestmark = pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")

SCHEMA = bb.Schema.from_tree(
    {
        "columns": {
            "age": {"role": "quasi", "type": "continuous"},
            "sex": {"role": "quasi", "invalid": ["X"]},
            "city": {"role": "quasi"},
            "disease": {"role": "sensitive", "invalid": ["?"]},
            "care": {"role": "sensitive"},
        },
        "adversaries": {"neighbour": ["age", "city", "sex"]},
    }
)
rows = st.tuples(
    st.integers(20, 60), st.sampled_from("FMX"), st.sampled_from("abc"), st.sampled_from("pq?"), st.sampled_from("12")
)


def read(table: list[tuple[int, str, str, str, str]]) -> Dataset:
    return bb.read(pl.DataFrame(table, schema=list(SCHEMA.columns), orient="row"), SCHEMA)


def found(data: Dataset | NearbyTuples, size: int) -> bb.Risk | str:
    try:
        return bb.risk(data, max_size=size)
    except bb.BiomboError as refusal:
        return str(refusal)


@given(st.lists(rows, min_size=1, max_size=40), st.integers(1, 3))
def test_a_risk_is_the_same(table, size) -> None:
    here = read(table)
    expected, far = (found(data, size) for data in (here, NearbyTuples.of(here, 0)))
    if isinstance(expected, str):
        assert far == expected
        return

    assert as_json(far) == as_json(expected)
    for target in expected.attribute_inference.sensitive:
        for named in ("distribution", "successes"):
            one, other = (getattr(each.attribute_inference, named)(["sex", "city"], target) for each in (far, expected))
            assert (one.values.tolist(), one.records.tolist()) == (other.values.tolist(), other.records.tolist())


def test_there_are_no_single_records() -> None:
    far = bb.risk(NearbyTuples.of(read([(30, "F", "a", "p", "1"), (40, "M", "b", "q", "1")]), 0))

    with pytest.raises(bb.UsageError, match="counted combinations"):
        far.attribute_inference.records(["city"], "disease")
