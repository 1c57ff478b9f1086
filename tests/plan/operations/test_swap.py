"""Values that change places between records (PDPC 2018, section 11)."""

from collections import Counter
from contextlib import nullcontext
from itertools import permutations

import hypothesis.strategies as st
import polars as pl
import pytest
from hypothesis import assume, given
from refusal import refused
from seeded import applied as seeded

import biombo as bb

CLIENTS = pl.DataFrame(
    {
        "person": ["A", "B", "C", "D", "E"],
        "title": ["dean", "salesperson", "lawyer", "programmer", "nurse"],
        "born": ["1970-01-03", "1972-02-05", "1985-03-07", "1990-04-10", "1995-05-13"],
        "member": ["silver", "platinum", "gold", "silver", "silver"],
        "visits": [0, 5, 2, 1, 2],
    }
)


def swapped(table: pl.DataFrame, *operations: bb.Operation, **options: object) -> pl.DataFrame:
    return bb.apply(table, bb.Plan(operations, **options), keep=table.columns, keep_order=True).data


def test_the_worked_table_of_the_guide() -> None:
    """11.5: all attributes are swapped, each on its own. The values are all there, and the persons where they were."""
    result = swapped(CLIENTS, *(bb.Swap([column]) for column in CLIENTS.columns[1:]))

    assert result["person"].equals(CLIENTS["person"])
    assert result.schema == CLIENTS.schema
    for column in CLIENTS.columns:
        assert sorted(result[column]) == sorted(CLIENTS[column])


def test_columns_that_are_named_together_move_together() -> None:
    result = swapped(CLIENTS, bb.Swap(["title", "born", "visits"]))

    assert sorted(result.select("title", "born", "visits").rows()) == sorted(
        CLIENTS.select("title", "born", "visits").rows()
    )
    assert result.select("person", "member").equals(CLIENTS.select("person", "member"))


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.booleans()), min_size=1), st.integers(0, 99)
)
def test_values_stay_within_their_stratum_and_among_the_released(records, seed) -> None:
    """Whoever is dropped neither gives nor takes; every stratum has the values that it had."""
    table = pl.DataFrame({"stratum": [r[0] for r in records], "value": [r[1] for r in records]})
    dropped = [r[2] for r in records]
    assume(not all(dropped))
    drop = bb.SuppressRecords({"dropped": "true"})
    plan = bb.Plan([drop, bb.Swap(["value"], within=["stratum"])], sensitive=["stratum", "value"])
    with pytest.warns(bb.BiomboWarning) if _alone(table, dropped) else nullcontext():
        after = seeded(plan, table.with_columns(dropped=pl.Series(dropped)), seed).data["value"]

    kept = table.filter(~pl.Series(dropped)).with_columns(after=after)
    for _, rows in kept.group_by("stratum"):
        assert Counter(rows["value"]) == Counter(rows["after"])


def _alone(table: pl.DataFrame, dropped: list[bool]) -> bool:
    return 1 in Counter(table["stratum"].filter(~pl.Series(dropped))).values()


def test_every_order_is_equally_likely() -> None:
    table = pl.DataFrame({"x": list("abc")})
    plan = bb.Plan([bb.Swap(["x"])], sensitive=["x"])
    orders = Counter("".join(seeded(plan, table, seed).data["x"]) for seed in range(1500))

    assert set(orders) == {"".join(order) for order in permutations("abc")}
    assert sum((seen - 250) ** 2 / 250 for seen in orders.values()) < 20.5  # χ² with 5 degrees of freedom, 99.9%


def test_suppressed_records_give_nothing_away() -> None:
    table = pl.DataFrame({"group": ["a"] * 20 + ["b"], "value": ["common"] * 20 + ["secret"]})
    plan = bb.Plan([bb.SuppressGroups(), bb.Swap(["value"])], [bb.KAnonymity(2)], ["group"])

    assert bb.apply(table, plan).data["value"].unique().to_list() == ["common"]


def test_who_is_alone_in_a_stratum_is_told() -> None:
    table = pl.DataFrame({"sex": ["F", "F", "M"], "value": [1, 2, 3]})

    with pytest.warns(bb.BiomboWarning, match="1 record is alone in its stratum"):
        assert swapped(table, bb.Swap(["value"], within=["sex"]))["value"][2] == 3


def test_values_keep_their_types_across_parts() -> None:
    kinds = {
        "whole": pl.Series([1, 2, None], dtype=pl.Int16),
        "real": pl.Series([1.5, None, 2.5], dtype=pl.Float32),
        "day": pl.Series(["2024-01-31", "2024-02-29", None]).str.to_date(),
        "code": pl.Series(["007", "7", None]),
    }
    parts = [pl.DataFrame(kinds), pl.DataFrame(kinds)]
    result = bb.apply(parts, bb.Plan([bb.Swap(list(kinds))]), keep_order=True).data

    assert result.schema == pl.Schema({"whole": pl.Int64, "real": pl.Float64, "day": pl.Date, "code": pl.String})
    assert Counter(result.rows()) == Counter(pl.concat(parts).rows())


def test_several_parts_with_types_of_their_own_get_one() -> None:
    parts = [pl.DataFrame({"x": [1, 2]}), pl.DataFrame({"x": [1.5, 2.5]})]

    assert sorted(bb.apply(parts, bb.Plan([bb.Swap(["x"])])).data["x"]) == [1, 1.5, 2, 2.5]


def test_a_column_of_many_values_in_many_batches(tmp_path) -> None:
    table = pl.DataFrame({"x": [f"{n:06}" for n in range(200_000)], "n": range(200_000)})
    table.write_parquet(tmp_path / "in.parquet", row_group_size=30_000)
    plan = bb.Plan([bb.Swap(["x"])], sensitive=["n"])
    bb.apply(tmp_path / "in.parquet", plan, tmp_path / "out.parquet", keep_order=True)
    result = pl.read_parquet(tmp_path / "out.parquet")

    assert result["x"].sort().equals(table["x"])
    assert result["n"].equals(table["n"])
    assert (result["x"] == table["x"]).sum() < 50


def test_operations_before_and_after_see_what_they_should() -> None:
    """Generalised before it is swapped; groups are judged by the swapped values."""
    table = pl.DataFrame({"age": ["31", "38", "62", "67"], "sex": ["F", "F", "M", "M"]})
    plan = bb.Plan(
        [bb.Swap(["sex"]), bb.Generalise("age", bb.Hierarchy.by_interval(10), 1)], [bb.KAnonymity(1)], ["age", "sex"]
    )
    applied = bb.apply(table, plan, keep_order=True)

    assert applied.data["age"].to_list() == ["[30, 40)", "[30, 40)", "[60, 70)", "[60, 70)"]
    assert sorted(applied.data["sex"]) == ["F", "F", "M", "M"]


class TestBadEntries:
    def test_no_column(self) -> None:
        with refused("plan.no-column-named", "swap"):
            bb.Swap([])

    def test_a_text_for_a_list(self) -> None:
        with refused("usage.string-for-list", "columns"):
            bb.Swap("title")

    def test_a_column_within_itself(self) -> None:
        with refused("plan.swap-within-itself", "'title'"):
            bb.Swap(["title"], within=["title"])

    @pytest.mark.parametrize("entries", [{"columns": ["nme"]}, {"columns": ["title"], "within": ["nme"]}])
    def test_an_unknown_column(self, entries) -> None:
        plan = bb.Plan.from_tree({"biombo-plan": 1, "operations": [{"swap": entries}]})
        with refused("column.missing", "'nme'"):
            bb.apply(CLIENTS, plan)

    def test_a_table_that_does_not_fit_into_memory(self, monkeypatch, tmp_path) -> None:
        monkeypatch.setattr("biombo._plan.limits.memory_bytes", lambda: 5 * 56 - 1)
        with refused("plan.too-large", "swap", "5"):
            swapped(CLIENTS, bb.Swap(["title"]))
        CLIENTS.write_csv(tmp_path / "clients.csv")  # which does not tell its rows beforehand
        with refused("plan.too-large", "swap", "clients.csv"):
            bb.apply(tmp_path / "clients.csv", bb.Plan([bb.Swap(["title"])]))
        monkeypatch.setattr("biombo._plan.limits.memory_bytes", lambda: 5 * 56)
        assert swapped(CLIENTS, bb.Swap(["title"])).height == 5


def test_it_is_written_and_read_as_yaml() -> None:
    plan = bb.Plan([bb.Swap(["title", "born"], within=["member"])])

    assert bb.Plan.from_tree(plan.to_tree()) == plan
