"""JSON files: a list of records, or one after the other, as in JSON Lines. Texts stay texts, numbers numbers."""

import codecs
import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any

import pyarrow as pa

from biombo._data.formats.record_file import Record, RecordFile
from biombo._errors import InputError

LONGEST_RECORD = 1 << 24
_CHUNK = 1 << 22
_SPACE = re.compile(r"[ \t\n\r]*")
_COMMA = re.compile(r"[ \t\n\r]*,[ \t\n\r]*")
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True)
class JsonFile(RecordFile):
    """A JSON file. ``null`` and ``NaN`` are missing; a field that a record lacks is too."""

    def records(self) -> Iterator[list[Record]]:
        """All records."""
        with self.opened() as file:
            yield from _Records(file, self.label)

    def _batch(self, values: Mapping[str, list[Any]], before: int) -> pa.RecordBatch:
        """Raises also for numbers that are too large to be kept: they are infinite once they are read."""
        for each in values.values():
            for row, value in enumerate(each, start=before + 1) if float in set(map(type, each)) else ():
                if isinstance(value, float) and math.isinf(value):
                    raise InputError("input.infinite", path=self.label, row=row, number=str(value))
        return super()._batch(values, before)


class _Records:
    """The records of one file, as many at a time as are whole in what was read."""

    def __init__(self, file: IO[bytes], label: str) -> None:
        self._file = file
        self._label = label
        self._decoder = json.JSONDecoder(object_pairs_hook=self._record, parse_constant=self._constant)
        self._letters = codecs.getincrementaldecoder("utf-8-sig")()
        self._text = ""
        self._place = 0
        self._ended = False
        self._number_of_records = 0
        self._refused: InputError | None = None

    def __iter__(self) -> Iterator[list[Record]]:
        self._fill(_CHUNK)
        is_list = self._mark() == "["
        self._place += is_list
        between, end = (_COMMA, "]") if is_list else (_SPACE, "")
        is_first = True
        while (mark := self._mark()) != end:
            if is_list and not is_first:
                if mark != ",":
                    raise self._unexpected()
                self._place += 1
                mark = self._mark()
            if mark != "{":
                raise self._unexpected()
            yield [self._next(), *self._whole(between)]
            is_first = False
        self._place += is_list
        if self._mark():
            raise self._unexpected()

    def _whole(self, between: re.Pattern[str]) -> Iterator[Record]:
        """The records that follow in what was read already: nearly all of them."""
        text, decode, separated = self._text, self._decoder.raw_decode, between.match
        try:
            while (gap := separated(text, self._place)) and text.startswith("{", gap.end()):
                record, self._place = decode(text, gap.end())
                self._number_of_records += 1
                yield record
        except (ValueError, RecursionError):
            self._refused = None  # whoever tries it again says why

    def _mark(self) -> str:
        """The next character that is no space; none at the end."""
        while True:
            self._place = _SPACE.match(self._text, self._place).end()  # type: ignore[union-attr]
            if self._place < len(self._text) or self._ended:
                return self._text[self._place : self._place + 1]
            self._fill(_CHUNK)

    def _fill(self, size: int) -> None:
        chunk = self._file.read(size)
        if not self._text and chunk.startswith(_UTF16_MARKS):
            raise InputError("input.utf16", path=self._label)
        self._ended = not chunk
        try:
            letters = self._letters.decode(chunk, final=self._ended)
        except UnicodeDecodeError:
            raise InputError("input.not-utf8", path=self._label, row=self._number_of_records + 1) from None
        self._text = self._text[self._place :] + letters
        self._place = 0

    def _next(self) -> Record:
        self._number_of_records += 1
        while True:
            try:
                record, end = self._decoder.raw_decode(self._text, self._place)
            except RecursionError:
                raise InputError("input.deep", path=self._label, row=self._number_of_records) from None
            except ValueError:  # cut off by the end of what was read, or no JSON
                if self._refused is not None:
                    raise self._refused from None
                if self._ended or len(self._text) - self._place > LONGEST_RECORD:
                    raise self._unexpected() from None
            else:
                if end - self._place > LONGEST_RECORD:
                    raise self._unexpected()
                self._place = end
                return record  # type: ignore[no-any-return]
            self._fill(max(_CHUNK, len(self._text) - self._place))

    def _unexpected(self) -> InputError:
        row, most = max(self._number_of_records, 1), LONGEST_RECORD >> 20
        return InputError("input.no-json", path=self._label, row=row, mebibytes=most)

    def _refuse(self, key: str, **values: Any) -> ValueError:
        self._refused = InputError(key, path=self._label, row=self._number_of_records, **values)
        return ValueError()

    def _record(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        record = dict(pairs)
        if len(record) < len(pairs):
            names = [name for name, _ in pairs]
            raise self._refuse("input.key-twice", field=next(name for name in names if names.count(name) > 1))
        return record

    def _constant(self, word: str) -> None:
        if word != "NaN":
            raise self._refuse("input.infinite", number=word)
