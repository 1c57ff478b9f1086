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
    if not console.is_terminal or console.is_dumb_terminal:
        yield lambda _done, _total: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[count]}"))
    bar = Progress(*columns, TimeRemainingColumn(), console=console, transient=True)
    task = bar.add_task(title, total=None, count="")

    def update(done: int, total: int | None) -> None:
        bar.update(task, completed=done, total=total, count=integer(done) if counted else "")

    start = Timer(after, bar.start)
    start.daemon = True
    start.start()
    try:
        yield update
    finally:
        start.cancel()
        start.join()
        bar.stop()


@contextmanager
def share_bar(title: str) -> Iterator[Callable[[float], None]]:
    """A progress bar for work that tells which share of it is done, from 0 to 1."""
    with progress_bar(title, counted=False) as update:
        yield lambda share: update(round(1000 * share), 1000)
