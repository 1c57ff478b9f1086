"""Faces: what a room offers to others, loaded when it is first used."""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any


class _Room(ModuleType):
    """A package whose face comes first: a module in it may be called like the function that it holds."""

    def __setattr__(self, name: str, value: object) -> None:
        if isinstance(value, ModuleType) and name in self.__dict__["_offered"]:
            return  # importing a module puts it into its package under its own name
        super().__setattr__(name, value)


def face(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package that offers what its ``if TYPE_CHECKING`` block imports.

    The block is the only list: type checkers read it as it stands, and here it says which module to load for a name.
    """
    room = sys.modules[package]
    offered = _offered(Path(str(room.__file__)))
    room.__dict__["_offered"] = offered
    room.__class__ = _Room

    def get(name: str) -> Any:
        if name not in offered:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, original = offered[name]
        value = (
            import_module(f"{module}.{original}") if module == "biombo" else getattr(import_module(module), original)
        )
        room.__dict__[name] = value
        return value

    return get, lambda: sorted(offered)


def _offered(init: Path) -> dict[str, tuple[str, str]]:
    """By name: the module that has it, and what it is called there."""
    blocks = (node for node in ast.parse(init.read_text("utf-8")).body if isinstance(node, ast.If))
    imports = (node for block in blocks for node in block.body if isinstance(node, ast.ImportFrom))
    return {alias.asname or alias.name: (str(node.module), alias.name) for node in imports for alias in node.names}
