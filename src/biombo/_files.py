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
    from fcntl import LOCK_EX, flock

    line = json.dumps(entry, ensure_ascii=False).encode(errors="backslashreplace") + b"\n"
    with in_sentences(path):
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, PRIVATE)
        with os.fdopen(descriptor, "a+b") as file:
            flock(file, LOCK_EX)  # until the file is closed
            end = file.seek(0, os.SEEK_END)
            cut_short = end > 0 and os.pread(descriptor, 1, end - 1) != b"\n"  # by a disk that was full
            file.write(b"\n" + line if cut_short else line)
            file.flush()
            os.fsync(descriptor)
