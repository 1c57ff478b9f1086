"""What the command line prints: results on standard output, everything else on standard error."""

import json
import sys
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text


class _Output(Console):
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError  # the reader has gone: for the command's frame to end quietly


def output() -> Console:
    """Where tables and texts of a result go."""
    return _Output(highlight=False, markup=False, emoji=False)


def messages() -> Console:
    """Where progress and remarks go."""
    return _Output(stderr=True, highlight=False, markup=False, emoji=False)


def print_json(result: Any) -> None:
    """Print one JSON object, at full precision and in any language."""
    print(json.dumps(result, ensure_ascii=False, indent=2, allow_nan=False))


def say(sentence: str, *, prefix: str = "") -> None:
    """Print ``sentence`` as one line on standard error."""
    print(prefix + plain(" ".join(sentence.split())), file=sys.stderr)


def plain(written: str) -> str:
    """``written`` without characters that a terminal would obey: names and paths come from other people's files."""
    return "".join(mark if mark.isprintable() else "�" for mark in written)


def cell(written: str, style: str = "") -> Text:
    """``written`` for a table, taken literally."""
    return Text(plain(written), style=style)


def table(title: str, **options: Any) -> Table:
    """An empty table in the program's look."""
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
