"""A release that came as a zip file: unpacked where nobody else can look, and only if it is nothing but a release.

Whoever made the file may mean harm. Nothing is written before all entries were looked at: no way out of the folder, no
links, no passwords, no two entries of one name, no more bytes than such a file can honestly hold. What is unpacked is
files in one folder, and it is gone afterwards.
"""

import shutil
import stat
import tempfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from biombo._errors import InputError
from biombo._files import is_file, reading_from
from biombo._i18n import text
from biombo._release.manifest import MANIFEST

_MOST_ENTRIES = 1000
_BOMB_BYTES, _BOMB_RATIO = 1 << 28, 500
"""A file may grow to the first, or to so many times its own size; random ids keep honest releases far below."""

_ENCRYPTED = 0x1 | 0x40
_KNOWN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OverflowError)
_CHUNK = 1 << 20


@contextmanager
def opened_release(place: Path) -> Iterator[Path]:
    """The folder of the release at ``place``: itself or, where that is a zip file, a private copy of what it holds."""
    with reading_from(place):
        packed = is_file(place) and zipfile.is_zipfile(place)
    if not packed:
        yield place
        return
    with tempfile.TemporaryDirectory(prefix="biombo-") as folder:
        unpacked = Path(folder) / place.name
        _unpack(place, unpacked)
        yield unpacked


def _unpack(place: Path, folder: Path) -> None:
    try:
        with reading_from(place), zipfile.ZipFile(place) as archive:
            entries = _entries(archive, place)
            _refuse_too_large(entries, place, folder.parent)
            folder.mkdir(mode=0o700)
            for info in entries:
                _write(archive, info, folder / _parts(info)[-1])
    except _DAMAGED:
        raise InputError("release.zip-damaged", path=str(place)) from None


def _write(archive: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path) -> None:
    with archive.open(info) as packed, target.open("xb") as file:
        shutil.copyfileobj(packed, file, _CHUNK)


def _entries(archive: zipfile.ZipFile, place: Path) -> list[zipfile.ZipInfo]:
    """The files of the one release that there is. Raises where there is anything else."""
    infos = archive.infolist()
    if len(infos) > _MOST_ENTRIES:
        raise _refused(place, "many", infos[_MOST_ENTRIES])
    for info in infos:
        if wrong := _wrong(info):
            raise _refused(place, wrong, info)
    files = [info for info in infos if not info.is_dir()]
    manifests = [_parts(info) for info in files if _parts(info)[-1] == MANIFEST]
    if not manifests:
        raise InputError("release.zip-none", path=str(place), manifest=MANIFEST)
    within = min(manifests, key=len)[:-1]
    if len(within) > 1:
        raise _refused(place, "deep", next(info for info in files if _parts(info)[:-1] == within))
    seen = set[str]()
    for info in files:
        name = unicodedata.normalize("NFC", _parts(info)[-1]).casefold()
        if _parts(info)[:-1] != within:
            raise _refused(place, "deep", info)
        if name in seen:
            raise _refused(place, "twice", info)
        seen.add(name)
    return files


def _wrong(info: zipfile.ZipInfo) -> str | None:
    """What about an entry is such as no release has, in one word."""
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "link"
    if not _stays_inside(info.orig_filename):
        return "outside"
    if info.flag_bits & _ENCRYPTED:
        return "encrypted"
    return None if info.compress_type in _KNOWN else "packed"


def _stays_inside(name: str) -> bool:
    parts = name.removesuffix("/").split("/")
    plain = name.isprintable() and "\\" not in name and ":" not in name
    return plain and all(part not in ("", ".", "..") for part in parts)


def _parts(info: zipfile.ZipInfo) -> tuple[str, ...]:
    return tuple(info.filename.split("/"))


def _refuse_too_large(entries: Sequence[zipfile.ZipInfo], place: Path, folder: Path) -> None:
    """No entry gives more bytes than it announces: what is announced can be judged beforehand."""
    needed, free = sum(info.file_size for info in entries), shutil.disk_usage(folder).free
    if needed > max(_BOMB_BYTES, place.stat().st_size * _BOMB_RATIO):
        raise InputError("input.bomb", path=str(place))
    if needed > free:
        raise InputError("input.no-space", path=str(place), folder=tempfile.gettempdir(), needed=needed, free=free)


def _refused(place: Path, wrong: str, info: zipfile.ZipInfo) -> InputError:
    reason = text(f"errors.zip.{wrong}")
    return InputError("release.zip-refused", path=str(place), name=info.orig_filename[:80], reason=reason)
