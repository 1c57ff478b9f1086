"""A table of counts is published with its proof, and nobody can change it unnoticed."""

import json
from functools import partial
from pathlib import Path

import polars as pl
import pytest

import biombo as bb
from biombo._tabulate import intervals

TABLE = pl.DataFrame(
    {"town": ["A"] * 14 + ["B"] * 16 + ["C"] * 20, "ill": ["yes"] * 3 + ["no"] * 20 + ["yes"] * 9 + ["no"] * 18}
)


@pytest.fixture
def release(tmp_path: Path) -> bb.TableRelease:
    return bb.publish_table(bb.tabulate(TABLE, ["town", "ill"], k=5), tmp_path / "table")


def test_it_can_be_verified_by_whoever_has_it(release: bb.TableRelease) -> None:
    found = bb.verify(release.out)

    assert found.holds
    assert sorted(path.name for path in release.out.iterdir()) == [
        "intervals.csv",
        "manifest.json",
        "table.csv",
        "table.json",
    ]
    assert (release.private / "all-cells.csv").stat().st_mode & 0o077 == 0


def test_nothing_public_tells_which_cells_were_small(release: bb.TableRelease) -> None:
    """Another table with the same numbers where they are shown, and other small ones, is told by the same files."""
    shown = bb.ShownTable.load(release.out)
    frame = bb.tabulate(TABLE, ["town", "ill"], k=5).to_frame()

    assert shown.frame().equals(frame)
    assert "besides" not in "".join(path.read_text() for path in release.out.iterdir())


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [("table.csv", "50,shown", "51,shown"), ("intervals.csv", "1.0", "0.0"), ("table.json", '"k": 5', '"k": 2')],
)
def test_changes_are_noticed_even_where_hashes_are_made_anew(release, file: str, before: str, after: str) -> None:
    """By what is claimed, not by hashes alone."""
    path = release.out / file
    content = path.read_text()
    assert before in content
    path.write_text(content.replace(before, after, 1))
    failed = {check.claim for check in bb.verify(release.out).failures}

    assert {"file"} < failed or failed == {"file", "table"}


def test_a_cell_that_could_be_computed_is_noticed(release: bb.TableRelease) -> None:
    path = release.out / "table.csv"
    lines = path.read_text().splitlines()
    hidden = next(n for n, line in enumerate(lines) if "suppressed" in line)
    town, ill, *_ = lines[hidden].split(",")
    count = TABLE.filter(town=town, ill=ill).height
    lines[hidden] = f"{town},{ill},{count},shown"
    path.write_text("\n".join(lines) + "\n")

    assert {check.claim for check in bb.verify(release.out).failures} >= {"table"}


def test_the_manifest_says_what_is_known_of_cells_left_out(release: bb.TableRelease, monkeypatch) -> None:
    """Which are bounded, and which only cannot be computed. It follows from the table that everybody has."""
    left_out = int(bb.ShownTable.load(release.out).hidden.sum())
    claim = json.loads((release.out / "manifest.json").read_text())["claims"][0]

    assert claim["evidence"] == {"exact": left_out, "linear": 0, "rank": 0}

    monkeypatch.setattr("biombo._tabulate.audit.bounded", lambda *_, **__: pytest.fail("there is no program to solve"))
    monkeypatch.setattr("biombo._tabulate.shown.intervals", partial(intervals, most=0))
    shown = bb.ShownTable.load(release.out)
    assert shown.kinds == {"exact": 0, "linear": 0, "rank": left_out}
    assert not bb.verify(release.out).holds
