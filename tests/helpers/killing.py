"""Programs that end before a certain change to the disk."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHANGING = {"open", "os.rename", "os.mkdir", "os.chmod", "os.utime", "os.remove", "os.rmdir"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class Dying:
    """Calls ``die`` before a change to ``folder``, after so many that are let through, and before each later one."""

    def __init__(self, folder: Path, after: int, die: Callable[[], object]) -> None:
        self._folder = str(folder)
        self._left = after
        self._die = die

    def watch(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Count down what is about to be changed."""
        if event not in CHANGING or (event == "open" and not arguments[2] & WRITING):
            return
        path, *others = arguments
        inside = not isinstance(path, int) and os.fsdecode(path).startswith(self._folder)
        relative = event in ("os.remove", "os.rmdir") and others[-1] != -1  # to an open folder
        if inside or relative:
            self._left -= 1
            if self._left < 0:
                self._die()


class Killed(BaseException):
    """Raised before a change to the disk, and again before each that would undo or finish anything."""


_watching: list[Dying] = []
_hooks: list[Callable[[str, tuple[Any, ...]], None]] = []
"""They cannot be taken away again."""


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    for dying in _watching:
        dying.watch(event, arguments)


@contextmanager
def killed(folder: Path, after: int) -> Iterator[None]:
    """Leaves the disk as a program would that was killed in the block; raises ``Killed`` there if it comes to that.

    Much faster than a process. What a process lets go of when it ends is let go of when the block ends.
    """
    if _watch not in _hooks:
        sys.addaudithook(_watch)
        _hooks.append(_watch)
    _watching.append(Dying(folder, after, _die))
    try:
        yield
    finally:
        _watching.clear()
        _let_go_of(folder)


def _die() -> None:
    raise Killed


def _let_go_of(folder: Path) -> None:
    for descriptor in list(Path("/proc/self/fd").iterdir()):
        if descriptor.is_symlink() and descriptor.readlink().is_relative_to(folder):
            os.close(int(descriptor.name))
