from pathlib import Path

import polars as pl
import pytest

import biombo as bb


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
