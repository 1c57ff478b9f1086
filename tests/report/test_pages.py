"""Every page is had from Python as a string and as a file, and draws what it is given."""

import ast
import os
import stat
from inspect import isclass
from pathlib import Path

import pytest

import biombo as bb
from biombo import _attack, _data, _hierarchy, _plan, _search, _utility
from biombo._report import can_draw_pdf, render_report, render_search_report, write_report, write_search_report

ROOM = Path(bb.__file__).parent / "_report"
MEASURING = {
    room.__name__.removeprefix("biombo."): room for room in (_attack, _data, _hierarchy, _plan, _search, _utility)
}
WORDS = {"NAMES", "at_most", "bound", "joint_name", "numbered", "proof", "short", "why_none", "worded"}
"""Names and sentences that a report shares with the rooms that measure."""
ORDER = {"columns_by_fall", "moment_of", "time_columns"}
"""What only puts results into an order."""
READ_OFF = {"adversary_name", "fewest_facts", "findings", "losses_alone", "part_key", "spread_of_minimal"}
"""What reads results that are there, and measures nothing."""
TYPES = {"Part", "Row"}


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(scope="module")
def searched() -> bb.SearchResult:
    by_column = {"age": "age", "city": bb.Hierarchy.all_or_nothing()}
    return bb.search(bb.read(bb.samples.clinic()), bb.KAnonymity(3), quasi=["age", "city"], hierarchies=by_column)


@pytest.fixture
def ways(one, searched):
    """By page: how it is rendered, how it is written, of what, and the mode of its file."""
    usual = 0o666 & ~umask()
    return {
        "risk": (render_report, write_report, one, usual),
        "search": (render_search_report, write_search_report, searched, 0o600),
    }


def umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


@pytest.mark.parametrize("kind", ["risk", "search"])
def test_a_page_is_written_as_it_is_rendered(kind, ways, tmp_path, when):
    render, write, found, mode = ways[kind]
    told = {"source": "pessoas.csv", "title": "Título", "made_at": when}
    path = write(found, tmp_path / "page.html", **told)

    assert path.read_text("utf-8") == render(found, **told)
    assert mode_of(path) == mode


@pytest.mark.skipif(not can_draw_pdf(), reason="what draws PDFs is not installed")
@pytest.mark.parametrize("kind", ["risk", "search"])
def test_a_file_that_is_called_so_is_a_pdf(kind, ways, tmp_path):
    _, write, found, mode = ways[kind]
    path = write(found, tmp_path / "page.PDF", source="pessoas.csv")

    assert path.read_bytes().startswith(b"%PDF-")
    assert mode_of(path) == mode


def imported(path: Path) -> list[tuple[str, str]]:
    nodes = (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ImportFrom))
    return [((node.module or "").removeprefix("biombo."), name.name) for node in nodes for name in node.names]


def test_a_report_draws_what_it_is_given():
    """It imports results and words of the rooms that measure, and nothing that could measure."""
    measuring = [
        f"{path.relative_to(ROOM)}: {room}.{name}"
        for path in ROOM.rglob("*.py")
        for room, name in imported(path)
        if room in MEASURING
        and name not in WORDS | ORDER | READ_OFF | TYPES
        and not isclass(getattr(MEASURING[room], name))
    ]

    assert measuring == []
