"""Who waits for long work: told how far it is, what to beware of, and able to stop it.

Deep inside, work says ``advance``, ``begin``, ``warn`` or ``remark``; whoever put a :class:`Watch` around it hears it.
The watch in force belongs to the thread (or the task) that entered it: several can work at once; each hears its own.
"""

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from threading import Event
from typing import Any, ParamSpec, Self, TypeVar

from biombo._errors import BiomboWarning, CancelledError

P = ParamSpec("P")
Part = TypeVar("Part")

OnProgress = Callable[[float, float | None], object]
"""Called with how much is done and, where that is known, how much there is."""

OnSentence = Callable[[str], object]
"""Called with a sentence for people, or with the name of a stage."""


class Watch:
    """Looks on while something takes long::

        watch = Watch(progress=print, stage=print, warning=print)
        with watch:
            biombo.publish("people.csv", plan, "release")

    Any of the callables may be left out; what they would hear goes to the watch outside, if there is one. Warnings that
    nobody hears are Python's own. :meth:`cancel` makes the work stop, from any thread.

    >>> from biombo import read, samples
    >>> heard = []
    >>> with Watch(progress=lambda done, total: heard.append((done, total))):
    ...     data = read(samples.clinic())
    >>> heard
    [(12, 12)]
    """

    def __init__(
        self,
        *,
        progress: OnProgress | None = None,
        stage: OnSentence | None = None,
        warning: OnSentence | None = None,
        remark: OnSentence | None = None,
        noise: Callable[[Any], object] | None = None,
    ) -> None:
        """What to call.

        Args:
            progress: Called now and then with how much is done and how much there is, or ``None``.
            stage: Called with the name of each stage as it begins.
            warning: Called with what is easily misread, in a sentence.
            remark: Called with what else is worth saying, in a sentence: what the work will take, what was written.
            noise: Called with a :class:`biombo.Privacy` before noise is drawn; without it, its sentences are remarks.
        """
        self._heard: dict[str, Callable[..., object] | None] = {
            "progress": progress,
            "stage": stage,
            "warning": warning,
            "remark": remark,
            "noise": noise,
        }
        self._cancelled = Event()

    @property
    def cancelled(self) -> bool:
        """Did somebody ask the work to stop?"""
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """Ask the work to stop. It raises :class:`biombo.CancelledError` soon, and leaves nothing half-written.

        Soon is within a second as a rule, and after the call of a library that takes longer: unpacking a DBC file,
        training a model, drawing a PDF.
        """
        self._cancelled.set()

    def __enter__(self) -> Self:
        _in_force.set((*_in_force.get(), self))
        return self

    def __exit__(self, *_: object) -> None:
        _in_force.set(_in_force.get()[:-1])


_in_force: ContextVar[tuple[Watch, ...]] = ContextVar("biombo_watch", default=())
"""From the outermost to the innermost."""


def stop_if_cancelled() -> None:
    """Raise where somebody asked the work to stop."""
    if any(watch.cancelled for watch in _in_force.get()):
        raise CancelledError("watch.cancelled")


def stoppable(parts: Iterable[Part]) -> Iterator[Part]:
    """The same ``parts``, until somebody asks the work to stop."""
    for part in parts:
        stop_if_cancelled()
        yield part


def advance(done: float, total: float | None = None) -> None:
    """Say how much is done, and stop where that was asked for."""
    stop_if_cancelled()
    _told("progress", done, total)


def advance_share(share: float) -> None:
    """Say which share is done, from 0 to 1, and stop where that was asked for."""
    advance(share, 1.0)


def begin(stage: str) -> None:
    """Say that a stage begins, and stop where that was asked for."""
    stop_if_cancelled()
    _told("stage", stage)


def warn(sentence: str) -> None:
    """Say what is easily misread: to who watches, or else as a warning of Python's."""
    if not _told("warning", sentence):
        warnings.warn(sentence, BiomboWarning, stacklevel=_frames_of_ours())


def remark(sentence: str) -> None:
    """Say what is worth knowing, to who watches."""
    _told("remark", sentence)


def tell_noise(privacy: Any) -> None:
    """Say what noise will cost and guarantee before it is drawn, and stop where that was asked for."""
    stop_if_cancelled()
    if not _told("noise", privacy):
        for sentence in privacy.sentences():
            remark(sentence)


def instead(hear: Callable[P, object] | None, say: Callable[..., object]) -> Callable[P, None]:
    """What tells ``hear``, where somebody gave that as an argument, or else what tells who watches."""

    def tell(*what: P.args, **named: P.kwargs) -> None:
        stop_if_cancelled()
        (hear or say)(*what, **named)

    return tell


def unwarned() -> Watch:
    """A watch that keeps warnings to itself: what is done inside was warned of already, or is told in other words."""
    return Watch(warning=_kept)


def _kept(_sentence: str) -> None:
    """Nobody hears it."""


def _told(event: str, *what: Any) -> bool:
    """Tell the innermost watch that listens; what that says in turn is for those outside of it. Was there one?"""
    watches = _in_force.get()
    for place in reversed(range(len(watches))):
        hear = watches[place]._heard[event]
        if hear is not None:
            token = _in_force.set(watches[:place])
            try:
                hear(*what)
            finally:
                _in_force.reset(token)
            return True
    return False


def _frames_of_ours() -> int:
    """How far up the first caller is that is none of ours, as ``warnings`` counts from :func:`warn`."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("biombo."):
        level, frame = level + 1, frame.f_back
    return level
