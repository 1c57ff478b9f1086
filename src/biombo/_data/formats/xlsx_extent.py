"""How far the cells of a workbook reach, and how much text they show."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any
from xml.parsers import expat

from biombo._data.formats.xlsx_archive import Part

_PREFIXED = re.compile(rb":(?:c|row|si)[\s/>]")
_UNNUMBERED = re.compile(rb'<(?:c|row)[\s/>](?!r="[A-Z]{0,3}[0-9]{1,7}")')
_NUMBERED = re.compile(rb'<(?:c|row)[\s/>]r="([A-Z]{0,3})([0-9]{1,7})"')
_REFERENCE = re.compile(r"([A-Za-z]{0,7})([0-9]{1,15})")
_LONGEST_RUN = 1 << 26

Numbers = list[int]


@dataclass
class Extent:
    """The last row and column that have a cell, up to which readers keep one for each place, and how many there are."""

    rows: int = 0
    columns: int = 0
    cells: int = 0

    def include(self, column: int, row: int) -> None:
        """Reach as far as this cell."""
        self.rows = max(self.rows, row)
        self.columns = max(self.columns, column)


def extent_of(part: Part) -> Extent:
    """The extent of the cells in ``part``: quickly where each tells its place as usual, else by parsing all of it."""
    found = Extent()
    for text in _whole_tags(part.chunks()):
        if _PREFIXED.search(text) or _UNNUMBERED.search(text):
            return _parsed_extent(part)
        places = _NUMBERED.findall(text)
        found.cells += sum(1 for column, _ in places if column)
        columns, rows = {column for column, _ in places}, {row for _, row in places}
        found.include(max(map(_column_number, columns), default=0), max(map(int, rows), default=0))
    return found


def longest_shared_text(part: Part) -> int:
    """No text of ``part`` that cells refer to has more bytes than this; 0 where it has none."""
    longest = run = 0
    has_texts = False
    for text in _whole_tags(part.chunks()):
        first, *others = text.split(b"<si")
        has_texts = has_texts or bool(others) or _PREFIXED.search(text) is not None
        run += len(first)
        longest = max(longest, run, *map(len, others), 0)
        run = len(others[-1]) if others else run
    return longest if has_texts else 0


def shared_texts(part: Part) -> Numbers:
    """How long each of the texts is that cells refer to by their place."""
    lengths: Numbers = []
    inside = False

    def start(name: str, _: dict[str, str]) -> None:
        nonlocal inside
        if _local(name) == "si":
            inside = True
            lengths.append(0)

    def end(name: str) -> None:
        nonlocal inside
        inside = inside and _local(name) != "si"

    def text(written: str) -> None:
        if inside:
            lengths[-1] += len(written.encode())

    _parse(part, start, end, text)
    return lengths


def text_shown(part: Part, lengths: Numbers) -> int:
    """How long all texts are together to which the cells of ``part`` refer."""
    shown = 0
    refers, number = False, ""

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal refers, number
        if _local(name) == "c":
            refers, number = attributes.get("t") == "s", ""

    def text(written: str) -> None:
        nonlocal number
        if refers and len(number) < 15:
            number += written

    def end(name: str) -> None:
        nonlocal refers, shown
        if _local(name) == "c" and refers:
            refers = False
            place = int(number) if number.strip().isdecimal() else len(lengths)
            shown += lengths[place] if place < len(lengths) else 0

    _parse(part, start, end, text)
    return shown


def longest_at_each_place(lists: list[Numbers]) -> Numbers:
    """Of several lists, any of which may be the one that counts, the largest number at each place."""
    return [max(lengths) for lengths in zip_longest(*lists, fillvalue=0)]


def _parsed_extent(part: Part) -> Extent:
    """Cells that do not say where they are follow the one before, and so do rows."""
    found = Extent()
    row, column = 1, 1

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal row, column
        if (kind := _local(name)) not in ("row", "c"):
            return
        letters, digits = _reference(attributes.get("r"))
        if kind == "row":
            row = digits or row
        else:
            column = letters or column
            found.cells += 1
            found.include(column, digits or row)
            column += 1

    def end(name: str) -> None:
        nonlocal row, column
        if _local(name) == "row":
            row, column = row + 1, 1

    _parse(part, start, end)
    return found


def _parse(
    part: Part,
    start: Callable[[str, dict[str, str]], None],
    end: Callable[[str], None],
    text: Callable[[str], None] | None = None,
) -> None:
    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.StartDoctypeDeclHandler = _refuse_declarations
    if text is not None:
        parser.CharacterDataHandler = text
    for chunk in part.chunks():
        parser.Parse(chunk, False)
    parser.Parse(b"", True)


def _refuse_declarations(*_: Any) -> None:
    raise ValueError("a document type in a workbook")


def _whole_tags(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes, in runs that end where a tag does."""
    rest = b""
    for chunk in chunks:
        text = rest + chunk
        cut = text.rfind(b">") + 1
        yield text[:cut]
        rest = text[cut:]
        if len(rest) > _LONGEST_RUN:
            raise ValueError("a text without an end")
    yield rest


def _reference(written: str | None) -> tuple[int, int]:
    """The column and the row of ``AB12``; 0 for what is not said."""
    if written is None:
        return 0, 0
    found = _REFERENCE.fullmatch(written)
    if found is None:
        raise ValueError(f"no place for a cell: {written[:40]}")
    return _column_number(found[1].encode()), int(found[2])


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - ord("A") + 1
    return number


def _local(name: str) -> str:
    return name.rpartition(":")[2]
