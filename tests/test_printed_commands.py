"""Every command that the READMEs and tutorials print runs as it is printed, one after the other."""

import io
import shlex
import shutil
import sys
from pathlib import Path

import polars as pl
import pytest

from biombo._cli import main
from biombo._report.charts import as_specification, drawing

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data"
REAL = {"DNAC2010.dbc": DATA / "datasus" / "DNAC2010.dbc", "PA*.dbc": DATA / "siapa" / "PAAC2401.dbc"}
"""The files of DATASUS that pages speak of, and where they are."""

PAGES = ("README.md", "README.pt-BR.md", "docs/tutorial.md", "docs/tutorial.pt-BR.md")


def commands(page: str) -> list[str]:
    """What stands in blocks without a language and begins as a command does; make has tests of its own."""
    found, language = [], None
    for line in (ROOT / page).read_text("utf-8").splitlines():
        if line.startswith("```"):
            language = line[3:].strip() if language is None else None
        elif language == "" and line.startswith("biombo "):
            found.append(line.partition("  #")[0].strip())
    return found


def people(rows: int = 3000) -> pl.DataFrame:
    """Somebody's table of people."""
    return pl.DataFrame(
        {
            "name": [f"Person {number}" for number in range(rows)],
            "birth_date": [
                f"{1930 + number * 7 % 80}-{1 + number % 12:02}-{1 + number % 28:02}" for number in range(rows)
            ],
            "sex": ["F" if number % 3 else "M" for number in range(rows)],
            "city": [f"Town {number % 9}" for number in range(rows)],
            "disease": [("flu", "gout", "asthma", "A90")[number * number % 11 % 4] for number in range(rows)],
        }
    )


def test_no_command_is_overlooked() -> None:
    """Also those in blocks that come after code in a language."""
    for page in PAGES:
        lines = (ROOT / page).read_text("utf-8").splitlines()
        printed = [line.partition("  #")[0].strip() for line in lines if line.startswith("biombo ")]
        assert commands(page) == printed
        assert len(printed) >= 5


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_every_printed_command_works(page, tmp_path, monkeypatch, capsys) -> None:
    """In this process and without drawing charts: how the program begins, and what it draws, is tested elsewhere."""
    monkeypatch.chdir(tmp_path)
    for name in ("people.csv", "pessoas.csv"):
        people().write_csv(name)
    for file in REAL.values():
        if file.is_file():
            shutil.copy(file, tmp_path)
    absent = []
    for command in commands(page):
        if missing := [name for name, file in REAL.items() if name in command and not file.is_file()]:
            absent += missing
            continue
        monkeypatch.setattr(sys, "stdin", io.StringIO("\n" * 200))
        with drawing(as_specification):
            code = main(shlex.split(command)[1:])
        told = capsys.readouterr()
        assert code == 0, f"{command}\n{told.out[-2000:]}\n{told.err[-2000:]}"
    if absent:
        pytest.skip(f"{', '.join(absent)} is not beside the project; all other commands ran")
