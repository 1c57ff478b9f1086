"""A release and its private part, built beside their places and moved there once they are whole.

Each is built in a folder named by the random id of the run, inside of a hidden one that only one run at a time holds.
The private part takes its name first, so that no release is without one, with a mark that says which run it is of. The
release takes its name in one step, which takes it out of the folder of that id for ever. So as long as that folder is
there, and only then, its private part is known never to have had a release; whoever sweeps the folder away writes that
into the private part before. Any other private part may be all that leads back to the originals, and is never touched.
"""

import errno
import os
import re
import secrets
import shutil
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from biombo._errors import UsageError, system_reason
from biombo._files import PRIVATE, in_sentences, refuse_store, refuse_unmakeable, write_whole

UNFINISHED, NEVER = "unfinished", "never-published"
"""The marks of a private folder whose release may not have been published, and of one whose release never was."""

_RUN = re.compile("[0-9a-f]{32}")


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
def staged(out: Path, private: Path, *, only_tried: bool = False) -> Iterator[Staging]:
    """Folders to build in; they become ``out`` and ``private`` when the block ends without an error, or are removed
    where it is ``only_tried``.
    """
    refuse_places(out, private)
    with in_sentences(out):
        out.parent.mkdir(parents=True, exist_ok=True)
    with _held(_beside(out), out), _held(_beside(private), private):
        refuse_places(out, private)  # somebody else may have published there before we were alone
        _take_back(private)
        for folder in (_beside(out), _beside(private)):
            _sweep(folder)
        staging = _begun(out, private)
        yield staging
        if not only_tried:
            _move(staging, out, private)


def refuse_places(out: Path, private: Path) -> None:
    """Raise where a release must not, or cannot, be put."""
    refuse_store(out)
    refuse_store(private)
    inside, outside = _resolved(private), _resolved(out)
    if any(inside.is_relative_to(public) for public in (outside, _beside(outside))):
        raise UsageError("output.private-inside", path=str(private), public=str(out))
    if outside.is_relative_to(inside):
        raise UsageError("release.inside-private", path=str(out), private=str(private))
    if not _is_free(out):
        raise UsageError("release.exists", path=str(out))
    if not _is_free(private) and not _is_left_behind(private, out):
        marked = os.path.lexists(private / UNFINISHED)
        raise UsageError("release.private-marked" if marked else "release.private-exists", path=str(private))
    for folder in (out, private):
        refuse_unmakeable(folder)


def refuse_in_release(files: Iterable[Path], out: Path, private: str | Path | None) -> None:
    """Raise where one of the ``files``, which are not of the release, would be in its folders or in their way."""
    for file, folder in product(files, places_of(out, private)):
        at, place = _resolved(file), _resolved(folder)
        if at.is_relative_to(place) or place.is_relative_to(at):
            raise UsageError("release.register-inside", path=str(file), folder=str(folder))


def _resolved(path: Path) -> Path:
    try:
        with in_sentences(path):
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
    """Is it known that ``private`` never had a release, because that lies unfinished or was swept away unfinished?"""
    staged = _other_half(private)
    unfinished = () if staged is None else (staged, _beside(out) / staged.name)  # all of it may have been moved
    return (private / NEVER).is_file() or any(folder.is_dir() for folder in unfinished)


def _other_half(private: Path) -> Path | None:
    """Where the release was built that the mark in ``private`` names; nothing where there is no such mark."""
    try:
        staged = Path(os.fsdecode((private / UNFINISHED).read_bytes()))
    except OSError:
        return None
    return staged if _RUN.fullmatch(staged.name) else None


def _begun(out: Path, private: Path) -> Staging:
    """The folders of a new run. Each half says where the other one is: the release beside itself, for nobody to see."""
    run = secrets.token_hex(16)
    staging = Staging(_beside(out).absolute() / run, _beside(private).absolute() / run)
    write_whole(_note(staging.public), os.fsencode(private.absolute()), mode=PRIVATE)
    with in_sentences(out):
        for folder in (staging.public, staging.private):
            folder.mkdir(mode=0o700)
    write_whole(staging.private / UNFINISHED, os.fsencode(staging.public), mode=PRIVATE)
    return staging


def _note(staged: Path) -> Path:
    return staged.with_suffix(".private")


def _take_back(private: Path) -> None:
    """Move what a killed run left behind to where it is swept away, in one step: what is half removed has no mark."""
    if not _is_free(private):
        with in_sentences(private):
            private.rename(_beside(private) / secrets.token_hex(16))
            for folder in (private.parent, _beside(private)):
                _settle(folder)


def _sweep(folder: Path) -> None:
    """Remove what killed runs left behind, each release after its private part was told."""
    with in_sentences(folder):
        for entry in sorted(folder.iterdir()):  # the note of a run comes after its folder
            if entry.is_dir() and not entry.is_symlink():
                _disown(entry)
                shutil.rmtree(entry)
            else:
                entry.unlink()


def _disown(staged: Path) -> None:
    """Mark the private part of a release that is still where it was built as one that never had any."""
    if not _note(staged).is_file():
        return
    private = Path(os.fsdecode(_note(staged).read_bytes()))
    other_half = _other_half(private)
    if other_half is not None and other_half.name == staged.name:
        with in_sentences(private), suppress(FileNotFoundError):  # somebody else may have taken it back just now
            (private / UNFINISHED).rename(private / NEVER)
            _settle(private)


def _beside(path: Path) -> Path:
    """The name is always the same, so that what a killed run left behind is found and swept away."""
    return _named(path, f".{path.name}.biombo-part")


def _named(path: Path, name: str) -> Path:
    """The folder ``name`` beside ``path``."""
    return path.parent / name


@contextmanager
def _held(folder: Path, place: Path) -> Iterator[None]:
    """Hold the folder in which ``place`` is built, so that nobody else builds the same meanwhile; it is removed in the
    end.
    """
    with _gone_when_interrupted(folder):
        _made(folder)
        descriptor = _locked(folder, place)
        try:
            yield
        finally:
            with suppress(UsageError, OSError):  # what cannot be removed now is swept away by the next run
                _sweep(folder)
                folder.rmdir()
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


def _move(staging: Staging, out: Path, private: Path) -> None:
    with in_sentences(out):
        _show(staging.public)
        for folder in (staging.public, staging.private):
            _settle(folder)
            _settle(folder.parent)
        _settle(out.absolute().parent)  # what proves that there is no release yet outlives a power cut
        try:
            staging.private.rename(private)
            _settle_all_above(private)
            staging.public.rename(out)
        except BaseException:
            if staging.public.is_dir() and not staging.private.is_dir():  # the private part alone got its name
                private.rename(staging.private)
            raise
        _settle(staging.public.parent)
        _settle_all_above(out)
        (private / UNFINISHED).unlink()
        _settle(private)


def _show(folder: Path) -> None:
    """Make the folder one for others, as the umask has it, whose files do not tell when each of them was made."""
    now = time.time()
    for path in (*folder.iterdir(), folder):
        os.utime(path, (now, now))
    folder.chmod(_usual_mode(folder.parent))


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


def _usual_mode(hidden: Path) -> int:
    """The mode of a new folder here. Asking for the umask itself would set it, for all threads of the process."""
    probe = hidden / secrets.token_hex(16)
    probe.mkdir(mode=0o777)
    try:
        return stat.S_IMODE(probe.stat().st_mode)
    finally:
        probe.rmdir()
