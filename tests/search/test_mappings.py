"""What becomes of each value under a plan that was found."""

import stat
from pathlib import Path

import polars as pl
import pytest

import biombo as bb
from biombo._cli import main

TABLE = pl.DataFrame(
    {"age": ["31", "34", "36", "52", None, None], "note": ["=1+1", "=1+1", "@x", "@x", "=1+1", "=1+1"], "n": range(6)}
)
ASKED = {"quasi": ["age", "note"], "hierarchies": {"age": "age", "note": bb.Hierarchy.all_or_nothing()}}


def test_each_value_has_what_is_released_for_it_and_its_records() -> None:
    for found in bb.search(bb.read(TABLE), bb.KAnonymity(2), max_suppression=0.5, **ASKED):
        mapped = {(column, value): label for column, value, label, _ in found.mappings.rows()}
        steps = [step for step in found.plan.operations if isinstance(step, bb.Generalise)]
        generalised = bb.apply(TABLE, bb.Plan(steps, quasi=["age", "note"]), keep_order=True).data
        for column in ("age", "note"):
            pairs = set(zip(TABLE[column], generalised[column], strict=True))
            assert {(value, mapped[column, value]) for value in set(TABLE[column])} == pairs
        assert found.mappings["records"].sum() == 2 * TABLE.height


def test_the_file_is_private_and_has_no_formulas(tmp_path: Path, capsys) -> None:
    TABLE.write_csv(table := tmp_path / "people.csv")
    (folder := tmp_path / "hierarchies").mkdir()
    (folder / "note.csv").write_text("=1+1;=a\n@x;=a\n", encoding="utf-8")
    file = tmp_path / "mappings.csv"
    typed = ["search", str(table), "--quasi", "age,note", "--hierarchies", str(folder), "--k", "2"]
    assert main([*typed, "--level", "note=1", "--mappings", str(file)]) == 0
    assert "for you alone" in capsys.readouterr().err
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "note,'=1+1,'=a,4" in file.read_text("utf-8").splitlines()
    assert main([*typed, "--mappings", str(file)]) == 2
    assert main([*typed, "--mappings", str(tmp_path / "mappings.txt")]) == 2
    assert "ends in .csv" in capsys.readouterr().err


def test_without_a_plan_there_are_no_mappings(tmp_path: Path) -> None:
    TABLE.write_csv(table := tmp_path / "people.csv")
    file = tmp_path / "mappings.csv"
    typed = ["search", str(table), "--quasi", "age", "--k", "5", "--level", "age=0", "--mappings", str(file)]
    assert main(typed) == 1
    assert not file.exists()


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_both_languages_say_that_it_is_private(tmp_path: Path, capsys, lang: str) -> None:
    TABLE.write_csv(table := tmp_path / "people.csv")
    typed = ["search", str(table), "--quasi", "note", "--k", "2", "--mappings", str(tmp_path / "m.csv"), "--lang", lang]
    assert main(typed) == 0
    assert {"en": "for you alone", "pt": "só para você"}[lang] in capsys.readouterr().err


def test_of_groups_with_levels_of_their_own_a_value_may_become_several(tmp_path: Path) -> None:
    TABLE.write_csv(table := tmp_path / "people.csv")
    typed = ["search", str(table), "--quasi", "note", "--k", "2", "--mappings", str(tmp_path / "m.csv")]
    assert main([*typed, "--recoding", "local"]) == 0
    mapped = pl.read_csv(tmp_path / "m.csv", infer_schema=False)

    assert mapped.columns == ["column", "value", "released", "records"]
    assert mapped["records"].cast(int).sum() == TABLE.height
    assert (tmp_path / "m.csv").stat().st_mode & 0o777 == 0o600
