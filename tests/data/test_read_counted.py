"""Reading a table counted against reading it row by row."""

from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from counting import counted, expanded
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb
from biombo._cells import RECORDS_AT_MOST
from biombo._data import read_counted

value = st.sampled_from(["a", "b", "0013", "", None])
frames = st.lists(st.tuples(value, value, st.none() | st.integers(0, 3)), min_size=1, max_size=40).map(
    lambda rows: pl.DataFrame(rows, schema={"x": pl.String, "y": pl.String, "z": pl.Int64}, orient="row")
)


def records(data: bb.Dataset) -> Counter[tuple[object, ...]]:
    whole = data if data.counts is None else expanded(data)
    return Counter(whole.decoded().rows())


@given(frames)
def test_the_records_are_those_of_the_rows(frame: pl.DataFrame) -> None:
    by_row, found = bb.read(frame), read_counted(frame)
    assert records(found) == records(by_row)
    assert (found.records, found.rows) == (
        by_row.records,
        frame.with_columns(pl.col("x", "y").replace("", None)).n_unique(),
    )
    for name, column in by_row.columns.items():
        assert found[name].values.equals(column.values, null_equal=True), "the dictionaries are the same"
    assert repr(found) == f"<Dataset {found.label}: {len(frame)} records in {found.rows} tuples, 3 columns>"


def test_files_whose_dictionaries_grow_are_counted_together(tmp_path: Path) -> None:
    for number, values in enumerate([["a", "b"], [str(i) for i in range(300)], ["b", "a", "299"]]):
        pl.DataFrame({"x": values}).write_csv(tmp_path / f"{number}.csv")
    found = read_counted([tmp_path / f"{number}.csv" for number in range(3)])
    assert records(found) == Counter({("a",): 2, ("b",): 2, ("299",): 2} | {(str(i),): 1 for i in range(299)})


def test_values_that_are_written_alike_stay_one_however_they_were_counted() -> None:
    mixed = [pl.DataFrame({"x": [1, 2]}), pl.DataFrame({"x": ["1", "z"]})]
    with pytest.warns(bb.BiomboWarning):
        found = read_counted(mixed)
    assert records(found) == Counter({("1",): 2, ("2",): 1, ("z",): 1})
    assert bb.reidentification(found, ["x"]).subsets["groups"].to_list() == [3]


@given(frames)
def test_a_column_through_a_hierarchy_keeps_the_counts(frame: pl.DataFrame) -> None:
    upper = bb.Hierarchy.by_hand({"one": ["a", ""], "other": ["b", "0013"]})
    data = bb.read(frame)
    assert records(bb.through(counted(data), "x", upper, 1)) == records(bb.through(data, "x", upper, 1))


@given(frames, st.data())
def test_rows_taken_keep_their_counts(frame: pl.DataFrame, more: st.DataObject) -> None:
    data = counted(bb.read(frame))
    assert data.counts is not None
    rows = np.array(more.draw(st.lists(st.integers(0, data.rows - 1), min_size=1, unique=True)))
    assert data.take(rows).records == data.counts[rows].sum()


def test_what_needs_rows_says_so() -> None:
    data = read_counted(pl.DataFrame({"x": ["a", "a", "b"], "s": ["1", "1", "2"]}))
    with pytest.raises(bb.UsageError, match="row by row"):
        data.decoded()
    with pytest.raises(bb.UsageError, match="row by row"):
        bb.attribute_inference(data, ["x"], "s").records(["x"])


def test_a_table_without_rows_is_refused() -> None:
    with pytest.raises(bb.InputError):
        read_counted(pl.DataFrame({"x": []}, schema={"x": pl.String}))


@pytest.mark.parametrize("counts", [[1], [1, 0], [2, -1], [RECORDS_AT_MOST, 1]])
def test_counts_that_cannot_be_are_refused(counts: list[int]) -> None:
    two = bb.read(pl.DataFrame({"x": ["a", "b"]}))
    with pytest.raises(bb.UsageError):
        bb.Dataset(two.columns, 2, two.schema, "made up", counts=np.array(counts))


def test_as_many_records_as_can_be_are_counted() -> None:
    two = bb.read(pl.DataFrame({"x": ["a", "b"]}))
    data = bb.Dataset(two.columns, 2, two.schema, "made up", counts=np.array([RECORDS_AT_MOST - 1, 1]))
    found = bb.reidentification(data, ["x"])
    assert (found.rows, found.subsets["groups"][0], found.subsets["unique"][0]) == (RECORDS_AT_MOST, 2, 1)
