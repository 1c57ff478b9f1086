"""Where the hierarchies of the quasi columns come from."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from biombo._data import Dataset, Schema, built_in_for, hierarchy_by_cuts
from biombo._errors import ColumnError, InputError
from biombo._files import files_in, is_folder
from biombo._hierarchy import Hierarchy
from biombo._i18n import text
from biombo._watch import warn

Hierarchies = Mapping[str, Hierarchy | str | Path | Mapping[str, Any]]

_SUFFIXES = (".csv", ".yaml", ".yml")


def hierarchies_of(
    quasi: Sequence[str],
    given: Hierarchies | str | Path | None,
    schema: Schema,
    data: Dataset | None = None,
    cut_for: int | None = None,
) -> dict[str, Hierarchy]:
    """A hierarchy for each quasi column: the one given, the one the schema names, or else all or nothing.

    ``given`` is a mapping, or a folder with files called like ``age.csv`` or ``adult_hierarchy_age.csv``. Where the
    rows of ``data`` speak for a built-in one, the warning that a column has none names it. Numbers without one are cut
    where ``cut_for`` says how many people must be between two cuts.
    """
    chosen = _chosen(quasi, given, schema)
    if isinstance(given, Mapping):
        check_columns(given, quasi, "hierarchies")
    without = [column for column in quasi if column not in chosen]
    rows = data if data is not None and data.rows else None
    cut = {} if rows is None or cut_for is None else _cut(without, rows, cut_for)
    chosen |= cut
    stiff = [column for column in without if column not in cut]
    sentence = "search.no-hierarchy" if cut_for is None else "search.no-hierarchy-locally"
    _warn_of({sentence: stiff, "search.cut": list(cut)}, {} if rows is None else _built_in(without, rows))
    return {
        column: Hierarchy.load(chosen[column]) if column in chosen else Hierarchy.all_or_nothing() for column in quasi
    }


def _built_in(columns: Sequence[str], data: Dataset) -> dict[str, str]:
    """The built-in hierarchies that the values of columns speak for."""
    found = {column: built_in_for(data, column) for column in columns}
    return {column: name for column, name in found.items() if name is not None}


def _cut(columns: Sequence[str], data: Dataset, least: int) -> dict[str, Hierarchy]:
    """Cuts for those of the columns that are numbers."""
    found = {column: hierarchy_by_cuts(data, column, least) for column in columns}
    return {column: hierarchy for column, hierarchy in found.items() if hierarchy is not None}


def _warn_of(becoming: Mapping[str, Sequence[str]], fitting: Mapping[str, str]) -> None:
    """Say what becomes of columns without a hierarchy, and which of those built in would do more for them."""
    sentences = [text(key, columns=", ".join(columns)) for key, columns in becoming.items() if columns]
    for column, name in fitting.items():
        hierarchy = Hierarchy.built_in(name)
        levels = ", ".join(map(hierarchy.level_label, range(1, hierarchy.height + 1)))
        sentences.append(text("search.built-in-fits", column=column, name=name, levels=levels))
    if sentences:
        warn(" ".join(sentences))


def hierarchy_of_sensitive(column: str, given: str | Path | None, schema: Schema) -> Hierarchy:
    """The hierarchy that distances between a sensitive column's values go by: in the folder, or named by the schema."""
    chosen = _chosen([column], given, schema)
    if column not in chosen:
        raise ColumnError("search.no-sensitive-hierarchy", column=column)
    return Hierarchy.load(chosen[column])


def _chosen(columns: Sequence[str], given: Hierarchies | str | Path | None, schema: Schema) -> dict[str, Any]:
    """Where the hierarchies of columns are, for those that have one: what is given goes before the schema."""
    by_schema = {column: schema[column].hierarchy for column in columns}
    named = in_folder(given, columns) if isinstance(given, str | Path) else given or {}
    return {column: source for column, source in by_schema.items() if source is not None} | dict(named)


def columns_to_read(quasi: Sequence[str], given: Hierarchies | str | Path | None, schema: Schema) -> list[str]:
    """The columns that hierarchies of ``quasi`` are read off, besides these."""
    chosen = _chosen(quasi, given, schema)
    documents = [source for source in chosen.values() if isinstance(source, Hierarchy | Mapping)]
    return list(dict.fromkeys(column for source in documents for column in Hierarchy.load(source).reads))


def in_folder(folder: str | Path, columns: Sequence[str]) -> dict[str, Path]:
    """The files in ``folder`` that are called after one of the columns."""
    if not is_folder(folder):
        raise InputError("search.no-folder", path=str(folder))
    found: dict[str, Path] = {}
    for column in columns:
        fitting = hierarchies_in(folder, [column])
        if len(fitting) > 1:
            names = ", ".join(file.name for file in fitting)
            raise InputError("search.two-hierarchies", column=column, path=str(folder), files=names)
        if fitting:
            found[column] = fitting[0]
    return found


def hierarchies_in(folder: str | Path, columns: Sequence[str]) -> list[Path]:
    """The files in ``folder`` that are called after any of the columns; none where there is no such folder."""
    names = [file for file in files_in(folder) if file.suffix.lower() in _SUFFIXES] if is_folder(folder) else []
    return [
        file
        for file in names
        if any(file.stem == column or file.stem.endswith(f"hierarchy_{column}") for column in columns)
    ]


def check_columns(named: Iterable[str], quasi: Sequence[str], what: str) -> None:
    """Refuse bounds, weights, hierarchies or criteria of columns that are not quasi."""
    for column in named:
        if column not in quasi:
            words = {"column": column, "what": text(f"search.what.{what}"), "quasi": ", ".join(quasi)}
            raise ColumnError("search.not-quasi", **words)
