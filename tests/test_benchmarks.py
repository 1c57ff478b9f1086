"""What benchmarks and tools import from the package is there: nobody runs them every day."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted(path for folder in ("benchmarks", "tools", "docs") for path in (ROOT / folder).rglob("*.py"))


def source_of(module: str) -> Path:
    """Modules of the portal cannot be imported here, so that none is."""
    path = ROOT.joinpath("src", *module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def names_in(tree: ast.AST) -> set[str]:
    """Whatever a module defines, assigns or imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.ImportFrom | ast.Import):
            found |= {each.asname or each.name for each in node.names}
    return found


def imported(script: Path) -> set[tuple[str, str]]:
    nodes = [node for node in ast.walk(ast.parse(script.read_text())) if isinstance(node, ast.ImportFrom)]
    ours = [node for node in nodes if node.module and node.module.split(".")[0] == "biombo"]
    return {(str(node.module), each.name) for node in ours for each in node.names}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_what_a_script_imports_is_there(script: Path) -> None:
    for module, name in imported(script):
        path = source_of(module)
        is_module = source_of(f"{module}.{name}").exists()
        assert path.exists(), module
        assert is_module or name in names_in(ast.parse(path.read_text())), f"{module}.{name}"
