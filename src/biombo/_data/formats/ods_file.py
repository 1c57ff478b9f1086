"""OpenDocument spreadsheets (``.ods``): one sheet, streamed, every cell as the text that XLSX would have for it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import pyarrow as pa

from biombo._data.formats.header import LOOKED_AT, tell_title, tidy_header, title_rows
from biombo._data.formats.record_as_header import Row, refuse_record
from biombo._data.formats.record_file import MOST_COLUMNS
from biombo._data.formats.sheets import chosen_sheet
from biombo._data.formats.source import File
from biombo._data.formats.unpacking import opened
from biombo._data.formats.xml_events import LONGEST, local, parsed
from biombo._data.plain import as_written
from biombo._errors import InputError
from biombo._files import reading_from

_CONTENT, _MANIFEST = "content.xml", "META-INF/manifest.xml"
_CELLS_ALLOWED, _CELLS_PER_WRITTEN_ONE = 50_000_000, 20
_TEXT_ALLOWED = 1 << 30
_ROWS_AT_A_TIME = 1 << 16
_DEEPEST = 100
_CELLS = ("table-cell", "covered-table-cell")
_BREAKS = {"p": "\n", "line-break": "\n", "tab": "\t", "s": " "}
_TIME = re.compile(r"PT(\d+)H(\d+)M(\d+)(?:[.,]\d+)?S")
_WHOLE = re.compile(r"-?\d+")


@dataclass(frozen=True)
class _Layout:
    """The sheet that is read, and where the table is in it."""

    sheet: str
    header: list[str]
    above: int
    """Rows up to the header, this included, that are not empty or lie below one that is not."""
    rows: int


@dataclass(frozen=True)
class OdsFile(File):
    """A sheet of an OpenDocument spreadsheet. Whole numbers have no decimals, dates are ISO."""

    @property
    def columns(self) -> list[str]:
        """The first row that is neither empty nor a title."""
        return self._layout.header

    @property
    def rows(self) -> int:
        """As many as the sheet has below the header."""
        return self._layout.rows

    @cached_property
    def _layout(self) -> _Layout:
        with reading_from(self.path):
            self._refuse_password()
            sheets = self._looked_at()
        if not sheets:
            raise InputError("input.damaged", path=self.label, detail=_CONTENT)
        name = chosen_sheet(
            list(sheets), lambda each: bool(sheets[each].rows) and not sheets[each].is_hidden, self.sheet, self.label
        )
        if not sheets[name].rows:
            raise InputError("input.empty-sheet", path=self.label, sheet=name)
        return self._laid_out(name, sheets[name])

    def _refuse_password(self) -> None:
        with opened(self.whole, _MANIFEST) as file:
            if b"encryption-data" in file.read(1 << 20):
                raise InputError("input.password", path=self.label)

    def _looked_at(self) -> dict[str, "_Sheet"]:
        sheets: dict[str, _Sheet] = {}
        for sheet, rows in self._sheets():
            seen = sheets.setdefault(sheet.name, sheet)
            if seen is not sheet:
                raise InputError("input.damaged", path=self.label, detail=sheet.name)
            seen.look_at(rows)
        return sheets

    def _sheets(self) -> "Iterator[tuple[_Sheet, list[Row]]]":
        reading = _Reading(self.label, self.whole.stat().st_size)
        with opened(self.whole, _CONTENT) as file:
            for _ in parsed(file, self.label, reading.start, reading.end, reading.text):
                yield from reading.taken()

    def _laid_out(self, name: str, sheet: "_Sheet") -> _Layout:
        title = title_rows(sheet.first)
        if title:
            tell_title(sheet.first[: title + 1], self.label)
        names = [*sheet.first[title], *[None] * (sheet.width - len(sheet.first[title]))]
        refuse_record(names, sheet.first[title + 1 :], self.label, title + 1)
        header = tidy_header((each or "" for each in names), self.label)
        filled_above = sum(any(cell is not None for cell in row) for row in sheet.first[: title + 1])
        return _Layout(name, header, title + 1, sheet.rows - filled_above)

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows, with only ``columns``, without those that are empty."""
        places = [self.columns.index(name) for name in columns]
        width, passed, come = len(self.columns), 0, 0
        for sheet, rows in self._sheets():
            if sheet.name != self._layout.sheet:
                continue
            below = rows[max(self._layout.above - passed, 0) :]
            passed += len(rows)
            filled = [row for row in below if row]
            come += len(filled)
            if any(len(row) > width for row in filled):
                raise InputError("input.changed", path=self.label)
            for start in range(0, len(filled), _ROWS_AT_A_TIME):
                yield _batch(filled[start : start + _ROWS_AT_A_TIME], dict(zip(columns, places, strict=True)))
        if come != self.rows:
            raise InputError("input.changed", path=self.label)


def _batch(rows: list[Row], places: dict[str, int]) -> pa.RecordBatch:
    cells = [[row[place] if place < len(row) else None for row in rows] for place in places.values()]
    return pa.RecordBatch.from_arrays([pa.array(each, pa.large_string()) for each in cells], list(places))


@dataclass(eq=False)
class _Sheet:
    """A sheet as it is met."""

    name: str
    is_hidden: bool
    first: list[Row] = field(default_factory=list)
    """Its first rows, from one that is not empty."""
    width: int = 0
    rows: int = 0
    """Rows that are not empty."""

    def look_at(self, rows: list[Row]) -> None:
        """Take notice of the next rows."""
        for row in rows:
            if len(self.first) < LOOKED_AT:
                self.first.append(row)
            self.width = max(self.width, len(row))
            self.rows += bool(row)


@dataclass
class _Reading:
    """What is known in the middle of the content. A row ends with its last cell that is not empty."""

    label: str
    size: int
    """Of the file, in bytes."""
    above: list[str] = field(default_factory=list)
    """The elements that are open."""
    hidden: set[str] = field(default_factory=set)
    """The styles of sheets that are not to be seen."""
    style: str = ""
    sheet: _Sheet | None = None
    row: list[str | None] = field(default_factory=list)
    repeats: int = 1
    """How often the row is there."""
    gap: int = 0
    """Empty cells since the last one that is not."""
    cell: dict[str, str] | None = None
    words: list[str] = field(default_factory=list)
    length: int = 0
    """Of the words."""
    blank: int = 0
    """Empty rows since the last one that is not."""
    has_begun: bool = False
    written: int = 0
    """Cells in the file."""
    shown: int = 0
    """Cells in the sheets, in which a row or a cell may be repeated."""
    letters: int = 0
    done: list[tuple[_Sheet, list[Row]]] = field(default_factory=list)

    def taken(self) -> list[tuple[_Sheet, list[Row]]]:
        """The rows that are whole, by sheet, once."""
        done, self.done = self.done, []
        return done

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        known = {local(each): value for each, value in attributes.items()}
        parent = self.above[-1] if self.above else ""
        self.above.append(name)
        if len(self.above) > _DEEPEST:
            raise InputError("input.deep", path=self.label, row=1)
        if name == "style":
            self.style = known.get("name", "")
        elif name == "table-properties" and known.get("display") == "false":
            self.hidden.add(self.style)
        elif name == "table" and parent == "spreadsheet":
            self.sheet = _Sheet(known.get("name", ""), known.get("style-name", "") in self.hidden)
            self.blank, self.has_begun = 0, False
            self.done.append((self.sheet, []))
        elif self.sheet is not None and self.above.count("table") == 1:
            self._start_inside(name, known)

    def _start_inside(self, name: str, known: dict[str, str]) -> None:
        if name == "table-row":
            self.row, self.gap = [], 0
            self.repeats = self._times(known, "number-rows-repeated")
        elif name in _CELLS:
            self.cell, self.words, self.length = known, [], 0
        elif self.cell is not None and name in _BREAKS and not self._is_aside():
            times = self._times(known, "c") if name == "s" else 1
            if name != "p" or self.words:
                self.text(_BREAKS[name] * min(times, LONGEST))

    def _is_aside(self) -> bool:
        return "annotation" in self.above

    def _times(self, known: dict[str, str], name: str) -> int:
        said = known.get(name, "1")
        if not said.isdecimal() or len(said) > 9:
            raise InputError("input.damaged", path=self.label, detail=f"{name} {said[:40]}")
        return int(said)

    def text(self, words: str) -> None:
        """Text goes on."""
        if self.cell is None or self._is_aside():
            return
        self.words.append(words)
        self.length += len(words)
        if self.length > LONGEST:
            raise InputError("input.bomb", path=self.label)

    def end(self, name: str) -> None:
        """An element ends."""
        self.above.pop()
        if name == "table" and self.above and self.above[-1] == "spreadsheet":
            self.sheet = None
        elif self.sheet is not None and self.above.count("table") == 1:
            if name in _CELLS and self.cell is not None:
                self._end_cell(self.cell)
            elif name == "table-row":
                self._end_row(self.sheet)

    def _end_cell(self, known: dict[str, str]) -> None:
        self.cell = None
        times = self._times(known, "number-columns-repeated")
        value = _value(known, "".join(self.words))
        if value is None:
            self.gap += times
            return
        self.written += 1
        if len(self.row) + self.gap + times > MOST_COLUMNS:
            reach = len(self.row) + self.gap + times
            raise InputError("input.sparse", path=self.label, extent=reach, cells=self.written)
        self.row += [*[None] * self.gap, *[value] * times]
        self.gap = 0

    def _end_row(self, sheet: _Sheet) -> None:
        if not self.row:
            self.blank += self.repeats if self.has_begun else 0
            return
        self.shown += self.repeats * len(self.row)
        self.letters += self.repeats * sum(len(cell) for cell in self.row if cell)
        most_letters = max(_TEXT_ALLOWED, self.size * _CELLS_PER_WRITTEN_ONE)
        if self.shown > max(_CELLS_ALLOWED, self.written * _CELLS_PER_WRITTEN_ONE) or self.letters > most_letters:
            raise InputError("input.bomb", path=self.label)
        rows = self.done[-1][1] if self.done else []
        if not self.done:
            self.done.append((sheet, rows))
        rows += [[]] * min(self.blank, LOOKED_AT)
        rows += [self.row] * self.repeats
        self.blank, self.has_begun = 0, True


def _value(known: dict[str, str], words: str) -> str | None:
    """What a cell shows."""
    kind = known.get("value-type")
    if kind in ("float", "percentage", "currency"):
        return _number(known.get("value", ""))
    if kind == "date":
        return known.get("date-value", "").removesuffix("T00:00:00").replace("T", " ") or None
    if kind == "time":
        clock = _TIME.fullmatch(known.get("time-value", ""))
        return ":".join(clock.groups()) if clock else known.get("time-value") or None
    if kind == "boolean":
        return known.get("boolean-value") or None
    return words or known.get("string-value") or None


def _number(written: str) -> str | None:
    if _WHOLE.fullmatch(written) or not written:
        return written or None
    try:
        return as_written(float(written))
    except ValueError:
        return written
