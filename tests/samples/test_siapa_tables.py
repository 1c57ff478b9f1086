from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from biombo._errors import UsageError
from biombo._i18n import set_language
from biombo._samples import code_arrays, tables, write_csv, write_parquet

SMALL = {"facilities": 30, "municipalities": 8}
PATTERNS = {
    "PA_CODUNI": r"^\d{7}$",
    "PA_MUNPCN": r"^359\d{3}$",
    "PA_IDADE": r"^(0\d\d|10\d|110)$",
    "PA_MVM": r"^(2023(0[1-9]|1[0-2])|20240[1-3])$",
    "PA_CMP": r"^2023(0[1-9]|1[0-2])$",
    "PA_RACACOR": r"^0[1-5]$",
    "PA_SEXO": r"^[FM]$",
    "PA_PROC_ID": r"^0[1-8]3[1-3]\d{6}$",
}


def made(rows: int, **options) -> pl.DataFrame:
    return pl.DataFrame(pa.Table.from_batches(tables(rows, **SMALL, **options))).cast(pl.String)


def test_a_seed_is_a_whole_number_from_0_up(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="seed"):
        write_parquet(tmp_path / "t.parquet", 10, seed=-1)
    assert list(tmp_path.iterdir()) == []


def test_values_are_written_as_datasus_writes_them() -> None:
    records = made(5_000)
    assert records.columns == list(PATTERNS)
    for column, pattern in PATTERNS.items():
        assert records[column].str.contains(pattern).all(), column


def test_columns_are_dictionary_encoded_with_the_codes_of_the_arrays() -> None:
    batch = next(tables(5_000, **SMALL))
    codes = code_arrays(5_000, **SMALL)
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        assert pa.types.is_dictionary(column.type)
        assert (column.indices.to_numpy() == codes[name]).all()


@pytest.mark.parametrize("batch_rows", [1_000, 262_144, 299_999, 300_000, 10_000_000])
def test_the_batch_size_changes_nothing_but_the_batches(batch_rows: int) -> None:
    batches = list(tables(300_000, batch_rows=batch_rows, invalid_share=0.1, **SMALL))
    assert [batch.num_rows for batch in batches[:-1]] == [batch_rows] * (len(batches) - 1)
    assert (
        pa.Table.from_batches(batches)
        .combine_chunks()
        .equals(pa.Table.from_batches(tables(300_000, invalid_share=0.1, **SMALL)).combine_chunks())
    )


def test_the_state_is_named_only_when_asked_for() -> None:
    named = made(100, uf="PI")
    assert named["UF"].unique().to_list() == ["PI"]
    assert named["PA_MUNPCN"].str.starts_with("229").all()
    assert "UF" not in made(100).columns


def test_invalid_rows_have_the_values_that_stand_for_unknown() -> None:
    records = made(50_000, invalid_share=0.2)
    unknown = records.filter(pl.col("PA_RACACOR") == "99")
    assert len(unknown) == pytest.approx(10_000, rel=0.05)
    consolidated = records.filter(pl.col("PA_SEXO") == "0")
    assert 0 < len(consolidated) < 0.2 * len(unknown)
    assert consolidated.select("PA_MUNPCN", "PA_IDADE", "PA_RACACOR").unique().rows() == [("999999", "999", "99")]


def test_valid_rows_are_the_same_whatever_the_share_of_invalid_ones() -> None:
    records, spoiled = made(20_000), made(20_000, invalid_share=0.3)
    kept = spoiled["PA_RACACOR"] != "99"
    assert records.filter(kept).equals(spoiled.filter(kept))


def test_a_parquet_file_holds_the_same_rows_as_plain_strings(tmp_path: Path) -> None:
    file = tmp_path / "sample.parquet"
    write_parquet(file, 2_500, batch_rows=1_000, **SMALL)
    assert pq.ParquetFile(file).num_row_groups == 3
    assert pl.read_parquet(file).equals(made(2_500))


@pytest.mark.parametrize("separator", [",", ";"])
def test_a_csv_file_holds_the_same_rows_under_one_header(tmp_path: Path, separator: str) -> None:
    file = tmp_path / "sample.csv"
    write_csv(file, 2_500, separator=separator, batch_rows=1_000, uf="SP", **SMALL)
    assert pl.read_csv(file, separator=separator, infer_schema=False).equals(made(2_500, uf="SP"))


@pytest.mark.parametrize("write", [write_parquet, write_csv])
def test_a_file_for_a_folder_that_is_not_there_is_refused(tmp_path: Path, write) -> None:
    with pytest.raises(UsageError, match="missing"):
        write(tmp_path / "missing" / "sample", 100, **SMALL)


@pytest.mark.parametrize(
    ("language", "sentence"), [("en", "no made-up state 'XX'"), ("pt", "dados fictícios do estado 'XX'")]
)
def test_a_state_that_is_not_made_up_is_refused(language: str, sentence: str) -> None:
    set_language(language)
    try:
        with pytest.raises(UsageError, match=sentence):
            tables(10, uf="XX")
    finally:
        set_language("en")


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_a_share_of_invalid_rows_beyond_all_or_none_is_refused(share: float) -> None:
    with pytest.raises(UsageError, match=r"^invalid_share is "):
        tables(10, invalid_share=share)
