"""What was taken over of another program's settings, what means something else here, and what has no counterpart."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO, Literal, get_args

from biombo._data import Schema
from biombo._errors import UsageError
from biombo._files import (
    PRIVATE,
    PUBLIC,
    files_in,
    is_there,
    making,
    private_folder,
    public_folder,
    refuse_existing,
    refuse_unmakeable,
    refuse_unwritable,
    replacing,
    write_together,
)
from biombo._i18n import text
from biombo._requests import SearchRequest

Kind = Literal["taken", "other", "without"]
"""Taken over; has another name or meaning here; has no counterpart."""

SCHEMA, REQUEST, HIERARCHIES, REPORT = "schema.yaml", "search.request.yaml", "hierarchies", "import.md"

Rows = Sequence[Sequence[str]]


@dataclass(frozen=True)
class TakenOver:
    """Settings of another program as what Biombo runs."""

    headline: str
    schema: Schema
    request: SearchRequest
    """Without the places of files, which it gets where it is written."""
    hierarchies: Mapping[str, Rows]
    """By column: the rows of its file."""
    notes: tuple[tuple[Kind, str], ...]
    copy_data: Callable[[BinaryIO], None] | None = field(default=None, repr=False)
    """Writes the original table, where the settings came with one."""

    def of(self, kind: Kind) -> list[str]:
        """The sentences of one kind."""
        return [sentence for each, sentence in self.notes if each == kind]

    def lines(self) -> Iterator[str]:
        """All that is to be said, the verdict first."""
        yield self.headline
        for kind in get_args(Kind):
            if self.of(kind):
                yield ""
                yield text(f"migration.section.{kind}")
                yield from (f"- {sentence}" for sentence in self.of(kind))

    def as_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return {"summary": self.headline} | {kind: self.of(kind) for kind in get_args(Kind)}

    def write(self, folder: Path, *, data: Path | None = None, force: bool = False) -> list[Path]:
        """Write schema, hierarchies, request and report into ``folder``, and the original table to ``data`` where that
        is named: all of them or none. What holds values of the table is for the user alone.
        """
        self._refuse(folder, data, force=force)
        files = self._files(folder, data)
        with making(folder, folder / HIERARCHIES), ExitStack() as written:
            public_folder(folder)
            if self.hierarchies:
                private_folder(folder / HIERARCHIES, public=None)
            if data is not None and self.copy_data is not None:
                self.copy_data(written.enter_context(replacing(data, mode=PRIVATE)))
            write_together(files)
        return [*files, *([] if data is None else [data])]

    def _refuse(self, folder: Path, data: Path | None, *, force: bool) -> None:
        refuse_unmakeable(folder)
        if not force and is_there(folder) and files_in(folder):
            raise UsageError("migration.folder-full", path=str(folder))
        if data is not None:
            if folder.resolve() != data.resolve().parent:
                refuse_unwritable(data)
            if not force:
                refuse_existing(data)

    def _files(self, folder: Path, data: Path | None) -> dict[Path, tuple[str | bytes, int]]:
        placed = replace(
            self.request,
            files=() if data is None else (str(data),),
            schema=str(folder / SCHEMA),
            hierarchies=str(folder / HIERARCHIES) if self.hierarchies else None,
        )
        tables = {folder / HIERARCHIES / f"{column}.csv": _csv(rows) for column, rows in self.hierarchies.items()}
        schema_mode = (
            PRIVATE if any(isinstance(each.hierarchy, dict) for each in self.schema.columns.values()) else PUBLIC
        )
        return {
            folder / SCHEMA: (self.schema.to_yaml(), schema_mode),
            folder / REQUEST: (placed.to_yaml(folder), PUBLIC),
            folder / REPORT: ("\n".join(self.lines()) + "\n", PUBLIC),
            **{path: (content, PRIVATE) for path, content in tables.items()},
        }


def _csv(rows: Rows) -> str:
    written = io.StringIO()
    csv.writer(written, delimiter=";", lineterminator="\n").writerows(rows)
    return written.getvalue()


_NOT_IN_NAMES = {*'/\\:*?"<>|'}
_LONGEST_NAME = 100


def fits_a_file(column: str, columns: Sequence[str], rows: Rows) -> bool:
    """Can the hierarchy of ``column`` be a file that is found by its name, and read as it was written?"""
    named = column.isprintable() and not {*column} & _NOT_IN_NAMES and not column.startswith(".")
    others = [each for each in columns if each != column]
    alone = not any(each.casefold() == column.casefold() or each.endswith(f"hierarchy_{column}") for each in others)
    unchanged = all(label == label.strip() for row in rows for label in row)
    return named and len(column) <= _LONGEST_NAME and alone and unchanged
