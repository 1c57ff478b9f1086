"""A release and its private part, built beside their places and moved there once they are whole.

The private folder takes its name first, so that no release is without one. Until the release has its name too, a mark
in the private folder says that it is unfinished, and the release is still where it was built; so what a killed run left
behind is told from the private part of a release that was moved elsewhere, which is never touched.
"""

import errno
import os
import secrets
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from biombo._errors import UsageError, system_reason
from biombo._files import in_sentences

UNFINISHED = "unfinished"
"""The mark of a private folder whose release has not been published."""


@dataclass(frozen=True)
class Staging:
    """Where a release and its private part are built."""

    public: Path
    private: Path


def places_of(out: str | Path, private: str | Path | None) -> tuple[Path, Path]:
    """Where a release and its private part are: by default beside each other."""
    public = Path(out) if Path(out).name else Path(out).absolute()
    return public, _named(public, f"{public.name}.private") if private is None else Path(private)


@contextmanager
def staged(out: Path, private: Path) -> Iterator[Staging]:
    """Folders to build in; they become ``out`` and ``private`` when the block ends without an error."""
    refuse_places(out, private)
    with in_sentences(out):
        out.parent.mkdir(parents=True, exist_ok=True)
    staging = Staging(_beside(out), _beside(private))
    with _held(staging.public, out), _held(staging.private, private):
        refuse_places(out, private)  # somebody else may have published there before we were alone
        _take_back(private, staging.private)
        for folder in (staging.public, staging.private):
            _empty(folder)
        (staging.private / UNFINISHED).touch(mode=0o600)
        yield staging
        _move(staging, out, private)


def refuse_places(out: Path, private: Path) -> None:
    """Raise where a release must not, or cannot, be put."""
    inside, outside = _resolved(private), _resolved(out)
    if any(inside.is_relative_to(public) for public in (outside, _beside(outside))):
        raise UsageError("output.private-inside", path=str(private), public=str(out))
    if outside.is_relative_to(inside):
        raise UsageError("release.inside-private", path=str(out), private=str(private))
    if not _is_free(out):
        raise UsageError("release.exists", path=str(out))
    if not _is_free(private) and not _is_left_behind(private, out):
        raise UsageError("release.private-exists", path=str(private))
    for folder in (out, private):
        _refuse_unwritable(folder)


def _refuse_unwritable(folder: Path) -> None:
    """Raise before long work for a folder that could not be made where it is to be."""
    above = next(path for path in folder.absolute().parents if os.path.lexists(path))
    if not above.is_dir():
        raise UsageError("output.inside-file", path=str(folder), file=str(above))
    if not os.access(above, os.W_OK | os.X_OK):
        raise UsageError("output.refused", path=str(folder), detail=system_reason(OSError(errno.EACCES, "")))


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except RuntimeError:  # links that lead to each other
        raise UsageError("output.refused", path=str(path), detail=system_reason(OSError(errno.ELOOP, ""))) from None


def _is_free(folder: Path) -> bool:
    """Is nothing there, or an empty folder?"""
    with in_sentences(folder):
        if folder.is_symlink():
            return False
        return not os.path.lexists(folder) or (folder.is_dir() and not any(folder.iterdir()))


def _is_left_behind(private: Path, out: Path) -> bool:
    """Was ``private`` named by a run that was killed before it could name its release?"""
    return (private / UNFINISHED).is_file() and _beside(out).is_dir()


def _take_back(private: Path, staged: Path) -> None:
    """Move what a killed run left behind to where it is swept away, in one step: what is half removed has no mark."""
    if not _is_free(private):
        with in_sentences(private):
            private.rename(staged / secrets.token_hex(8))


def _beside(path: Path) -> Path:
    """The name is always the same, so that what a killed run left behind is found and swept away."""
    return _named(path, f".{path.name}.biombo-part")


def _named(path: Path, name: str) -> Path:
    """The folder ``name`` beside ``path``."""
    return path.parent / name


@contextmanager
def _held(folder: Path, place: Path) -> Iterator[None]:
    """Hold the folder that is to become ``place``, so that nobody else builds the same meanwhile; it is removed when
    the block ends before it was moved there.
    """
    with _gone_when_interrupted(folder):
        _made(folder)
        descriptor = _locked(folder, place)
        try:
            yield
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(descriptor)


@contextmanager
def _gone_when_interrupted(folder: Path) -> Iterator[None]:
    """An empty folder is not left behind by who was stopped before it was locked."""
    try:
        yield
    except KeyboardInterrupt:
        with suppress(OSError):
            folder.rmdir()
        raise


def _locked(folder: Path, place: Path) -> int:
    """The descriptor by which we hold the folder. Raises where somebody else does."""
    from fcntl import LOCK_EX, LOCK_NB, flock

    with in_sentences(folder):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        flock(descriptor, LOCK_EX | LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), folder.stat()):
            return descriptor
    except OSError:  # held, or gone since the one who held it is done
        pass
    os.close(descriptor)
    raise UsageError("release.under-way", path=str(place))


def _made(folder: Path) -> None:
    """Make the folder for the user alone, unless it is there. Raises where somebody else has taken its name."""
    with in_sentences(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            found = folder.lstat()
            if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
                raise UsageError("release.in-the-way", path=str(folder)) from None
        folder.chmod(0o700)


def _empty(folder: Path) -> None:
    with in_sentences(folder):
        for entry in folder.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            else:
                entry.unlink()


def _move(staging: Staging, out: Path, private: Path) -> None:
    with in_sentences(out):
        _show(staging.public)
        for folder in (staging.public, staging.private):
            _settle(folder)
        try:
            staging.private.rename(private)
            _settle_all_above(private)
            staging.public.rename(out)
        except BaseException:
            if staging.public.is_dir() and not staging.private.is_dir():  # the private part alone got its name
                private.rename(staging.private)
            raise
        _settle_all_above(out)
        (private / UNFINISHED).unlink()
        _settle(private)


def _show(folder: Path) -> None:
    """Make the folder one for others, as the umask has it, whose files do not tell when each of them was made."""
    now = time.time()
    for path in (*folder.iterdir(), folder):
        os.utime(path, (now, now))
    folder.chmod(0o777 & ~_umask())


def _settle_all_above(path: Path) -> None:
    """Have the name of ``path`` on the disk, and those of the folders that lead there, which may be new as well."""
    parent, *further = path.absolute().parents
    _settle(parent)
    for folder in further:
        with suppress(OSError):  # one that we may not read is none that we made
            _settle(folder)


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
