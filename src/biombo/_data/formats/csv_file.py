"""CSV and TSV files, also packed: streamed, every field as text."""

import csv
import io
import secrets
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import IO, ClassVar, cast

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from biombo._data.formats.csv_dialect import SAMPLE_BYTES, Dialect, dialect_of
from biombo._data.formats.encodings import decoded
from biombo._data.formats.formulas import unescaped, unescaped_text
from biombo._data.formats.header import unique
from biombo._data.formats.source import File
from biombo._errors import InputError


class EndRow:
    """A row put after the last one, with a field too many. A parser that does not stumble over it is inside a quote."""

    def __init__(self, dialect: Dialect) -> None:
        self._mark = secrets.token_hex(16)
        self.text = self._mark + dialect.delimiter * len(dialect.header)
        self.met = False
        self.swallowed = False
        self.invalid: tuple[int, int] | None = None
        """How many fields were expected and found, when some other row stopped the parser."""

    def judge(self, row: arrow_csv.InvalidRow) -> str:
        """What to do with a row of the wrong length."""
        if row.text.strip("\r\n") == self.text:
            self.met = True
            return "skip"
        if self._mark in row.text:
            self.swallowed = True
        else:
            self.invalid = (row.expected_columns, row.actual_columns)
        return "error"


class Body:
    """A file's bytes from here on, with the end row after them; what Arrow needs of a Python file.

    Arrow chokes on a faulty row that is not UTF-8, and nobody knows yet whether the file is. So every byte goes as the
    character of that number, and :func:`restored` turns those back into bytes.
    """

    closed = False

    def __init__(self, file: IO[bytes], end: EndRow) -> None:
        self._file = file
        self._end = end
        self._last = b"\n"
        self._ended = False

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        chunk = self._file.read(max(size // 2, 1) if size > 0 else size)  # a byte may take two
        if chunk:
            self._last = chunk[-1:]
            return chunk if chunk.isascii() else chunk.decode("latin-1").encode()
        if self._ended:
            return b""
        self._ended = True
        newline = "" if self._last in b"\r\n" else "\n"
        return f"{newline}{self._end.text}\n".encode()

    def readable(self) -> bool:
        """That it can be read from."""
        return True

    def close(self) -> None:
        """Nothing: whoever opened the file closes it."""


def restored(values: pa.Array) -> pa.Array:
    """The bytes that ``values``, parsed from a :class:`Body`, had in the file."""
    if pc.all(pc.string_is_ascii(values.view(pa.string()))).as_py() is not False:
        return values
    return pa.array([value.decode().encode("latin-1") for value in values.to_pylist()], pa.large_binary())


LONGEST_ROW = 1 << 24
_HASHED = pa.dictionary(pa.int32(), pa.binary())


@dataclass(frozen=True)
class CsvFile(File):
    """A file of delimited text. Its encoding and delimiter are found out; nothing is taken for a number."""

    rows: ClassVar[None] = None

    unescape: bool = False
    """Have text and header apostrophes before what a spreadsheet would take for a formula, to be taken away?"""

    @property
    def columns(self) -> list[str]:
        """The names in the header."""
        return list(self._dialect.header)

    @cached_property
    def _dialect(self) -> Dialect:
        try:
            found = dialect_of(self._beginning(), self.label, ours=self.unescape)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError("input.damaged", path=self.label, detail=str(error)) from None
        if not self.unescape:
            return found
        return replace(found, header=tuple(unique(map(unescaped_text, found.header), self.label)))

    def _beginning(self) -> bytes:
        with self.opened() as file:
            return file.read(SAMPLE_BYTES)

    def _rest(self, place: int) -> IO[bytes]:
        """All bytes from a place of the beginning on."""
        file = self.opened()
        file.seek(place)
        return file

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows, with only ``columns``, hashed as they are parsed."""
        rows = 0
        with self._rest(self._dialect.body) as file:
            end = EndRow(self._dialect)
            try:
                for batch in self._parsed(Body(file, end), end, columns):
                    yield self._as_text(batch)
                    rows += batch.num_rows
            except pa.ArrowInvalid as error:
                raise self._explained(error, end, rows) from None
            except (OSError, EOFError, zlib.error) as error:
                raise InputError("input.damaged", path=self.label, detail=str(error)) from None
        if not end.met:
            raise InputError("input.open-quote", path=self.label)

    def _parsed(self, body: Body, end: EndRow, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        names = self._dialect.header
        return cast(
            Iterator[pa.RecordBatch],
            arrow_csv.open_csv(
                body,
                read_options=arrow_csv.ReadOptions(column_names=names, block_size=LONGEST_ROW, use_threads=False),
                parse_options=arrow_csv.ParseOptions(
                    delimiter=self._dialect.delimiter,
                    newlines_in_values=True,
                    ignore_empty_lines=len(names) > 1,  # in a single column, an empty line is a missing value
                    invalid_row_handler=end.judge,
                ),
                convert_options=arrow_csv.ConvertOptions(
                    check_utf8=False,
                    include_columns=columns,
                    column_types=dict.fromkeys(names, _HASHED),
                    null_values=[""],
                    strings_can_be_null=True,
                ),
            ),
        )

    def _as_text(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        return pa.RecordBatch.from_arrays(
            [self._column_as_text(name, batch.column(name)) for name in batch.schema.names], batch.schema.names
        )

    def _column_as_text(self, name: str, column: pa.DictionaryArray) -> pa.DictionaryArray:
        values = decoded(restored(column.dictionary), name, self.label)
        if pc.any(pc.match_substring(values, "\0")).as_py():
            raise InputError("input.nul", path=self.label)
        return pa.DictionaryArray.from_arrays(column.indices, unescaped(values) if self.unescape else values)

    def _explained(self, error: pa.ArrowInvalid, end: EndRow, rows: int) -> InputError:
        if end.invalid is not None:
            return self._uneven(*end.invalid)
        if end.swallowed:
            return InputError("input.open-quote", path=self.label)
        if "straddl" in str(error):
            return InputError("input.long-row", path=self.label, row=rows + 1, mebibytes=LONGEST_ROW >> 20)
        return InputError("input.damaged", path=self.label, detail=" ".join(str(error).split()))

    def _uneven(self, expected: int, found: int) -> InputError:
        return InputError("input.fields", path=self.label, line=self._uneven_line(), expected=expected, found=found)

    def _uneven_line(self) -> int:
        """The line of the first row that has another number of fields than the header. Slow, for the message only."""
        line = self._dialect.lines
        with self.opened() as file:
            file.seek(self._dialect.body)
            reader = csv.reader(io.TextIOWrapper(file, "latin-1", newline=""), delimiter=self._dialect.delimiter)
            first = line + 1
            try:
                for row in reader:
                    if row and len(row) != len(self._dialect.header):
                        break
                    first = line + reader.line_num + 1
            except csv.Error:
                pass
        return first
