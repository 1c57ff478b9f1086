"""Files that are written whole or not at all."""

import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from biombo._errors import UsageError, system_reason

PUBLIC, PRIVATE = 0o666, 0o600
"""Modes of a new file: as the user's umask has it, or for the user alone."""

UNFINISHED = "unfinished"
"""The only name in a line of a log that is no entry."""


def write_whole(path: str | Path, content: str | bytes, *, mode: int = PUBLIC) -> None:
    """Write ``content``, text as UTF-8, to ``path``. Whatever happens, the file there is the old or the new one.

    Bytes of another encoding, which names of files may have, are written as JSON has them: ``\\udcff``.
    """
    with replacing(path, mode=mode) as file:
        file.write(content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content)


@contextmanager
def replacing(path: str | Path, *, mode: int = PUBLIC) -> Iterator[BinaryIO]:
    """A file to write to that takes the name ``path`` once the block ends without an error and it is on the disk."""
    target = Path(path)
    refuse_unwritable(target)
    temporary = target.parent / f".biombo-{secrets.token_hex(8)}.part"
    try:
        with in_sentences(target):
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
            with os.fdopen(descriptor, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def refuse_unwritable(path: str | Path) -> None:
    """Raise before long work whose result could not be put at ``path``."""
    target = Path(path)
    with in_sentences(target):
        if not target.parent.is_dir():
            raise UsageError("output.no-folder", path=str(path), folder=str(target.parent))
        if target.exists() and not target.is_file():
            raise UsageError("output.not-a-file", path=str(path))


def refuse_existing(path: str | Path) -> None:
    """Raise when there is a file at ``path`` already."""
    if Path(path).is_file():
        raise UsageError("output.exists", path=str(path))


@contextmanager
def in_sentences(target: Path) -> Iterator[None]:
    """Turn what the system says of ``target`` into an error for people."""
    try:
        yield
    except OSError as error:
        raise UsageError("output.refused", path=str(target), detail=system_reason(error)) from None


def public_folder(path: Path) -> Path:
    """Make the folder ``path`` where there is none yet."""
    with in_sentences(path):
        path.mkdir(parents=True, exist_ok=True)
    return path


def private_folder(path: Path, *, public: Path | None) -> Path:
    """Make a folder that nobody else may read; refused inside of the public one, with which it would be published."""
    if public is not None and path.resolve().is_relative_to(public.resolve()):
        raise UsageError("output.private-inside", path=str(path), public=str(public))
    with in_sentences(path):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.chmod(0o700)
    return path


def append_line(path: Path, entry: Mapping[str, Any]) -> None:
    """Write ``entry`` as one line of JSON at the end of a log that nobody else may read, for good."""
    with HeldLog.at(path) as log:
        log.append(entry)


class HeldLog:
    """A log with one line of JSON for each entry, held so that nobody else writes to it meanwhile.

    A last line that does not end, as a disk that was full or a program that was killed leaves it, is no entry: whatever
    it was to record was not done yet. The next entry sets it apart, as ``{"unfinished": "…"}``. Where only the end of
    the line is missing, it counts.
    """

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path = path
        self._file = file

    @classmethod
    @contextmanager
    def at(cls, path: Path) -> Iterator["HeldLog"]:
        """The log at ``path``, which is begun where there is none, for its owner alone."""
        from fcntl import LOCK_EX, flock

        with in_sentences(path):
            descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, PRIVATE)
        with os.fdopen(descriptor, "r+b") as file:
            flock(file, LOCK_EX)  # until the file is closed
            yield cls(path, file)

    def entries(self) -> list[Any]:
        """All that was recorded. Raises ``ValueError`` where a line is not JSON."""
        lines, last = self._lines()
        recorded = [json.loads(line) for line in (*lines, *([last] if _is_json(last) else []))]
        return [entry for entry in recorded if not (isinstance(entry, dict) and entry.keys() == {UNFINISHED})]

    def append(self, entry: Mapping[str, Any]) -> None:
        """Record ``entry``, for good."""
        with in_sentences(self._path):
            before = self._end_last_line()
            self._file.write(before + _line(entry))
            self._file.flush()
            os.fsync(self._file.fileno())

    def _end_last_line(self) -> bytes:
        """What is missing between the last line and the next."""
        lines, unfinished = self._lines()
        if not unfinished or _is_json(unfinished):
            return b"\n" if unfinished else b""
        self._file.truncate(sum(map(len, lines)))
        return _line({UNFINISHED: unfinished.decode(errors="backslashreplace")})

    def _lines(self) -> tuple[list[bytes], bytes]:
        """The lines that end, and what stands after them."""
        self._file.seek(0)
        lines = list(self._file)
        unfinished = lines.pop() if lines and not lines[-1].endswith(b"\n") else b""
        return lines, unfinished


def _line(entry: Mapping[str, Any]) -> bytes:
    return json.dumps(entry, ensure_ascii=False).encode(errors="backslashreplace") + b"\n"


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True
