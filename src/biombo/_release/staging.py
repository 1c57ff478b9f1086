"""A release and its private part, built beside their places and moved there once they are whole.

The private folder takes its name first, so that no release is without one. Until the release has its name too, a mark
in the private folder says that it is unfinished; so what a killed run left behind is told from the private part of a
release that was moved elsewhere, which is never touched.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from biombo._errors import UsageError
from biombo._files import in_sentences, private_folder

UNFINISHED = "unfinished"
"""The mark of a private folder whose release has not been published."""


@dataclass(frozen=True)
class Staging:
    """Where a release and its private part are built."""

    public: Path
    private: Path


def places_of(out: str | Path, private: str | Path | None) -> tuple[Path, Path]:
    """Where a release and its private part are: by default beside each other."""
    public = Path(out)
    return public, public.with_name(f"{public.name}.private") if private is None else Path(private)


@contextmanager
def staged(out: Path, private: Path) -> Iterator[Staging]:
    """Folders to build in; they become ``out`` and ``private`` when the block ends without an error."""
    refuse_places(out, private)
    with in_sentences(out):
        out.parent.mkdir(parents=True, exist_ok=True)
    staging = Staging(_beside(out, "part"), _beside(private, "part"))
    with _alone(staging.public, out):
        try:
            for folder in (staging.public, staging.private):
                _emptied(folder)
            (staging.private / UNFINISHED).touch(mode=0o600)
            yield staging
            _move(staging, out, private)
        finally:
            for folder in (staging.public, staging.private):
                shutil.rmtree(folder, ignore_errors=True)


def refuse_places(out: Path, private: Path) -> None:
    """Raise where a release must not, or cannot, be put."""
    inside, outside = private.resolve(), out.resolve()
    if inside.is_relative_to(outside):
        raise UsageError("output.private-inside", path=str(private), public=str(out))
    if outside.is_relative_to(inside):
        raise UsageError("release.inside-private", path=str(out), private=str(private))
    if not _is_free(out):
        raise UsageError("release.exists", path=str(out))
    if not _is_free(private) and not (private / UNFINISHED).is_file():
        raise UsageError("release.private-exists", path=str(private))


def _is_free(folder: Path) -> bool:
    """Is nothing there, or an empty folder?"""
    with in_sentences(folder):
        return not os.path.lexists(folder) or (folder.is_dir() and not any(folder.iterdir()))


def _beside(path: Path, kind: str) -> Path:
    """The name is always the same, so that what a killed run left behind is found and swept away."""
    return path.parent / f".{path.name}.biombo-{kind}"


@contextmanager
def _alone(folder: Path, out: Path) -> Iterator[None]:
    """Hold the folder, made for the user alone, so that nobody else builds the same release meanwhile."""
    from fcntl import LOCK_EX, LOCK_NB, flock

    private_folder(folder, public=None)
    with in_sentences(folder):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            flock(descriptor, LOCK_EX | LOCK_NB)
            ours = os.path.samestat(os.fstat(descriptor), folder.stat())
        except OSError:  # held, or gone since the one who held it is done
            ours = False
        if not ours:
            raise UsageError("release.under-way", path=str(out))
        yield
    finally:
        os.close(descriptor)


def _emptied(folder: Path) -> None:
    private_folder(folder, public=None)
    with in_sentences(folder):
        for entry in folder.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            else:
                entry.unlink()


def _move(staging: Staging, out: Path, private: Path) -> None:
    replaced = _beside(private, "old")
    with in_sentences(out):
        shutil.rmtree(replaced, ignore_errors=True)
        staging.public.chmod(0o777 & ~_umask())
        for folder in (staging.public, staging.private):
            _settle(folder)
        if private.is_dir():
            private.rename(replaced)
        staging.private.rename(private)
        _settle(private.parent)
        staging.public.rename(out)
        _settle(out.parent)
        (private / UNFINISHED).unlink()
        shutil.rmtree(replaced, ignore_errors=True)


def _settle(folder: Path) -> None:
    """Have the names in ``folder`` on the disk before anything else is done."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
