"""Private folders for a run, gone with it: at its end, or, where it was killed, at the beginning of the next one."""

import os
import socket
import stat
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from shutil import rmtree

PREFIX = "biombo-spark-"
_LOCK = ".owner"
"""A file that the owner holds locked, which says on which machine."""


class OwnedFolder:
    """A folder that nobody else may look into, and that is known to be in use while this process lives."""

    def __init__(self, above: Path) -> None:
        _swept(above)
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=above))
        self._lock = _locked(self.path)

    def remove(self) -> None:
        """The folder with all that is in it."""
        if self._lock is not None:
            _removed(self.path, self._lock)
            self._lock = None
        else:
            rmtree(self.path, ignore_errors=True)


def _locked(folder: Path) -> int | None:
    """A lock on the folder; it has its name only once it is locked, so that nobody finds it free before."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:  # a system without such locks, where nothing is swept either
        return None
    new = folder / f"{_LOCK}.new"
    descriptor = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        flock(descriptor, LOCK_EX | LOCK_NB)
        os.write(descriptor, socket.gethostname().encode())
        new.rename(folder / _LOCK)
    except OSError:  # a file system without locks
        os.close(descriptor)
        return None
    return descriptor


@cache
def _swept(above: Path) -> None:
    """Remove what processes of this user that were killed on this machine have left, once for each place."""
    with suppress(OSError):
        for folder in above.glob(f"{PREFIX}*"):
            with suppress(OSError):
                _remove_if_left(folder)


def _remove_if_left(folder: Path) -> None:
    about = folder.lstat()
    if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.geteuid():
        return
    from fcntl import LOCK_EX, LOCK_NB, flock

    descriptor = os.open(folder / _LOCK, os.O_RDWR | os.O_NOFOLLOW)
    try:
        flock(descriptor, LOCK_EX | LOCK_NB)  # fails while the owner lives
        is_there = os.fstat(descriptor).st_nlink > 0
        if not is_there or os.read(descriptor, 1024) != socket.gethostname().encode():
            os.close(descriptor)
            return
    except OSError:
        os.close(descriptor)
        raise
    _removed(folder, descriptor)


def _removed(folder: Path, lock: int) -> None:
    """The lock goes last: whoever is killed meanwhile leaves a folder that the next one finds."""
    with suppress(OSError):
        for each in folder.iterdir():
            if each.name != _LOCK:
                rmtree(each, ignore_errors=True) if each.is_dir() and not each.is_symlink() else each.unlink()
        if [each.name for each in folder.iterdir()] == [_LOCK]:
            (folder / _LOCK).unlink()
            folder.rmdir()
    os.close(lock)
