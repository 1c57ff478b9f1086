"""The rooms of docs/architecture.md import only rooms above them."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "biombo"

ORDER = (
    ("_i18n",),
    ("_errors",),
    ("_files",),
    ("_yaml",),
    ("_kernel",),
    ("_cells",),
    ("_hierarchy",),
    ("_data",),
    ("_engine",),
    ("_attack",),
    ("_criteria",),
    ("_measures",),
    ("_plan",),
    ("_search",),
    ("_utility",),
    ("_report",),
    ("_release",),
    ("_negotiate",),
    ("_samples",),
    ("_cli", "_portal", "_spark"),
)
LEVEL = {room: level for level, rooms in enumerate(ORDER) for room in rooms}
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> Iterator[str]:
    """The rooms that the module imports, wherever in it; ``""`` for the package's own face."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (room for name in node.names if (room := _room(name.name)) is not None)
        elif isinstance(node, ast.ImportFrom) and node.level:
            pytest.fail(f"{path.relative_to(PACKAGE)}:{node.lineno} imports by dots; write the full name")
        elif isinstance(node, ast.ImportFrom) and node.module == "biombo":
            yield from (name.name if name.name in LEVEL else "" for name in node.names)
        elif isinstance(node, ast.ImportFrom) and (room := _room(node.module or "")) is not None:
            yield room


def _room(module: str) -> str | None:
    first, *rest = module.split(".")
    return (rest[0] if rest else "") if first == "biombo" else None


def may_import(importer: str, imported: str) -> bool:
    return imported == importer or (imported in LEVEL and LEVEL[imported] < LEVEL[importer])


def test_every_room_has_its_place_in_the_order():
    assert {room_of(path) for path in MODULES} <= set(LEVEL)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_room_imports_only_rooms_above_it(path):
    room = room_of(path)
    below = [imported for imported in imported_rooms(path) if not may_import(room, imported)]

    assert not below, f"{room} must not import {below}"


def test_an_import_from_below_is_noticed(tmp_path):
    module = tmp_path / "module.py"
    module.write_text("def late():\n    from biombo import _report, read\n    import biombo._cli.run\n")

    assert list(imported_rooms(module)) == ["_report", "", "_cli"]
    assert not any(may_import("_attack", room) for room in imported_rooms(module))
