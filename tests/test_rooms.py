"""The rooms of docs/architecture.md import only rooms above them, and only their faces."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "biombo"

ORDER = (
    ("_face",),
    ("_i18n",),
    ("_addresses",),
    ("_errors",),
    ("_frames",),
    ("_glance",),
    ("_watch",),
    ("_files",),
    ("_archives",),
    ("_documents",),
    ("_kernel",),
    ("_cells",),
    ("_hierarchy",),
    ("_data",),
    ("_secrets",),
    ("_engine",),
    ("_attack",),
    ("_criteria",),
    ("_measures",),
    ("_plan",),
    ("_search",),
    ("_utility",),
    ("_tabulate",),
    ("_query",),
    ("_synthesis",),
    ("_report",),
    ("_release",),
    ("_requests",),
    ("_migration",),
    ("_guide",),
    ("_negotiate",),
    ("_samples",),
    ("_portal",),
    ("_cli",),
)
LEVEL = {room: level for level, rooms in enumerate(ORDER) for room in rooms}
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[tuple[str, ...]]:
    """What the module imports of the package, wherever in it, as parts of a name: ``()`` for the package's own face."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (_parts(name.name) for name in node.names if name.name.split(".")[0] == "biombo")
        elif isinstance(node, ast.ImportFrom) and node.level:
            pytest.fail(f"{path.name}:{node.lineno} imports by dots; write the full name")
        elif isinstance(node, ast.ImportFrom) and node.module == "biombo":
            yield from ((name.name,) if name.name in LEVEL else () for name in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "biombo":
            yield _parts(node.module or "")


def _parts(module: str) -> tuple[str, ...]:
    return tuple(module.split(".")[1:])


def may_import(importer: str, imported: Iterable[str]) -> bool:
    room = next(iter(imported), "")
    return room == importer or (room in LEVEL and LEVEL[room] < LEVEL[importer])


def reaches_inside(importer: str, imported: tuple[str, ...]) -> bool:
    return len(imported) > 1 and imported[0] != importer


def found(wrong) -> list[str]:
    """The modules that import what is ``wrong``, with it."""
    return [
        f"{path.relative_to(PACKAGE)}: {'.'.join(imported) or 'biombo'}"
        for path in MODULES
        for imported in imports(path)
        if wrong(room_of(path), imported)
    ]


def test_every_room_has_its_place_in_the_order():
    assert {room_of(path) for path in MODULES} == set(LEVEL)


def test_a_room_imports_only_rooms_above_it():
    assert not found(lambda room, imported: not may_import(room, imported))


def test_a_room_imports_only_the_faces_of_others():
    assert not found(reaches_inside)


def not_offered(path: Path) -> Iterator[str]:
    """What a test imports that no face offers, neither a room's nor that of a room within it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.startswith("biombo."))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("biombo."):
            within = PACKAGE.joinpath(*_parts(str(node.module)))
            yield from (f"{node.module}.{name.name}" for name in node.names if not _offers(within, name.name))


def _offers(room: Path, name: str) -> bool:
    """A room that is a single file offers all that it has, and so does one without a list."""
    if room.with_suffix(".py").exists():
        return room.parent == PACKAGE
    listed = re.search(r"(?s)__all__ = \[(.*?)\]", (room / "__init__.py").read_text("utf-8"))
    return f'"{name}"' in listed[1] if listed else not (room / f"{name}.py").exists()


def test_tests_speak_to_faces():
    """Sizes that a test makes small have no face: they are set by their full name, as a text."""
    tests = sorted(Path(__file__).parent.rglob("*.py"))

    assert [f"{path.name}: {name}" for path in tests for name in not_offered(path)] == []


def test_an_import_from_below_or_inside_is_noticed(tmp_path):
    module = tmp_path / "module.py"
    module.write_text("def late():\n    from biombo import _report, read\n    import biombo._cli.frame\n")

    assert list(imports(module)) == [("_report",), (), ("_cli", "frame")]
    assert not any(may_import("_attack", imported) for imported in imports(module))
    assert [reaches_inside("_attack", imported) for imported in imports(module)] == [False, False, True]
    assert list(not_offered(module)) == ["biombo._cli.frame"]


def test_a_name_that_no_face_offers_is_noticed(tmp_path):
    module = tmp_path / "module.py"
    module.write_text(
        "from biombo._search import frontier, exploration\n"
        "from biombo._search.exploration import explore\n"
        "from biombo._data.formats import CsvFile, csv_file\n"
    )

    assert list(not_offered(module)) == [
        "biombo._search.exploration",
        "biombo._search.exploration.explore",
        "biombo._data.formats.csv_file",
    ]


def test_a_name_of_a_face_stays_what_it_is_whatever_is_imported(tmp_path, monkeypatch):
    room = tmp_path / "a_room"
    room.mkdir()
    (room / "__init__.py").write_text(
        '"""Made up."""\nfrom typing import TYPE_CHECKING\nfrom biombo._face import face\n'
        "if TYPE_CHECKING:\n    from a_room.answer import answer\n    from a_room.answer import _one as one\n"
        "__getattr__, __dir__ = face(__name__)\n"
    )
    (room / "answer.py").write_text("def answer(): return 42\n_one = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    import a_room
    import a_room.answer

    assert a_room.answer() == 42
    assert a_room.one == 1
    assert dir(a_room) == ["answer", "one"]
    with pytest.raises(AttributeError, match="has no attribute 'two'"):
        _ = a_room.two
