"""The command and its report say alike into how many intervals a column was put."""

import re
from random import Random

import polars as pl
import pytest
import yaml
from report_reading import read_back

COLUMNS = {
    "bounded": ({"bounds": [0, 100]}, 20),
    "free": ({}, 20),
    "tied": ({}, 15),
}


@pytest.fixture
def table(tmp_path):
    """Numbers within bounds, with some beyond them; numbers without; and numbers of which few are very frequent."""
    chance, path = Random(1), tmp_path / "people.csv"
    rows = 1_000
    pl.DataFrame(
        {
            "bounded": [chance.uniform(-5, 105) for _ in range(rows)],
            "free": [chance.gauss(0, 1) for _ in range(rows)],
            "tied": [0.0 if n % 10 < 3 else chance.uniform(1, 2) for n in range(rows)],
        }
    ).write_csv(path)
    columns = {name: {"role": "quasi", "type": "continuous", **more} for name, (more, _) in COLUMNS.items()}
    (tmp_path / "schema.yaml").write_text(yaml.safe_dump({"columns": columns}))
    return path


def test_the_terminal_and_the_page_count_the_same_intervals(biombo, table, tmp_path):
    ending = biombo("risk", table, "--schema", tmp_path / "schema.yaml", "--out", tmp_path / "risk", "--full")
    page = read_back((tmp_path / "risk" / "report.html").read_text("utf-8"))
    in_terminal = {
        column: int(count) for column, count in re.findall(r"Column (\w+) was put into (\d+) intervals", ending.out)
    }
    on_page = {
        row["Column"]: int(re.search(r"\d+", row["How it was grouped"]).group())
        for row in page.table("Columns in intervals")
    }

    assert ending.code == 0
    assert in_terminal == on_page == {name: intervals for name, (_, intervals) in COLUMNS.items()}
