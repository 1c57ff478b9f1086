"""Columns that are coded while something else reads them."""

import polars as pl
import pyarrow as pa
from refusal import refused

import biombo as bb
from biombo._data import CodedTable, Source, SourceTable

PARTS = [
    pl.DataFrame({"a": ["x", "y"], "b": [1, 2], "c": ["p", "q"]}),
    pl.DataFrame({"a": ["x"], "b": [3], "c": [None]}),
]


class Counting(Source):
    """Two batches, and the columns that were asked for each time."""

    label, columns, rows = "made up", ["a", "b", "c"], None

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def batches(self, columns):
        self.asked.append(list(columns))
        for part in PARTS[: max(1, 3 - len(self.asked))]:
            yield part.select(columns).to_arrow().to_batches()[0]


def table(wanted, coded=None) -> tuple[CodedTable, Counting]:
    source = Counting()
    return CodedTable((source,), None, wanted, dict(coded or {})), source


def read_whole(coded: CodedTable, columns) -> None:
    for _ in coded.batches(columns):
        pass


def test_what_was_read_is_not_read_again() -> None:
    coded, source = table(("a", "b"))
    read_whole(coded, ["b", "a", "c"])
    data = coded.dataset(bb.Schema())

    assert source.asked == [["b", "a", "c"]]
    assert {name: data[name].decoded().to_list() for name in data.columns} == {"a": ["x", "y", "x"], "b": [1, 2, 3]}
    assert (list(data.columns), data.rows, data.label) == (["a", "b"], 3, "made up")


def test_only_what_nothing_has_read_is_read_now() -> None:
    coded, source = table(("a", "c"))
    read_whole(coded, ["a"])
    source.asked.clear()
    data = coded.dataset(bb.Schema())

    assert source.asked == [["c"]]
    assert data["c"].decoded().to_list() == ["p", "q", None]


def test_a_pass_that_was_broken_off_does_not_count() -> None:
    coded, source = table(("a",))
    next(iter(coded.batches(["a"])))
    source.asked.clear()

    assert coded.dataset(bb.Schema())["a"].decoded().to_list() == ["x", "y", "x"]


def test_columns_that_were_coded_before_are_not_read_at_all() -> None:
    before = bb.read(pl.concat(PARTS))
    coded, source = table(("a", "b"), before.columns)

    assert coded.dataset(bb.Schema())["a"] is before["a"]
    assert source.asked == []


def test_passes_that_give_other_rows_are_no_one_table() -> None:
    coded, _ = table(("a", "b"))
    read_whole(coded, ["a"])
    with refused("plan.changed", "made up"):
        coded.dataset(bb.Schema())


def test_a_stream_that_gives_its_rows_once_is_kept() -> None:
    whole = pl.concat(PARTS).to_arrow()
    stream = pa.RecordBatchReader.from_batches(whole.schema, whole.to_batches())
    coded = CodedTable.of(SourceTable.open(stream), ["a"])
    read_whole(coded, ["b"])

    assert coded.dataset(bb.Schema())["a"].decoded().to_list() == ["x", "y", "x"]
