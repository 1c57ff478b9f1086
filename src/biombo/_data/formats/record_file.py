"""Files of records that name their own fields, any of which may be left out: read once for the names, then for rows."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

from biombo._data.formats.header import tidy_header
from biombo._data.formats.source import File
from biombo._data.formats.values import batch_of
from biombo._errors import InputError
from biombo._files import reading_from
from biombo._watch import stop_if_cancelled

MOST_COLUMNS = 1 << 14

Record = Mapping[str, Any]


@dataclass(frozen=True)
class _Survey:
    columns: Mapping[str, str]
    """The names of the columns, by those of the fields."""
    rows: int


@dataclass(frozen=True)
class RecordFile(File, ABC):
    """A file of records. A field that a record does not have is missing in it."""

    @abstractmethod
    def records(self) -> Iterator[list[Record]]:
        """All records in order, as many at a time as come out of a few bytes. A field of several values is a list, one
        with fields of its own a dictionary.
        """

    @property
    def columns(self) -> list[str]:
        """The fields that any record has, in the order in which they are met."""
        return list(self._survey.columns.values())

    @property
    def rows(self) -> int:
        """How many records there are."""
        return self._survey.rows

    @cached_property
    def _survey(self) -> _Survey:
        fields: dict[str, None] = {}
        rows = 0
        with reading_from(self.path):
            for records in self.records():
                rows += len(records)
                for names in dict.fromkeys(map(tuple, records)):  # most records have the same
                    fields.update(dict.fromkeys(names))
                    if len(fields) > MOST_COLUMNS:
                        raise InputError("input.many-columns", path=self.label, most=MOST_COLUMNS)
                self._refuse_wrapped(records, rows)
        if not fields:
            raise InputError("input.empty", source=self.label)
        return _Survey(dict(zip(fields, tidy_header(fields, self.label), strict=True)), rows)

    def _refuse_wrapped(self, records: list[Record], rows: int) -> None:
        """One record with records inside is most likely a table with something around it."""
        for name, value in records[0].items() if rows == len(records) == 1 else ():
            if isinstance(value, list) and value and isinstance(value[0], dict):
                raise InputError("input.wrapped", path=self.label, field=name)

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows, with only ``columns``."""
        field_of = {column: name for name, column in self._survey.columns.items()}
        rows = 0
        for records in self.records():
            stop_if_cancelled()
            if not records:
                continue
            if not all(record.keys() <= self._survey.columns.keys() for record in records):
                raise InputError("input.changed", path=self.label)
            yield self._batch({name: [record.get(field_of[name]) for record in records] for name in columns}, rows)
            rows += len(records)
        if rows != self.rows:
            raise InputError("input.changed", path=self.label)

    def _batch(self, values: Mapping[str, list[Any]], before: int) -> pa.RecordBatch:  # noqa: ARG002
        """Values by the names of their columns, of records that have so many ``before`` them."""
        for name, each in values.items():
            kinds = set(map(type, each))
            if list in kinds or dict in kinds:
                kind = "list" if list in kinds else "record"
                raise InputError("input.nested", path=self.label, column=name, type=kind)
        try:
            return batch_of(values)
        except UnicodeEncodeError:
            raise InputError("input.half-letters", path=self.label) from None
