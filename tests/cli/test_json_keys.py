"""The words of ``--json``: each is documented, and one thing has one word."""

import json
import re
from pathlib import Path

import polars as pl
import pytest

DOCUMENTED = Path(__file__).parents[2] / "docs" / "terminal.md"


@pytest.fixture(scope="module")
def told(tmp_path_factory) -> dict[str, dict]:
    """What each command prints for the same table."""
    from contextlib import redirect_stderr, redirect_stdout
    from io import StringIO

    from biombo._cli import main

    folder = tmp_path_factory.mktemp("json")
    table, plan, release = folder / "people.csv", folder / "plan.yaml", folder / "release"
    rows = range(60)
    columns = {
        "age": [row % 3 for row in rows],
        "sex": ["FM"[row % 2] for row in rows],
        "ill": [row % 5 for row in rows],
    }
    pl.DataFrame(columns).with_columns(note=pl.lit("x")).write_csv(table)
    asked = ("--quasi", "age,sex", "--sensitive", "ill")
    commands = {
        "inspect": ("inspect", table),
        "risk": ("risk", table, *asked),
        "search": ("search", table, *asked, "--k", 5, "--out", plan),
        "preview": ("apply", table, "--plan", plan, "--preview"),
        "apply": ("apply", table, "--plan", plan, "--out", folder / "out.csv"),
        "publish": ("publish", table, *asked, "--k", 10, "--out", release, "--release-model", "public"),
        "verify": ("verify", release),
        "utility": ("utility", table, release),
        "tabulate": ("tabulate", table, "--by", "age,sex"),
        "query": ("query", table, "--by", "sex", "--history", folder / "desk.jsonl", "--k", 2),
        "synthesise": ("synthesise", table, "--columns", "age,sex", "--out", folder / "synthetic.csv"),
    }
    found = {}
    for name, arguments in commands.items():
        with redirect_stdout(StringIO()) as printed, redirect_stderr(StringIO()):
            main([*map(str, arguments), "--json"])
        found[name] = json.loads(printed.getvalue())
    return found


def test_every_word_at_the_top_is_documented(told) -> None:
    documented = set(re.findall(r"`([a-z_]+)`", DOCUMENTED.read_text("utf-8")))

    assert {name: set(result) - documented for name, result in told.items() if set(result) - documented} == {}


def test_records_are_records_everywhere(told) -> None:
    assert "rows" not in {key for result in told.values() for key in result}
    assert told["inspect"]["records"] == told["search"]["records"] == told["risk"]["records"] == 60
    assert told["apply"]["records"] == told["publish"]["applied"]["records"] == told["utility"]["release"]["records"]


def test_columns_that_nobody_decided_on_are_told_alike(told) -> None:
    assert told["preview"]["undecided"] == told["apply"]["undecided"] == told["publish"]["undecided"] == ["note"]
    assert told["publish"]["columns"]["left_out"] == told["utility"]["left_out"] == ["note"]
