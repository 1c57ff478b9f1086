"""One table, whatever it is written as."""

import gzip
import json
import pickle
import zipfile
from datetime import date
from pathlib import Path

import openpyxl
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from written_tables import FORMATS, Table, ods_sheet, write_ods

from biombo._data import SourceTable, read

LETTERS = st.characters(min_codepoint=33, max_codepoint=0x17F, exclude_categories=["Cc", "Cs", "Z"])
TEXTS = st.text(LETTERS, min_size=1, max_size=5)
CELLS = st.none() | TEXTS | st.sampled_from(["0000013", "13", "1.50", "2024-01-31", "true", "São Paulo", "NULL", "nan"])


@st.composite
def tables(draw: st.DrawFn) -> Table:
    names = draw(st.lists(st.sampled_from(["age", "city", "cnes", "cid"]), unique=True, min_size=1, max_size=3))
    rows = draw(st.integers(2, 6))
    table = {name: draw(st.lists(CELLS, min_size=rows, max_size=rows)) for name in names}
    # a column that is full keeps rows from being blank, and from looking like a title
    return {"code": [f"c{number}" for number in range(rows)], **table}


def texts(path: Path) -> dict[str, list[str | None]]:
    return {name: column.decoded().to_list() for name, column in read(path).columns.items()}


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=12)
@given(table=tables())
@example(table={"code": ["0000013", "13", None], "cid": [None, "A90", "A90"]})
def test_texts_are_the_same_in_every_format(tmp_path_factory, name, table) -> None:
    path = tmp_path_factory.mktemp("formats") / name
    FORMATS[name](table, path)
    present = {column: values for column, values in table.items() if "xml" not in name or any(values)}
    assert texts(path) == {column: list(values) for column, values in present.items()}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_can_be_read_by_workers(tmp_path, name) -> None:
    """Parts travel as pickles without what was unpacked, and are read again where they arrive."""
    table = {"code": ["a", "b", "c"], "cid": ["A90", None, "A90"]}
    FORMATS[name](table, tmp_path / name)
    whole = SourceTable.open(tmp_path / name)
    assert whole.columns == ["code", "cid"]
    parts = [pickle.loads(pickle.dumps(part)) for part in whole.cut(10)]
    rows = [row for part in parts for _, batch in part.batches(["cid", "code"]) for row in batch.to_pylist()]
    assert rows == [{"cid": cid, "code": code} for code, cid in zip(*table.values(), strict=True)]


@pytest.mark.parametrize("name", FORMATS)
def test_columns_that_nobody_wants_are_not_in_the_batches(tmp_path, name) -> None:
    FORMATS[name]({"code": ["a", "b"], "cid": ["A90", "B24"]}, tmp_path / name)
    batches = [batch for _, batch in SourceTable.open(tmp_path / name).batches(["cid"])]
    assert {tuple(batch.schema.names) for batch in batches} == {("cid",)}


def test_numbers_and_dates_are_written_alike_whether_a_format_has_types_or_not(tmp_path) -> None:
    values = {"age": [30, 31], "weight": [70.5, 80.0], "born": [date(1990, 1, 31), None], "alive": [True, False]}
    frame = pl.DataFrame(values)
    frame.write_parquet(tmp_path / "x.parquet")
    frame.write_csv(tmp_path / "x.csv")
    (tmp_path / "x.json").write_text(json.dumps(frame.with_columns(pl.col("born").cast(pl.String)).to_dicts()))
    book = openpyxl.Workbook()
    for row in [list(values), *zip(*values.values(), strict=True)]:
        book.active.append(row)
    book.save(tmp_path / "x.xlsx")
    cell = '<table:table-cell office:value-type="{}" office:{}="{}"/>'
    kinds = [("float", "value"), ("float", "value"), ("date", "date-value"), ("boolean", "boolean-value")]
    rows = [
        [(*kind, value) for kind, value in zip(kinds, row, strict=True)]
        for row in (["30", "70.5", "1990-01-31", "true"], ["31", "80.0", "", "false"])
    ]
    header = "".join(f"<table:table-cell><text:p>{name}</text:p></table:table-cell>" for name in values)
    write_ods(tmp_path / "x.ods", ods_sheet([header, *("".join(cell.format(*each) for each in row) for row in rows)]))

    expected = {
        "age": ["30", "31"],
        "weight": ["70.5", "80"],
        "born": ["1990-01-31", None],
        "alive": ["true", "false"],
    }
    from biombo._data import written

    for path in sorted(tmp_path.glob("x.*")):
        found = {name: written(column.decoded()).to_list() for name, column in read(path).columns.items()}
        if path.suffix == ".csv":  # which shows numbers as they stand there
            found["weight"] = [value.removesuffix(".0") for value in found["weight"]]
        assert found == expected, path.name


def test_the_name_inside_says_what_a_packed_file_is(tmp_path) -> None:
    (tmp_path / "x.tsv.gz").write_bytes(gzip.compress(b"a\tb\n1\t2\n"))
    (tmp_path / "data.2023.gz").write_bytes(gzip.compress(b"a;b\n1;2\n"))
    with zipfile.ZipFile(tmp_path / "PAAC2401.zip", "w") as archive:
        archive.writestr("PAAC2401.csv", "a,b\n1,2\n")
    for path in sorted(tmp_path.iterdir()):
        assert texts(path) == {"a": ["1"], "b": ["2"]}
    data = read(tmp_path / "PAAC2401.zip", filename="PA{uf:2}{year:2}{month:2}.csv")
    assert data["uf"].decoded().to_list() == ["AC"]
