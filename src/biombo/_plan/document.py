"""Plans as documents: plain values, and YAML files that people edit."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from biombo._criteria import Criterion
from biombo._errors import BiomboError, InputError, shortened, system_reason
from biombo._plan.entries import read_hierarchy
from biombo._plan.entry_types import checked
from biombo._plan.operations import Operation
from biombo._yaml import YamlMistake, load_yaml

if TYPE_CHECKING:
    from biombo._plan.plan import Plan

MARK, VERSION = "biombo-plan", 1
"""What a plan begins with."""


def to_tree(plan: "Plan") -> dict[str, Any]:
    """See :meth:`Plan.to_tree`."""
    tree = {
        "identifiers": list(plan.identifiers),
        "quasi": list(plan.quasi),
        "sensitive": list(plan.sensitive),
        "person": plan.person,
        "criteria": [criterion.to_tree() for criterion in plan.criteria],
        "max-suppression": plan.max_suppression,
        "operations": [operation.to_tree() for operation in plan.operations],
    }
    return {MARK: VERSION} | {entry: value for entry, value in tree.items() if value not in (None, [])}


def arguments(tree: Any, folder: Path) -> dict[str, Any]:
    """What the plan that ``tree`` describes is made from."""
    if not isinstance(tree, Mapping) or MARK not in tree:
        raise InputError("plan.shape", mark=f"{MARK}: {VERSION}")
    if tree[MARK] != VERSION:
        raise InputError("plan.version", version=tree[MARK], known=VERSION)
    given = {entry: value for entry, value in tree.items() if entry != MARK and value is not None}
    unknown = [entry for entry in given if entry not in _READERS]
    if unknown:
        raise InputError("plan.entries-unknown", entries=shortened(unknown), known=", ".join(_READERS))
    return {entry.replace("-", "_"): _READERS[entry](entry, value, folder) for entry, value in given.items()}


def _operations(entry: str, value: Any, folder: Path) -> list[Operation]:
    from biombo._plan.operations import operation_from_tree  # which loads all of them

    trees = _list(entry, value)
    return [operation_from_tree(tree, place, folder) for place, tree in enumerate(trees, start=1)]


def _criteria(entry: str, value: Any, folder: Path) -> list[Criterion]:
    return [Criterion.from_tree(_with_hierarchies(tree, folder)) for tree in _list(entry, value)]


def _with_hierarchies(tree: Any, folder: Path) -> Any:
    """A criterion with the hierarchy that it names by a file, which is looked for in ``folder``."""
    if not isinstance(tree, dict):
        return tree
    named = [name for name, entries in tree.items() if isinstance(entries, dict) and "hierarchy" in entries]
    loaded = {name: read_hierarchy("hierarchy", tree[name]["hierarchy"], folder) for name in named}
    return tree | {name: tree[name] | {"hierarchy": hierarchy} for name, hierarchy in loaded.items()}


def _list(entry: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise InputError("plan.entry-list", entry=entry)
    return value


def _plain(hint: Any) -> Callable[[str, Any, Path], Any]:
    return lambda entry, value, _folder: checked(hint, entry, value)


_READERS: dict[str, Callable[[str, Any, Path], Any]] = {
    "identifiers": _plain(tuple[str, ...]),
    "quasi": _plain(tuple[str, ...]),
    "sensitive": _plain(tuple[str, ...]),
    "person": _plain(str),
    "criteria": _criteria,
    "max-suppression": _plain(float),
    "operations": _operations,
}


class _Dumper(yaml.SafeDumper):
    """Writes everything out: our reader refuses aliases."""

    def ignore_aliases(self, _data: Any) -> bool:
        """All of them."""
        return True


def to_yaml(tree: dict[str, Any]) -> str:
    """``tree`` as YAML, in its own order."""
    return yaml.dump(tree, Dumper=_Dumper, allow_unicode=True, sort_keys=False, default_flow_style=None, width=100)


def content_of(path: Path) -> bytes:
    """All that the file holds."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError("input.unreadable", path=str(path), detail=system_reason(error)) from None


def plain_values(content: bytes) -> Any:
    """What the YAML in ``content`` says."""
    try:
        return load_yaml(content.decode("utf-8-sig"))
    except YamlMistake as mistake:
        raise InputError(f"plan.{mistake.kind}", entry=mistake.entry, line=mistake.line) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # ValueError: bytes that are not UTF-8, no such date
        raise InputError("plan.yaml", detail=" ".join(str(error).split())) from None


@contextmanager
def errors_in(path: str | Path) -> Iterator[None]:
    """Name the file in what goes wrong inside."""
    try:
        yield
    except BiomboError as error:
        raise InputError("plan.in-file", path=str(path), detail=str(error)) from None
