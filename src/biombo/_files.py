"""Files that are written whole or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from biombo._errors import UsageError

PUBLIC, PRIVATE = 0o666, 0o600
"""Modes of a new file: as the user's umask has it, or for the user alone."""


def write_whole(path: str | Path, content: str | bytes, *, mode: int = PUBLIC) -> None:
    """Write ``content`` to ``path``, replacing what is there. Whatever happens, the file is the old or the new one.

    Text is written as UTF-8. The content goes to a temporary name beside ``path``, to the disk, and is then renamed.
    """
    target = Path(path)
    refuse_unwritable(target)
    with _sentences(target), _temporary(target, mode) as (descriptor, temporary):
        with os.fdopen(descriptor, "wb") as file:
            file.write(content.encode("utf-8") if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)


def refuse_unwritable(path: str | Path) -> None:
    """Raise before long work whose result could not be put at ``path``."""
    target = Path(path)
    with _sentences(target):
        if not target.parent.is_dir():
            raise UsageError("output.no-folder", path=str(path), folder=str(target.parent))
        if target.exists() and not target.is_file():
            raise UsageError("output.not-a-file", path=str(path))


def refuse_existing(path: str | Path) -> None:
    """Raise when there is a file at ``path`` already."""
    if Path(path).is_file():
        raise UsageError("output.exists", path=str(path))


@contextmanager
def _temporary(target: Path, mode: int) -> Iterator[tuple[int, Path]]:
    temporary = target.parent / f".biombo-{secrets.token_hex(8)}.part"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        yield descriptor, temporary
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def _sentences(target: Path) -> Iterator[None]:
    """Turn what the system says of ``target`` into an error for people."""
    try:
        yield
    except OSError as error:
        raise UsageError("output.refused", path=str(target), detail=error.strerror or str(error)) from None
