"""The archive that an ARX project is: its parts by name, each read whole and never unpacked by its name."""

import shutil
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from biombo._archives import DAMAGED, fault_of, is_bomb
from biombo._errors import InputError
from biombo._files import is_file, read_whole, reading_from
from biombo._i18n import text
from biombo._migration.strict_xml import Element, read_xml

_MOST_ENTRIES = 10_000
_LARGEST_PART = 1 << 26
"""Of those that are read into memory: settings and hierarchies."""
_CHUNK = 1 << 20
_DATA = "data/input.csv"


@dataclass(frozen=True)
class ArxArchive:
    """An open archive whose entries were looked at."""

    path: str
    packed: zipfile.ZipFile
    entries: dict[str, zipfile.ZipInfo]

    def has(self, part: str) -> bool:
        """Is there such a part?"""
        return part in self.entries

    @property
    def has_data(self) -> bool:
        """Is the original table in it?"""
        return self.has(_DATA)

    def part(self, name: str) -> bytes:
        """What the part holds. Raises where it is missing or too large."""
        if name not in self.entries:
            raise InputError("migration.arx-part", path=self.path, part=name)
        if self.entries[name].file_size > _LARGEST_PART:
            raise InputError("migration.arx-large", path=self.path, part=name, most=_LARGEST_PART)
        with _sound(self.path):
            return self.packed.read(self.entries[name])

    def xml(self, name: str) -> Element:
        """The element that a part of settings is."""
        return read_xml(self.part(name), name, self.path)

    def copy_data(self, file: BinaryIO) -> None:
        """Write the original table to ``file``."""
        with _sound(self.path), self.packed.open(self.entries[_DATA]) as packed:
            shutil.copyfileobj(packed, file, _CHUNK)

    def refuse_without_data(self) -> None:
        """Raise where the original table is not in it."""
        if not self.has_data:
            raise InputError("migration.arx-no-data", path=self.path, part=_DATA)


@contextmanager
def opened(path: str | Path) -> Iterator[ArxArchive]:
    """The project at ``path``. Raises where it is no archive, is damaged, or is such as ARX writes none."""
    place = Path(path)
    if not is_file(place):
        read_whole(place)  # which says what is there instead
    with reading_from(place), _sound(str(path)):
        if not zipfile.is_zipfile(place):
            raise InputError("migration.arx-no-archive", path=str(path))
        packed = zipfile.ZipFile(place)
    with packed:
        yield ArxArchive(str(path), packed, _entries(packed, place))


@contextmanager
def _sound(path: str) -> Iterator[None]:
    """Turn what reading a damaged archive raises into an error for people."""
    try:
        yield
    except DAMAGED:
        raise InputError("release.zip-damaged", path=path) from None


def _entries(packed: zipfile.ZipFile, place: Path) -> dict[str, zipfile.ZipInfo]:
    infos = packed.infolist()
    if len(infos) > _MOST_ENTRIES:
        raise _refused(place, "many", infos[_MOST_ENTRIES])
    found: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        if fault := fault_of(info, named_by_people=True):
            raise _refused(place, fault, info)
        if info.filename in found:
            raise _refused(place, "twice", info)
        found[info.filename] = info
    if is_bomb(infos, place.stat().st_size):
        raise InputError("input.bomb", path=str(place))
    return found


def _refused(place: Path, fault: str, info: zipfile.ZipInfo) -> InputError:
    reason = text(f"errors.zip.{fault}")
    return InputError("migration.arx-refused", path=str(place), name=info.orig_filename[:80], reason=reason)
