"""Domains are public: what is in the table changes no scale."""

import polars as pl
import pytest

import biombo as bb
from biombo._synthesis.private import public_scale


def scale_of(values, schema=None, stated=None, bins=5):
    data = bb.read(pl.DataFrame({"x": values}))
    return public_scale(data["x"], schema or bb.ColumnSchema(), stated, bins)


@pytest.mark.parametrize(
    "schema",
    [
        bb.ColumnSchema(domain=("a", "b")),
        bb.ColumnSchema(values={"a": "A", "b": "B"}),
        bb.ColumnSchema(hierarchy={"kind": "tree", "tree": {"all": ["a", "b"]}}),
    ],
)
def test_what_the_table_has_changes_no_scale(schema):
    scales = [scale_of(values, schema) for values in (["a", "a"], ["b", None], ["stranger", "a"])]

    assert [each.scale.values.to_list() for each in scales] == [["a", "b", None]] * 3
    assert [each.places.tolist() for each in scales] == [[0, 0], [1, 2], [2, 0]]
    assert [each.rare for each in scales] == [0, 0, 1]


def test_bounds_make_equally_wide_intervals():
    schema = bb.ColumnSchema("quasi", "discrete", bounds=(0, 99))
    found = scale_of([-5, 0, 19, 20, 99, 1000, None], schema)

    assert found.scale.edges.tolist() == [0, 20, 40, 60, 80, 100]
    assert found.places.tolist() == [0, 0, 0, 1, 4, 4, 5]


def test_without_a_public_domain_nothing_is_made():
    with pytest.raises(bb.ColumnError, match=r"'x' has no public domain.*list its values in the schema"):
        scale_of(["a"])
    with pytest.raises(bb.ColumnError, match="10,001 values"):
        scale_of(["a"], stated=[str(each) for each in range(10_001)])
