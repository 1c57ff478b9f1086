"""What a report is made of: sections of prose, tables and figures, ready to be written down."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from markupsafe import Markup

from biombo._i18n import text

Emphasis = Literal["", "high", "low"]


@dataclass(frozen=True)
class Cell:
    """One cell of a table; ``emphasis`` sets it apart from the others in its column."""

    text: str
    emphasis: Emphasis = ""


@dataclass(frozen=True)
class Heading:
    """The head of a table's column."""

    text: str
    numeric: bool = True


@dataclass(frozen=True)
class Table:
    """A table; the first cell of each row names the row."""

    kind: ClassVar[str] = "table"
    title: str
    headings: tuple[Heading, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: Markup | str = ""

    @classmethod
    def of(
        cls, title: str, headings: Sequence[Heading], rows: Sequence[Sequence[str | Cell]], note: Markup | str = ""
    ) -> "Table":
        """A table whose cells may be plain texts."""
        cells = tuple(tuple(c if isinstance(c, Cell) else Cell(c) for c in row) for row in rows)
        return cls(title, tuple(headings), cells, note)


@dataclass(frozen=True)
class Drawing:
    """One picture of a figure."""

    svg: Markup
    heading: str = ""
    outcome: str = ""
    """What the picture amounts to, in a few words."""
    natural: bool = False
    """Does it keep its size, to be read, and scroll where there is no room?"""


@dataclass(frozen=True)
class Figure:
    """A chart, or several side by side, with the numbers behind it."""

    kind: ClassVar[str] = "figure"
    title: str
    drawings: tuple[Drawing, ...]
    caption: Markup | str
    data: Table


@dataclass(frozen=True)
class Prose:
    """A paragraph."""

    kind: ClassVar[str] = "prose"
    html: Markup | str


@dataclass(frozen=True)
class Bullets:
    """Sentences that stand side by side, below a heading where there is one."""

    kind: ClassVar[str] = "bullets"
    title: str
    items: tuple[Markup | str, ...]


@dataclass(frozen=True)
class Twig:
    """A node of a tree, with what is below it."""

    text: str
    count: str = ""
    marked: bool = False
    """Is it set apart from the others?"""
    unfolded: bool = False
    twigs: tuple["Twig", ...] = ()
    more: str = ""
    """That there are more below, where it is so."""


@dataclass(frozen=True)
class Tree:
    """A tree that can be folded."""

    kind: ClassVar[str] = "tree"
    title: str
    twigs: tuple[Twig, ...]
    more: str = ""
    note: Markup | str = ""


Block = Prose | Bullets | Table | Figure | Tree


@dataclass(frozen=True)
class Section:
    """A part of the report with its own heading."""

    anchor: str
    title: str
    blocks: tuple[Block, ...]


def words(key: str) -> Heading:
    """A column of words, headed by a text of the catalogue."""
    return Heading(text(f"report.head.{key}"), numeric=False)


def numbers(key: str) -> Heading:
    """A column of numbers, headed by a text of the catalogue."""
    return Heading(text(f"report.head.{key}"))
