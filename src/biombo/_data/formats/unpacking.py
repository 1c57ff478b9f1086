"""Files that are packed, by gzip or in a zip archive: their bytes as a stream, or a private copy of them."""

import gzip
import io
import shutil
import tempfile
import weakref
import zipfile
from pathlib import Path
from typing import IO, cast

from biombo._archives import most_bytes
from biombo._data.formats.soundness import foreign_failures
from biombo._errors import InputError
from biombo._watch import stop_if_cancelled

GZIP_MARK, ZIP_MARK = b"\x1f\x8b", b"PK\x03\x04"
_CHUNK = 1 << 22
_ENCRYPTED = 1


def is_gzip(path: Path) -> bool:
    """Does the file begin as gzip's do?"""
    with path.open("rb") as file:
        return file.read(len(GZIP_MARK)) == GZIP_MARK


def opened(path: Path, member: str | None = None) -> IO[bytes]:
    """The bytes of the file, unpacked where it is gzip-compressed; those of its ``member``, where it is an archive."""
    if member is not None:
        return cast(IO[bytes], _Unpacking(_member(path, member), path))
    return cast(IO[bytes], _Unpacking(cast(IO[bytes], gzip.open(path)), path)) if is_gzip(path) else path.open("rb")


def _member(path: Path, member: str) -> IO[bytes]:
    with foreign_failures("input.damaged", path=str(path)):
        archive = zipfile.ZipFile(path)
        try:
            info = archive.getinfo(member)
            if info.flag_bits & _ENCRYPTED:
                raise InputError("input.zip-password", path=str(path), member=member)
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise InputError("input.zip-method", path=str(path), member=member)
            return archive.open(info)
        finally:
            archive.close()  # what is open in it stays so


class _Unpacking(io.BufferedIOBase):
    """What comes out of a packed file, which is refused when it grows out of all proportion."""

    def __init__(self, stream: IO[bytes], path: Path) -> None:
        self._stream = stream
        self._path = path
        self._come = 0
        self._limit = most_bytes(path.stat().st_size)

    def read(self, size: int | None = -1) -> bytes:
        """The next bytes."""
        wanted = self._limit if size is None or size < 0 else size
        with foreign_failures("input.damaged", path=str(self._path)):
            chunk = self._stream.read(wanted)
        self._come += len(chunk)
        if self._come > self._limit:
            raise InputError("input.bomb", path=str(self._path))
        return chunk

    def read1(self, size: int = -1) -> bytes:
        """The same."""
        return self.read(size)

    def readable(self) -> bool:
        """That it can be read from."""
        return True

    def seek(self, place: int, whence: int = io.SEEK_SET) -> int:
        """Go on to a place further on."""
        if whence != io.SEEK_SET or place < self._come:
            raise io.UnsupportedOperation
        while self._come < place and self.read(min(place - self._come, _CHUNK)):
            pass
        return self._come

    def close(self) -> None:
        """Close the packed file."""
        self._stream.close()
        super().close()


class PrivateCopy:
    """A file unpacked into a folder that nobody else may read, which is gone with this object."""

    def __init__(self, path: Path, member: str | None, label: str) -> None:
        folder = tempfile.mkdtemp(prefix="biombo-")
        self.remove = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.path = Path(folder) / "table"
        try:
            self._fill(path, member, label, Path(folder))
        except BaseException:
            self.remove()
            raise

    def _fill(self, path: Path, member: str | None, label: str, folder: Path) -> None:
        room = shutil.disk_usage(folder).free
        written = 0
        with opened(path, member) as packed, self.path.open("wb") as copy:
            while chunk := packed.read(_CHUNK):
                stop_if_cancelled()
                written += len(chunk)
                if written > room:
                    raise InputError(
                        "input.no-space", path=label, folder=tempfile.gettempdir(), needed=written, free=room
                    )
                copy.write(chunk)
