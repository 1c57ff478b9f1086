"""Searches whose hierarchies are read off other columns of the table."""

import polars as pl
import pytest

import biombo as bb

TABLE = pl.DataFrame(
    {
        "clinic": ["a", "b", "c", "d"] * 3,
        "city": ["Rio", "Rio", "Lima", "Lima"] * 3,
        "flu": ["yes", "no"] * 6,
    }
)


def schema(role: str = "other") -> bb.Schema:
    columns = {
        "clinic": {"role": "quasi", "hierarchy": {"kind": "columns", "columns": ["city"]}},
        "city": {"role": role},
        "flu": {"role": "sensitive"},
    }
    return bb.Schema.from_tree({"columns": columns})


def test_the_plan_holds_what_was_read_and_can_be_carried_out():
    data = bb.read(TABLE, schema=schema(), columns=["clinic", "city", "flu"])
    found = bb.search(data, bb.KAnonymity(6))
    assert found[0].levels == {"clinic": 1}
    plan = bb.Plan.from_tree(found[0].plan.to_tree())
    assert plan.hash == found[0].plan.hash
    made = bb.apply(TABLE, plan, schema=schema()).data
    assert sorted(made["clinic"].to_list()) == ["Lima"] * 6 + ["Rio"] * 6


@pytest.mark.parametrize("role", ["identifier", "undecided", "sensitive"])
def test_no_label_tells_what_stands_in_a_column_that_is_kept_back(role):
    data = bb.read(TABLE, schema=schema(role), columns=["clinic", "city", "flu"])
    with pytest.raises(bb.BiomboError, match="city"):
        bb.search(data, bb.KAnonymity(6))


def test_a_value_that_stands_beside_two_is_refused_by_name():
    broken = TABLE.with_columns(city=pl.Series(["Rio", "Rio", "Lima", "Lima"] * 2 + ["Lima"] * 4))
    data = bb.read(broken, schema=schema(), columns=["clinic", "city", "flu"])
    with pytest.raises(bb.BiomboError, match="'a'"):
        bb.search(data, bb.KAnonymity(6))


def test_a_request_reads_the_columns_that_hierarchies_need(tmp_path):
    table, described = tmp_path / "t.csv", tmp_path / "s.yaml"
    TABLE.write_csv(table)
    described.write_text(schema().to_yaml())
    outcome = bb.SearchRequest(files=[str(table)], schema=str(described), k=6).run()
    assert outcome.plans[0].levels == {"clinic": 1}
