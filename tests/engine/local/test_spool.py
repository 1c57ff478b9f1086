"""What was drawn at random is drawn once, and read back as it was."""

from dataclasses import replace
from datetime import date

import polars as pl
import pyarrow as pa
from refusal import refused

import biombo as bb
from biombo._engine import Spool, read_as

PLAN = bb.Plan([bb.AddNoise("n", 5), bb.DropDuplicates(["id"])])
"""The noise is settled, because duplicates can only be told by a pass of their own."""


def settled(*parts: pl.DataFrame | pa.Table) -> pl.DataFrame:
    kept = bb.read(parts[0]).columns.keys() - {"n"}
    return bb.apply(list(parts), PLAN, keep=kept, keep_order=True).data


def part(ids: list[int], **columns: object) -> pl.DataFrame:
    return pl.DataFrame({"id": ids, "n": ids, **columns})


def test_values_and_types_come_back_as_they_were() -> None:
    table = part(
        [1, 2, 3],
        text=["007", None, "7"],
        real=[1.5, None, -0.5],
        day=[date(2024, 1, 31), None, date(2024, 2, 1)],
        flag=[True, None, False],
        small=pl.Series([1, None, 3], dtype=pl.Int8),
    )

    assert settled(table).drop("n").equals(table.drop("n").cast({"small": pl.Int64}))


def test_each_part_may_have_a_dictionary_of_its_own_or_none() -> None:
    def coded(values: list[str | None], ids: list[int], index: pa.DataType) -> pa.Table:
        dictionary = pa.array(values).dictionary_encode().cast(pa.dictionary(index, pa.string()))
        return pa.table({"id": ids, "n": ids, "x": dictionary})

    parts = [coded(["b", "a", "b"], [1, 2, 3], pa.int8()), coded(["c", None], [4, 5], pa.int32())]
    parts.append(pa.table({"id": [6], "n": [6], "x": pa.array(["d"], pa.large_string())}))

    assert settled(*parts)["x"].to_pylist() == ["b", "a", "b", "c", None, "d"]


def test_a_column_may_begin_without_values() -> None:
    empty = pl.DataFrame({"id": [1], "n": [1], "x": [None]})

    assert settled(empty, part([2], x=["a"]))["x"].to_list() == [None, "a"]
    assert settled(empty, part([2], x=[5]))["x"].to_list() == [None, 5]
    assert settled(part([2], x=[5]), empty)["x"].to_list() == [5, None]


def test_whole_numbers_of_several_widths_are_one_type() -> None:
    wide, narrow = part([1], x=[10**6]), part([2], x=pl.Series([8], dtype=pl.Int16))

    assert settled(wide, narrow)["x"].to_list() == [10**6, 8]
    assert settled(narrow, wide)["x"].to_list() == [8, 10**6]


def test_types_that_cannot_be_one_are_told() -> None:
    with refused("plan.types", "'x'"):
        settled(part([1], x=[7]), part([2], x=["a"]))
    with refused("plan.types", "'x'"):
        settled(part([1], x=[2**53 + 1]), part([2], x=[0.5]))


def test_what_is_not_released_and_nothing_asks_for_does_not_lie_in_the_file(monkeypatch) -> None:
    kept: list[list[str]] = []

    class Watched(Spool):
        def __init__(self, *arguments: object) -> None:
            super().__init__(*arguments)
            kept.append([name for name in self.columns if read_as(name) is None])

    monkeypatch.setattr("biombo._engine.local.stream.Spool", Watched)
    table = part([1, 2], name=["Ana", "Bia"], cpf=["1", "2"], note=["x", "y"])
    named = bb.Plan([bb.AddNoise("n", 5), bb.DropDuplicates(["id", "cpf"])], identifiers=["name", "cpf"])
    everything = bb.Plan([bb.AddNoise("n", 5), bb.DropDuplicates()], identifiers=["name", "cpf"])

    of_people = replace(named, person="name")

    for plan in (named, everything, of_people):
        assert bb.apply(table, plan).data.columns == ["n"]
    assert bb.apply(table, named, keep=["note"]).data.columns == ["n", "note"]
    assert [sorted(columns) for columns in kept] == [
        ["cpf", "id", "n"],
        ["cpf", "id", "n", "name", "note"],
        ["cpf", "id", "n", "name"],
        ["cpf", "id", "n", "note"],
    ]
