"""Files that are read whole, and written whole or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from biombo._errors import InputError, UsageError, system_reason

PUBLIC, PRIVATE = 0o666, 0o600
"""Modes of a new file: as the user's umask has it, or for the user alone."""


def read_whole(path: str | Path) -> bytes:
    """All that the file at ``path`` holds."""
    try:
        with reading_from(path):
            return Path(path).read_bytes()
    except ValueError as error:  # a name that no file can have
        raise InputError("input.unreadable", path=repr(path), detail=str(error)) from None


@contextmanager
def reading_from(path: str | Path) -> Iterator[None]:
    """Turn what the system says of a file that is read into an error for people."""
    try:
        yield
    except OSError as error:
        raise InputError("input.unreadable", path=str(path), detail=system_reason(error)) from None


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
