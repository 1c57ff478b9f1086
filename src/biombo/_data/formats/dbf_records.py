"""The records of a dBase file, turned into columns without a look at single rows."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from biombo._data.formats.dbf_header import TEXT_TYPES, DbfHeader, Field
from biombo._data.formats.decode import decoded
from biombo._errors import InputError

_BYTES_AT_A_TIME = 1 << 26
_KEPT, _DELETED = b" *"
_PADDING = " \0"

Records = NDArray[np.uint8]


@dataclass(frozen=True)
class DbfRecords:
    """An open dBase file. Fields stay text as written, without their padding; an empty one is missing."""

    file: IO[bytes]
    header: DbfHeader
    label: str
    """The file's name for messages."""

    def __post_init__(self) -> None:
        found = self.file.seek(0, io.SEEK_END)
        if found < self.header.size:
            raise InputError("input.truncated", path=self.label, expected=self.header.size, found=found)
        if found - self.header.size > self.header.record_length:
            raise InputError("input.dbf-longer", path=self.label, expected=self.header.size, found=found)

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows that are not deleted, with only ``columns``."""
        fields = [self._field(name) for name in columns]
        self.file.seek(self.header.length)
        for records in self._records():
            yield pa.RecordBatch.from_arrays([self._column(records, field) for field in fields], list(columns))

    def _field(self, name: str) -> Field:
        field = next(field for field in self.header.fields if field.name == name)
        if field.type not in TEXT_TYPES:
            raise InputError("input.dbf-type", path=self.label, column=name, type=field.type)
        return field

    def _records(self) -> Iterator[Records]:
        width = self.header.record_length
        step = max(_BYTES_AT_A_TIME // width, 1)
        for first in range(0, self.header.rows, step):
            wanted = min(step, self.header.rows - first) * width
            chunk = self.file.read(wanted)
            if len(chunk) < wanted:
                found = self.header.length + first * width + len(chunk)
                raise InputError("input.truncated", path=self.label, expected=self.header.size, found=found)
            yield self._kept(np.frombuffer(chunk, np.uint8).reshape(-1, width), first)

    def _kept(self, records: Records, first: int) -> Records:
        deleted = records[:, 0] == _DELETED
        known = deleted | (records[:, 0] == _KEPT)
        if not known.all():
            raise InputError("input.dbf-flag", path=self.label, row=first + int(np.argmin(known)) + 1)
        return records[~deleted] if deleted.any() else records

    def _column(self, records: Records, field: Field) -> pa.DictionaryArray:
        raw = np.ascontiguousarray(records[:, field.start : field.start + field.width])
        cells = pa.Array.from_buffers(pa.binary(field.width), len(raw), [None, pa.py_buffer(raw)])
        coded = pc.dictionary_encode(cells)
        text = decoded(coded.dictionary, field.name, self.label, ("utf-8", self.header.code_page))
        bare = pc.utf8_trim(text, _PADDING)
        values = pc.if_else(pc.equal(bare, ""), pa.scalar(None, bare.type), bare)
        return pa.DictionaryArray.from_arrays(coded.indices, values)
