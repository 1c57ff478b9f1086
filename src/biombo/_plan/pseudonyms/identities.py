"""Which value each pseudonym stands for, in files that nobody can read without the key."""

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from biombo._engine import Randomness
from biombo._errors import InputError, UsageError
from biombo._files import PRIVATE, private_folder, replacing
from biombo._plan.pseudonyms.sealed_pairs import opened_pairs, seal_pairs
from biombo._secrets import Key, SealedFile

SUFFIX = ".identities"

_MARK, _VERSION = "biombo-identities", 2


class Identities:
    """The pseudonyms of columns that can be undone by a table, gathered while rows pass by."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._of_column: dict[str, tuple[Key, dict[str, str]]] = {}
        self.written: tuple[Path, ...] = ()
        """The files with the tables."""

    def add(self, column: str, key: Key, values: Iterable[str], pseudonyms: Iterable[str]) -> None:
        """Take in that ``pseudonyms`` stand for ``values`` of ``column``."""
        _, value_of = self._of_column.setdefault(column, (key, {}))
        value_of |= zip(pseudonyms, values, strict=True)

    def write(self, random: Randomness) -> None:
        """Write a table for each column, under a new name: the pseudonyms of earlier runs keep theirs. The folder is
        made where there is none.
        """
        for column, (key, value_of) in self._of_column.items():
            if self._folder is None:
                raise UsageError("pseudonyms.no-private", column=column)
            path = private_folder(self._folder, public=None) / f"{secrets.token_hex(8)}{SUFFIX}"
            with replacing(path, mode=PRIVATE) as file:
                seal_table(file, value_of, column, key, random)
            self.written += (path,)


def seal_table(file: BinaryIO, value_of: Mapping[str, str], column: str, key: Key, random: Randomness) -> None:
    """Write the table in random order (PDPC 2018, 9.13), sealed."""
    says = {_MARK: _VERSION, "column": column, "key": key.id}
    seal_pairs(file, value_of, says, _secret(key, column), random)


@dataclass(frozen=True)
class IdentityTable:
    """A file as :func:`seal_table` writes it, of which only the first line can be read without the key."""

    file: SealedFile
    column: str
    key_id: str

    @classmethod
    def find(cls, folder: Path) -> list["IdentityTable"]:
        """The tables in ``folder``."""
        return [cls.at(path) for path in sorted(folder.glob(f"*{SUFFIX}"))]

    @classmethod
    def at(cls, path: Path) -> "IdentityTable":
        """The table in the file ``path``."""
        file = SealedFile.at(path)
        if file is None or not {_MARK, "column", "key"} <= set(file.says):
            raise InputError("pseudonyms.no-table", path=str(path))
        if file.says[_MARK] != _VERSION:
            version = {"version": file.says[_MARK], "known": _VERSION}
            raise InputError("pseudonyms.table-version", path=str(path), **version)
        return cls(file, str(file.says["column"]), str(file.says["key"]))

    def opened(self, key: Key) -> dict[str, str]:
        """The value of each pseudonym."""
        damaged = InputError("pseudonyms.damaged-table", path=str(self.file.path))
        return opened_pairs(self.file, _secret(key, self.column), damaged)


def _secret(key: Key, column: str) -> bytes:
    return key.derived("identities", column)
