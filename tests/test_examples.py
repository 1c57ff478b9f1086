"""The examples run as they stand, and print something."""

import ast
import json
import runpy
import shutil
import tempfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
EXAMPLES = REPOSITORY / "examples"
SCRIPTS = sorted(EXAMPLES.glob("*.py"))
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_runs_and_says_what_it_found(script, capsys):
    runpy.run_path(str(script), run_name="__main__")

    assert len(capsys.readouterr().out.splitlines()) >= 4


def code_cells(notebook: Path) -> list[str]:
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def run_cell(source: str, names: dict[str, object]) -> object:
    """What a notebook would show of a cell: the value of its last line, where that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)


@pytest.fixture
def _folders_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield
    shutil.rmtree(tmp_path)


@pytest.mark.usefixtures("_folders_of_its_own")
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_the_top_and_shows_what_it_found(notebook):
    names: dict[str, object] = {}
    shown = [run_cell(source, names) for source in code_cells(notebook)]

    tables = [each for each in shown if hasattr(each, "_repr_html_")]
    assert len(tables) >= 8
    assert all("<table" in each._repr_html_() for each in tables)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_what_it_showed(notebook):
    cells = json.loads(notebook.read_text("utf-8"))["cells"]

    assert not [cell for cell in cells if cell.get("outputs") or cell.get("execution_count")]


def test_every_example_is_listed():
    listed = (EXAMPLES / "README.md").read_text("utf-8")

    assert [path.name for path in [*SCRIPTS, *NOTEBOOKS] if f"]({path.name})" not in listed] == []
    assert len(SCRIPTS) >= 5
    assert NOTEBOOKS
