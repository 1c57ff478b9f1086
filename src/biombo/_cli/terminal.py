"""The terminal: results on standard output; progress, remarks and warnings on standard error."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from shutil import get_terminal_size
from textwrap import fill, wrap
from threading import Timer
from typing import TYPE_CHECKING, Any

from biombo._i18n import integer, number, text
from biombo._watch import Watch

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table
    from rich.text import Text

    from biombo._attack import Dropped
    from biombo._measures import ConstantColumn

_STAGES = {
    "reading": "cli.frame.reading",
    "attacking": "risk.attacking",
    "searching": "search.searching",
    "applying": "plan.applying",
    "fitting": "synthesis.fitting",
    "measuring": "utility.measuring",
    "counting": "tabulate.counting",
}
"""What the stages are called that are not those of a publication."""


def output() -> "Console":
    """Where tables and texts of a result go."""
    return _console(stderr=False)


def messages() -> "Console":
    """Where progress and remarks go."""
    return _console(stderr=True)


def _console(*, stderr: bool) -> "Console":
    from rich.console import Console

    class Output(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # the reader has gone: for the command's frame to end quietly

    return Output(stderr=stderr, highlight=False, markup=False, emoji=False)


def print_json(result: Any) -> None:
    """Print one JSON object, at full precision and in any language."""
    print(json.dumps(result, ensure_ascii=False, indent=2, allow_nan=False))


def say(sentence: str, *, prefix: str = "") -> None:
    """Print ``sentence`` as one line on standard error, which a terminal shows without breaking words."""
    line = prefix + plain(" ".join(sentence.split()))
    if sys.stderr.isatty():
        line = fill(line, get_terminal_size().columns, break_long_words=False, break_on_hyphens=False)
    print(line, file=sys.stderr)


def print_lines(lines: Iterable[str], console: "Console", style: str = "") -> None:
    """Print sentences, a line for each; a terminal shows them without breaking words."""
    for line in lines:
        console.print(plain(line), style=style, soft_wrap=not console.is_terminal)


ROWS_OF_VERDICT = 5


def print_verdict(lines: Sequence[str], console: "Console", *, full: bool) -> None:
    """The last that a command says, in as many rows as anybody reads; where that is not all, also how to see the rest.

    What has no room is left out, the first line never.
    """
    print_lines(lines if full else _with_room(lines, console.width), console)
    if not full:
        say(text("cli.frame.details"))


def plain(written: str) -> str:
    """``written`` without characters that a terminal would obey: names and paths come from other people's files."""
    return "".join(mark if mark.isprintable() else "�" for mark in written)


def cell(written: str, style: str = "") -> "Text":
    """``written`` for a table, taken literally."""
    from rich.text import Text

    return Text(plain(written), style=style)


def table(title: str, **options: Any) -> "Table":
    """An empty table in the program's look."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    return Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        border_style="dim",
        **options,
    )


def print_dropped(dropped: "Dropped", console: "Console") -> None:
    """How many there are, by the columns that are to blame; nothing where there are none."""
    causes = {name: rows for name, rows in dropped.by_column.items() if rows}
    if causes:
        named = ", ".join(f"{plain(name)} {integer(rows)}" for name, rows in causes.items())
        console.print(text("risk.dropped", rows=dropped.rows, causes=named), style="dim", soft_wrap=True)


def print_constant(columns: "Iterable[ConstantColumn]", console: "Console") -> None:
    """The columns that became constant, a line each; nothing where there are none."""
    for each in columns:
        console.print(plain(str(each)), style="yellow", soft_wrap=True)


def _with_room(lines: Sequence[str], width: int) -> Iterator[str]:
    left = ROWS_OF_VERDICT
    for line in lines:
        rows = len(wrap(line, width, break_long_words=False, break_on_hyphens=False))
        if rows <= left or left == ROWS_OF_VERDICT:
            left -= rows
            yield line


@contextmanager
def progress_shown(
    title: Callable[[str], str] | None = None, *, after: float = 1.0, console: "Console | None" = None
) -> Iterator[None]:
    """Show how far the work inside is, on a terminal only, and only once it takes longer than ``after`` seconds.

    Each stage has a bar, under those of the stages that are done; all are gone when the block ends::

        with progress_shown():
            request.run()
    """
    console = console or messages()
    if not console.is_terminal or console.is_dumb_terminal:
        yield
        return
    bars = _Bars(console, title or _title)
    with _shown(bars.drawn, after), Watch(progress=bars.update, stage=bars.begin):
        yield


def _title(stage: str) -> str:
    return text(_STAGES.get(stage, f"release.stage.{stage}"))


class _Bars:
    """A bar for each stage of one work."""

    def __init__(self, console: "Console", title: Callable[[str], str]) -> None:
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        count = TextColumn("{task.fields[count]}")
        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), count, TimeRemainingColumn())
        self.drawn = Progress(*columns, console=console, transient=True)
        self._title = title

    def begin(self, stage: str) -> None:
        for task in self.drawn.tasks:
            self.drawn.update(task.id, completed=1, total=1, count="")
        self.drawn.add_task(self._title(stage), total=None, count="")

    def update(self, done: float, total: float | None) -> None:
        """Where things are counted, how many are done stands beside the bar."""
        if self.drawn.tasks:
            count = integer(done) if isinstance(done, int) else ""
            self.drawn.update(self.drawn.tasks[-1].id, completed=done, total=total, count=count)


@contextmanager
def _shown(bars: "Progress", after: float) -> Iterator[None]:
    """Show the bars once the block takes longer than ``after`` seconds, until it ends."""
    start = Timer(after, bars.start)
    start.daemon = True
    start.start()
    try:
        yield
    finally:
        start.cancel()
        start.join()
        bars.stop()


def in_cell(value: object) -> str:
    """A value of a table of counts as people read it; a mark where there is none."""
    if value is None:
        return text("tabulate.left-out-mark")
    if isinstance(value, int):
        return integer(value)
    return number(value, 2) if isinstance(value, float) else str(value)
