"""What a result says at a glance: one line for a terminal, a small table for a notebook.

Both are for whoever holds the data. Names and values in them come from other people's files, so all is escaped; nothing
is longer than a screen, and what a glance has no room for is in the result itself.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from importlib import import_module
from pathlib import Path
from re import compile as pattern
from typing import Any

from biombo._i18n import text

ROWS_AT_MOST = 20
LONGEST = 160

_NUMBER = pattern(r"–|[-−+≤≥]? ?[\d.,]+( ?%)?")


@dataclass(frozen=True)
class Glance:
    """A line, a table below it, and further glances."""

    line: str
    header: Sequence[str] = ()
    rows: Sequence[Sequence[object]] = ()
    below: Sequence["Glance"] = ()

    def html(self, name: str = "") -> str:
        """A piece of a page that needs nothing else.

        >>> print(Glance("2 < 3").html("Risk"))
        <div><p><b>Risk</b> 2 &lt; 3</p></div>
        """
        called = f"<b>{escape(name)}</b> " if name else ""
        line = f"<p>{called}{escape(self.line)}</p>" if called or self.line else ""
        inside = [line, self._table(), *(each.html() for each in self.below)]
        return f"<div>{''.join(inside)}</div>"

    def _table(self) -> str:
        if not self.rows:
            return ""
        shown = [[_written(value) for value in row] for row in self.rows[:ROWS_AT_MOST]]
        sides = ["right" if all(map(_NUMBER.fullmatch, cells)) else "left" for cells in zip(*shown, strict=True)]
        head = _row("th", map(_written, self.header), sides)
        body = "".join(_row("td", row, sides) for row in shown)
        left = len(self.rows) - ROWS_AT_MOST
        more = f"<p><small>{escape(text('glance.more', rows=left))}</small></p>" if left > 0 else ""
        return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>{more}"


def columns(*names: str) -> list[str]:
    """What the columns of a glance are called, in the language in use.

    >>> columns("column", "loss")
    ['Column', 'Loss']
    """
    return [text(f"glance.column.{name}") for name in names]


def _row(tag: str, cells: Iterable[str], sides: Sequence[str]) -> str:
    laid = (_cell(tag, cell, side) for cell, side in zip(cells, sides, strict=True))
    return f"<tr>{''.join(laid)}</tr>"


def _cell(tag: str, cell: str, side: str) -> str:
    return f'<{tag} style="text-align:{side}">{escape(cell)}</{tag}>'


def _written(value: object) -> str:
    """A value on one line, its tail cut where it is long."""
    line = " ".join(("" if value is None else str(value)).split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


class Glanced(ABC):
    """What is shown as a line in a terminal and as a small table in a notebook."""

    @abstractmethod
    def _glance(self) -> Glance:
        """What it says at a glance, in the language in use."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._glance().line}>"

    def _repr_html_(self) -> str:
        return self._glance().html(type(self).__name__)


class Result(Glanced):
    """What came of a function: at a glance, and as plain values."""

    @abstractmethod
    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values, which JSON has too: what the command of the same name prints with ``--json``."""
        return self.as_json()


class PageResult(Result):
    """A result that there is a report on."""

    def report(self, out: str | Path | None = None, **told: Any) -> str:
        """The report on it as one HTML page, written to ``out`` where that is named; see :func:`biombo.report`."""
        face = import_module("biombo")  # pages are drawn further down; whoever asks for one has the whole package
        page: str = face.report(self, out, **told)
        return page
