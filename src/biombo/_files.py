"""Files that are read whole, and written whole or not at all; whether there are any, and whether one may look."""

import errno
import os
import secrets
import socket
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path, PurePath
from typing import BinaryIO

from biombo._addresses import is_store
from biombo._errors import InputError, UsageError, system_reason
from biombo._i18n import text

PUBLIC, PRIVATE = 0o666, 0o600
"""Modes of a new file: as the user's umask has it, or for the user alone."""

_NOTHING_THERE = {errno.ENOENT, errno.ENOTDIR, errno.EBADF, errno.ELOOP, errno.ENAMETOOLONG}


def without_folders(label: str) -> str:
    """What a table is called, for results and reports, which other people read: its files without their folders.

    >>> without_folders("/home/ana/data/PAAC2401.dbc … /home/ana/data/PAAC2412.dbc")
    'PAAC2401.dbc … PAAC2412.dbc'
    """
    return " … ".join(PurePath(part).name or part for part in label.split(" … "))


def is_file(path: str | Path) -> bool:
    """Is there a file at ``path``? Raises where one may not look."""
    return stat.S_ISREG(_mode(path))


def is_folder(path: str | Path) -> bool:
    """Is there a folder at ``path``? Raises where one may not look."""
    return stat.S_ISDIR(_mode(path))


def is_there(path: str | Path) -> bool:
    """Is there anything at ``path``? Raises where one may not look."""
    return _mode(path) != 0


def is_within_reach(path: str | Path) -> bool:
    """Is there a file at ``path`` that may be read? It does not matter why not."""
    try:
        return is_file(path) and os.access(path, os.R_OK)
    except InputError:
        return False


def files_in(folder: str | Path) -> list[Path]:
    """What lies in ``folder``, by name. Raises where one may not look."""
    with reading_from(folder):
        return sorted(Path(folder).iterdir())


def _mode(path: str | Path) -> int:
    """What is at ``path``, as the system has it; 0 for nothing, also where nothing can have such a name."""
    try:
        return Path(path).stat().st_mode
    except ValueError:
        return 0
    except OSError as error:
        if error.errno in _NOTHING_THERE:
            return 0
        raise InputError("input.unreadable", path=str(path), detail=system_reason(error)) from None


def read_whole(path: str | Path) -> bytes:
    """All that the file at ``path`` holds. Devices and pipes are refused: they may have no end, or never begin."""
    try:
        if (mode := _mode(path)) and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise InputError("input.device", path=str(path))
        with reading_from(path):
            return Path(path).read_bytes()
    except ValueError as error:  # a name that no file can have
        raise InputError("input.unreadable", path=repr(path), detail=str(error)) from None


def text_in(content: bytes) -> str:
    """The text that a file holds: in UTF-8, with or without a mark of the byte order, or as Windows wrote it.

    >>> text_in("São Paulo".encode("latin-1")) == text_in("São Paulo".encode("utf-8-sig"))
    True
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


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
        file.write(_encoded(content))


def _encoded(content: str | bytes) -> bytes:
    return content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content


@contextmanager
def replacing(path: str | Path, *, mode: int = PUBLIC) -> Iterator[BinaryIO]:
    """A file to write to that takes the name ``path`` once the block ends without an error and it is on the disk. What
    was left beside it by runs that were killed is removed.
    """
    target = Path(path)
    refuse_unwritable(target)
    remove_left(target.parent)
    temporary = target.parent / f"{_part()}{secrets.token_hex(8)}{_PART}"
    try:
        with in_sentences(target), ExitStack() as held:
            descriptor = _made(temporary, mode)
            held.callback(os.close, os.dup(descriptor))  # which keeps it locked until it has its name
            with os.fdopen(descriptor, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if os.name == "nt":  # where nothing is locked, and no open file takes another name
                held.close()
            temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


_PART = ".part"


@cache
def _part() -> str:
    """How the names of files begin that are being written on this machine; others cannot see whether they still are."""
    return f".biombo-{sha256(socket.gethostname().encode()).hexdigest()[:8]}-"


def _made(path: Path, mode: int) -> int:
    """A new file, locked where the system can, for as long as it is open."""
    while True:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        if not _is_locked(descriptor, wait=True) or os.fstat(descriptor).st_nlink:
            return descriptor
        os.close(descriptor)  # somebody took it for left before it was locked


def _is_locked(descriptor: int, *, wait: bool) -> bool:
    """Lock a file, if nobody else does."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock

        flock(descriptor, LOCK_EX if wait else LOCK_EX | LOCK_NB)
    except (ImportError, OSError):
        return False
    return True


def remove_left(folder: Path) -> None:
    """Remove files of this user that are locked by nobody: whoever wrote them was killed."""
    if os.name == "nt":
        return
    with suppress(OSError):
        for path in folder.glob(f"{_part()}*{_PART}"):
            with suppress(OSError):
                _remove_if_left(path)


def _remove_if_left(path: Path) -> None:
    about = path.lstat()
    if not stat.S_ISREG(about.st_mode) or about.st_uid != os.geteuid():
        return
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        if _is_locked(descriptor, wait=False):
            path.unlink()
    finally:
        os.close(descriptor)


def refuse_store(path: str | Path) -> None:
    """Raise where ``path`` is the address of a place where nothing is written yet."""
    if is_store(str(path)):
        raise UsageError("output.store", path=str(path))


def refuse_unwritable(path: str | Path) -> None:
    """Raise before long work whose result could not be put at ``path``."""
    refuse_store(path)
    target = Path(path)
    with in_sentences(target):
        if not target.parent.is_dir():
            raise UsageError("output.no-folder", path=str(path), folder=str(target.parent))
        if target.exists() and not target.is_file():
            raise UsageError("output.not-a-file", path=str(path))


def refuse_existing(path: str | Path) -> None:
    """Raise when there is a file at ``path`` already."""
    if is_file(path):
        raise UsageError("output.exists", path=str(path))


def refuse_onto(path: str | Path, inputs: Iterable[str | Path]) -> None:
    """Raise where what is written to ``path`` would replace one of the ``inputs``, by whatever name."""
    target = Path(path)
    for each in inputs:
        with suppress(OSError, ValueError):  # whatever is not there cannot be replaced
            if target.samefile(each):
                raise UsageError("output.onto-input", path=str(path), input=str(each))


def refuse_unmakeable(folder: Path, *, public: Path | None = None) -> None:
    """Raise before long work for a folder that could not be made, or written to, or that would be published with the
    ``public`` one. Nothing is made.
    """
    _refuse_inside(folder, public)
    with in_sentences(folder):
        above = next(path for path in (folder.absolute(), *folder.absolute().parents) if os.path.lexists(path))
        if not above.is_dir():
            if above == folder.absolute():
                raise FileExistsError(errno.EEXIST, "")
            raise UsageError("output.inside-file", path=str(folder), file=str(above))
        if not os.access(above, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, "")


def write_together(files: Mapping[Path, tuple[str | bytes, int]]) -> None:
    """Write several files, each with a mode: all of them or, where one fails, none that is new."""
    new = [path for path in files if not os.path.lexists(path)]
    try:
        with ExitStack() as replaced:  # nothing takes its name before everything is on the disk
            for path, (content, mode) in files.items():
                file = replaced.enter_context(replacing(path, mode=mode))
                file.write(_encoded(content))
                with in_sentences(path):
                    file.flush()
    except BaseException:
        for path in new:
            path.unlink(missing_ok=True)
        raise


@contextmanager
def making(*folders: Path) -> Iterator[None]:
    """Where the block ends with an error, those of ``folders`` that were made in it, and are empty, are gone again."""
    absent = {path for each in folders for path in (each.absolute(), *each.absolute().parents) if not path.exists()}
    try:
        yield
    except BaseException:
        for path in sorted(absent, key=lambda path: len(path.parts), reverse=True):
            with suppress(OSError):
                path.rmdir()
        raise


@contextmanager
def in_sentences(target: Path) -> Iterator[None]:
    """Turn what the system says of ``target`` into an error for people. A name that no file can have is refused."""
    if not _can_be_named(target):
        raise UsageError("output.refused", path=repr(str(target)), detail=text("errors.system.no-name"))
    try:
        yield
    except OSError as error:
        raise UsageError("output.refused", path=str(target), detail=system_reason(error)) from None


@contextmanager
def held_folder(folder: Path, *, wait: bool = True) -> Iterator[bool]:
    """Nobody else who holds ``folder`` does so meanwhile. Without ``wait`` says whether nobody does."""
    from fcntl import LOCK_EX, flock

    with in_sentences(folder):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if wait:
            flock(descriptor, LOCK_EX)
        yield wait or _is_locked(descriptor, wait=False)
    finally:
        os.close(descriptor)


def _can_be_named(target: Path) -> bool:
    try:
        return b"\0" not in os.fsencode(target)
    except UnicodeEncodeError:
        return False


def public_folder(path: Path) -> Path:
    """Make the folder ``path`` where there is none yet."""
    with in_sentences(path):
        path.mkdir(parents=True, exist_ok=True)
    return path


def private_folder(path: Path, *, public: Path | None) -> Path:
    """Make a folder that nobody else may read; refused inside of the public one, with which it would be published."""
    _refuse_inside(path, public)
    with in_sentences(path):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.chmod(0o700)
    return path


def _refuse_inside(path: Path, public: Path | None) -> None:
    with in_sentences(path):
        if public is not None and path.resolve().is_relative_to(public.resolve()):
            raise UsageError("output.private-inside", path=str(path), public=str(public))
