from pathlib import Path

import polars as pl
import pytest

import biombo as bb


def test_a_csv_lists_what_each_value_becomes(tmp_path: Path) -> None:
    file = tmp_path / "zip.csv"
    file.write_text("02138;0213*;021**\n02142;0214*;021**\n")
    zip_codes = bb.Hierarchy.from_csv(file)
    assert zip_codes.height == 2
    assert [zip_codes.generalised("02138", level) for level in range(3)] == ["02138", "0213*", "021**"]


def test_latin_1_and_commas_are_read_too(tmp_path: Path) -> None:
    file = tmp_path / "h.csv"
    file.write_bytes("São Paulo,Sudeste\nRoraima,Norte\n".encode("latin-1"))
    assert bb.Hierarchy.from_csv(file).generalised("São Paulo", 1) == "Sudeste"


@pytest.mark.parametrize(
    ("content", "words"),
    [("a;b\nc\n", "line 2"), ("a;b\na;c\n", "line 2"), ("a\nb\n", "level"), ("", "level")],
)
def test_a_broken_table_is_refused_with_its_line(tmp_path: Path, content: str, words: str) -> None:
    file = tmp_path / "broken.csv"
    file.write_text(content)
    with pytest.raises(bb.InputError, match=words):
        bb.Hierarchy.from_csv(file)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(bb.InputError, match=r"nowhere\.csv"):
        bb.Hierarchy.from_csv(tmp_path / "nowhere.csv")


@pytest.mark.parametrize("lengths", [[], [2, 4], [4, 4], [2, -1]])
def test_prefixes_must_get_shorter(lengths: list[int]) -> None:
    with pytest.raises(bb.UsageError):
        bb.Hierarchy.by_prefix(lengths)


def test_a_level_that_does_not_exist_is_refused() -> None:
    with pytest.raises(bb.UsageError, match="3"):
        bb.Hierarchy.by_prefix([4, 2]).generalised("030402", 3)


def test_values_missing_from_the_hierarchy_are_named(tmp_path: Path) -> None:
    file = tmp_path / "h.csv"
    file.write_text("a;x\nb;x\n")
    data = bb.read(pl.DataFrame({"c": ["a", "b", "z"]}))
    with pytest.raises(bb.ColumnError, match="z"):
        bb.through(data, "c", bb.Hierarchy.from_csv(file), 1)


def test_missing_and_invalid_values_stay_what_they_are() -> None:
    schema = bb.Schema({"c": bb.ColumnSchema("sensitive", invalid=frozenset({"9999"}))})
    data = bb.read(pl.DataFrame({"c": ["0301", "0302", None, "9999"]}), schema)
    grouped = bb.through(data, "c", bb.Hierarchy.by_prefix([2]), 1)
    assert grouped["c"].decoded().to_list() == ["03", "03", None, "9999"]
    assert data["c"].decoded().to_list() == ["0301", "0302", None, "9999"]
