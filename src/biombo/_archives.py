"""ZIP archives by somebody who may mean harm: what is wrong with an entry, by what it announces of itself."""

import stat
import zipfile
import zlib
from collections.abc import Iterable

DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OverflowError)
"""What reading an archive raises where it is not as it should be."""

_ENCRYPTED = 0x1 | 0x40
_KNOWN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BOMB_BYTES, _BOMB_RATIO = 1 << 28, 500
"""An archive may grow to the first, or to so many times its own size."""


def fault_of(info: zipfile.ZipInfo, *, named_by_people: bool = False) -> str | None:
    """What about an entry is such as no honest archive has, in one word that ``errors.zip`` explains. Names that people
    chose may have any characters, as long as they stay inside.
    """
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "link"
    if not _stays_inside(info.orig_filename, named_by_people=named_by_people):
        return "outside"
    if info.flag_bits & _ENCRYPTED:
        return "encrypted"
    return None if info.compress_type in _KNOWN else "packed"


def _stays_inside(name: str, *, named_by_people: bool) -> bool:
    parts = name.removesuffix("/").split("/")
    plain = named_by_people or (name.isprintable() and "\\" not in name and ":" not in name)
    return plain and all(part not in ("", ".", "..") for part in parts)


def most_bytes(packed: int) -> int:
    """How many bytes an archive of ``packed`` ones can honestly hold."""
    return max(_BOMB_BYTES, packed * _BOMB_RATIO)


def is_bomb(entries: Iterable[zipfile.ZipInfo], packed: int) -> bool:
    """Would the ``entries`` of an archive of ``packed`` bytes be more than it can honestly hold? None gives more bytes
    than it announces, so that this can be judged beforehand.
    """
    return sum(info.file_size for info in entries) > most_bytes(packed)
