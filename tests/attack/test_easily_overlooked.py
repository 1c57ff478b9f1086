"""Cases in which a result could be silently wrong."""

import polars as pl
import pytest

import biombo as bb
from biombo._attack import as_json

TABLE = pl.DataFrame({"p": ["x", "x", "y", "y"], "q": ["1", "1", "2", "1"], "s": ["a", "b", "a", "a"]})


def schema(**columns: bb.ColumnSchema) -> bb.Schema:
    return bb.Schema(columns)


def test_tables_with_the_same_label_stay_apart() -> None:
    found = bb.attribute_inference([bb.read(TABLE), bb.read(TABLE.head(2))], ["q"], "s")
    assert [found[part].rows for part in found] == [4, 2]


def test_parts_whose_names_look_alike_stay_apart_in_json() -> None:
    table = pl.DataFrame({"p": ["null", None, "null"], "q": ["1", "1", "2"], "s": ["a", "b", "a"]})
    found = bb.risk_by_part(bb.read(table), ["p"], ["q"], "s")
    assert len(as_json(found)["parts"]) == len(found.parts) == 2


def test_a_group_that_is_called_like_an_invalid_value_is_valid() -> None:
    care = bb.ColumnSchema("sensitive", invalid=frozenset({"99"}))
    data = bb.read(
        pl.DataFrame({"q": list("aaab"), "s": ["9912", "9913", "0101", "99"]}),
        schema(q=bb.ColumnSchema("quasi"), s=care),
    )
    found = bb.attribute_inference(bb.through(data, "s", bb.Hierarchy.by_prefix([2]), 1))
    assert (found.rows, found.dropped.rows) == (3, 1)
    assert found.subsets["posterior"].to_list() == [2 / 3]


def test_a_continuous_column_read_through_a_hierarchy_is_not_binned() -> None:
    data = bb.read(
        TABLE.with_columns(q=pl.Series(["10", "11", "20", "21"])), schema(q=bb.ColumnSchema("quasi", "continuous"))
    )
    found = bb.reidentification(bb.through(data, "q", bb.Hierarchy.by_prefix([1]), 1))
    assert found.evidence.binnings == ()
    assert found.subsets["groups"].to_list() == [2]


def test_a_quasi_column_called_like_the_joint_one_is_refused() -> None:
    with pytest.raises(bb.ColumnError, match="rename"):
        bb.attribute_inference(bb.read(TABLE.rename({"q": "p+s"})), ["p+s"], ["p", "s"])


def test_a_limit_counts_adversaries_beyond_max_size() -> None:
    quasi = bb.ColumnSchema("quasi")
    rules = bb.Schema({"p": quasi, "q": quasi, "s": bb.ColumnSchema("sensitive")}, adversaries={"all": ("p", "q")})
    table = pl.DataFrame({"p": list("xxyy"), "q": list("1212"), "s": list("abba")})
    assert bb.risk(bb.read(table, rules), max_size=1).max_posterior == 1


def test_parts_with_an_invalid_value_are_left_out_with_a_warning() -> None:
    rules = schema(
        p=bb.ColumnSchema(invalid=frozenset({"y"})), q=bb.ColumnSchema("quasi"), s=bb.ColumnSchema("sensitive")
    )
    with pytest.warns(bb.BiomboWarning, match="2 rows"):
        found = bb.attribute_inference(bb.read(TABLE, rules, columns=["p", "q", "s"]), by=["p"])
    assert list(found) == [("x",)]


def test_adversaries_that_cannot_be_evaluated_are_named() -> None:
    quasi = bb.ColumnSchema("quasi")
    rules = bb.Schema(
        {"p": quasi, "q": quasi, "s": bb.ColumnSchema("sensitive")}, adversaries={"neighbour": ("p", "q")}
    )
    with pytest.warns(bb.BiomboWarning, match="neighbour"):
        bb.attribute_inference(bb.read(TABLE, rules), ["p"])


def test_weights_that_are_not_used_are_named() -> None:
    rules = bb.Schema({"q": bb.ColumnSchema("quasi"), "s": bb.ColumnSchema("sensitive")}, weight="p")
    with pytest.warns(bb.BiomboWarning, match="'p'"):
        bb.attribute_inference(bb.read(TABLE, rules))


@pytest.mark.parametrize("by", [["p", "p"], ["size"]])
def test_parts_by_a_column_that_cannot_be_are_refused(by: list[str]) -> None:
    with pytest.raises(bb.ColumnError):
        bb.attribute_inference(bb.read(TABLE.with_columns(size=pl.lit("1"))), ["q"], "s", by=by)


def test_what_was_not_read_is_refused() -> None:
    with pytest.raises(bb.UsageError, match=r"bb\.read"):
        bb.risk("table.csv", ["q"], "s")  # type: ignore[arg-type]
    with pytest.raises(bb.UsageError):
        bb.attribute_inference(bb.read(TABLE), ["q"], "s", max_size="2")  # type: ignore[call-overload]


def test_one_person_may_be_known_by_any_number_of_columns() -> None:
    columns = {f"c{i}": ["a", "b"] for i in range(30)}
    data = bb.read(pl.DataFrame(columns | {"s": ["x", "y"]}))
    assert bb.target(data, dict.fromkeys(columns, "a"), sensitive="s").guess("s") == ("x", 1.0)


def test_bounds_must_be_finite() -> None:
    with pytest.raises(bb.SchemaError):
        bb.ColumnSchema(bounds=(0, float("inf")))
