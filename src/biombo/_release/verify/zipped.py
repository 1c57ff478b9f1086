"""A release that came as a zip file: unpacked where nobody else can look, and only if it is nothing but a release.

Whoever made the file may mean harm. Nothing is written before all entries were looked at: no way out of the folder, no
links, no passwords, no two entries of one name, no more bytes than such a file can honestly hold. What is unpacked is
files in one folder, and it is gone afterwards.
"""

import shutil
import tempfile
import unicodedata
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from biombo._archives import DAMAGED, fault_of, is_bomb
from biombo._errors import InputError
from biombo._files import is_file, reading_from
from biombo._i18n import text
from biombo._release.manifest import MANIFEST

_MOST_ENTRIES = 1000
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
    except DAMAGED:
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
        if wrong := fault_of(info):
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


def _parts(info: zipfile.ZipInfo) -> tuple[str, ...]:
    return tuple(info.filename.split("/"))


def _refuse_too_large(entries: Sequence[zipfile.ZipInfo], place: Path, folder: Path) -> None:
    needed, free = sum(info.file_size for info in entries), shutil.disk_usage(folder).free
    if is_bomb(entries, place.stat().st_size):
        raise InputError("input.bomb", path=str(place))
    if needed > free:
        raise InputError("input.no-space", path=str(place), folder=tempfile.gettempdir(), needed=needed, free=free)


def _refused(place: Path, wrong: str, info: zipfile.ZipInfo) -> InputError:
    reason = text(f"errors.zip.{wrong}")
    return InputError("release.zip-refused", path=str(place), name=info.orig_filename[:80], reason=reason)
