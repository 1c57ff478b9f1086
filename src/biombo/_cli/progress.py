"""A progress bar for what takes more than a moment."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from biombo._cli.console import messages
from biombo._i18n import integer

Update = Callable[[int, int | None], None]
"""Called with how much is done and, where known, how much there is."""


@contextmanager
def progress_bar(
    title: str, *, after: float = 1.0, counted: bool = True, console: Console | None = None
) -> Iterator[Update]:
    """Show how far something is, on a terminal only, and only once it takes longer than ``after`` seconds.

    Where things are ``counted``, how many are done stands beside the bar, which is gone when the block ends::

        with progress_bar("Reading") as update:
            read(path, progress=update)
    """
    console = console or messages()
    if not _watched(console):
        yield lambda _done, _total: None
        return
    bar = _bar(console)
    task = bar.add_task(title, total=None, count="")

    def update(done: int, total: int | None) -> None:
        bar.update(task, completed=done, total=total, count=integer(done) if counted else "")

    with _shown(bar, after):
        yield update


@contextmanager
def share_bar(title: str) -> Iterator[Callable[[float], None]]:
    """A progress bar for work that tells which share of it is done, from 0 to 1."""
    with progress_bar(title, counted=False) as update:
        yield lambda share: update(round(1000 * share), 1000)


@contextmanager
def stage_bars(
    title: Callable[[str], str], *, after: float = 1.0, console: Console | None = None
) -> Iterator[tuple[Callable[[str], None], Update]]:
    """A progress bar for each stage of one work, under those of the stages that are done::

    with stage_bars(str.capitalize) as (begin, update):
        publish(path, plan, out, stage=begin, progress=update)
    """
    console = console or messages()
    if not _watched(console):
        yield lambda _stage: None, lambda _done, _total: None
        return
    bar = _bar(console)

    def begin(stage: str) -> None:
        for task in bar.tasks:
            bar.update(task.id, completed=1, total=1, count="")
        bar.add_task(title(stage), total=None, count="")

    def update(done: int, total: int | None) -> None:
        bar.update(bar.tasks[-1].id, completed=done, total=total, count=integer(done))

    with _shown(bar, after):
        yield begin, update


def _watched(console: Console) -> bool:
    return console.is_terminal and not console.is_dumb_terminal


def _bar(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[count]}"))
    return Progress(*columns, TimeRemainingColumn(), console=console, transient=True)


@contextmanager
def _shown(bar: Progress, after: float) -> Iterator[None]:
    """Show the bar once the block takes longer than ``after`` seconds, until it ends."""
    start = Timer(after, bar.start)
    start.daemon = True
    start.start()
    try:
        yield
    finally:
        start.cancel()
        start.join()
        bar.stop()
