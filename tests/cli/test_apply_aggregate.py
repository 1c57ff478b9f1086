"""``biombo apply`` with a plan that ends in a table of counts."""

import json

import polars as pl
import pytest
from donations import DONORS

PLAN = """
biombo-plan: 1
identifiers: [donor]
quasi: [salary]
criteria:
- k-anonymity: {k: 3}
operations:
- generalise: {column: salary, hierarchy: {kind: interval, width: 1000}, level: 1}
- aggregate: {by: [salary], sum: [donated], percent: 0}
"""


@pytest.fixture(autouse=True)
def donors(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    DONORS.write_csv("donors.csv")
    (tmp_path / "plan.yaml").write_text(PLAN)


def test_the_guides_table_is_written(biombo) -> None:
    done = biombo("apply", "donors.csv", "--plan", "plan.yaml", "--out", "table.csv")

    assert done.code == 0, done.err
    assert "[1000, 2000)" in done.out
    assert pl.read_csv("table.csv").select("salary", "records", "donated").rows() == [
        ("[1000, 2000)", 4, 1470),
        ("[2000, 3000)", 5, 1220),
        ("[3000, 4000)", 3, 290),
        ("[4000, 5000)", 5, 1520),
        ("[5000, 6000)", 3, 870),
        ("Total", 20, 5370),
    ]
    assert biombo("apply", "donors.csv", "--plan", "plan.yaml", "--out", "table.csv").code == 2


def test_json_has_every_cell(biombo) -> None:
    done = biombo("apply", "donors.csv", "--plan", "plan.yaml", "--out", "table.csv", "--json")

    assert [cell["records"] for cell in json.loads(done.out)["table"]] == [4, 5, 3, 5, 3, 20]


def test_records_can_be_left_out_at_the_terminal_as_well(biombo) -> None:
    where = ("--where", "salary>=2000")
    done = biombo("apply", "donors.csv", "--plan", "plan.yaml", "--out", "table.csv", *where)

    assert done.code == 0, done.err
    assert pl.read_csv("table.csv")["records"].to_list() == [5, 3, 5, 3, 16]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--preview",), "--preview"),
        (("--out", "table.csv", "--keep-column", "donor"), "--keep-column"),
        (("--out", "table.csv", "--keep-order"), "--keep-order"),
        (("--out", "table.parquet"), "table.parquet"),
        (("--out", "donors.csv", "--force"), "donors.csv"),
    ],
)
def test_what_is_for_records_is_refused(biombo, arguments, said, tmp_path) -> None:
    done = biombo("apply", "donors.csv", "--plan", "plan.yaml", *arguments)

    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert {path.name for path in tmp_path.iterdir()} == {"donors.csv", "plan.yaml"}
    assert pl.read_csv("donors.csv").height == DONORS.height


def test_publish_names_what_makes_the_table(biombo, tmp_path) -> None:
    done = biombo("publish", "donors.csv", "--plan", "plan.yaml", "--out", "release")

    assert done.code == 2
    assert "aggregate" in done.err
    assert "apply" in done.err
    assert {path.name for path in tmp_path.iterdir()} == {"donors.csv", "plan.yaml"}
