"""XML files that hold a table: under the root an element for each record, with its fields as elements or attributes."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from biombo._data.formats.record_file import Record, RecordFile
from biombo._data.formats.xml_events import LONGEST, local, parsed
from biombo._errors import InputError

_RECORD, _FIELD = 1, 2
"""How many elements a record, or a field of one, stands in."""


@dataclass(frozen=True)
class XmlFile(RecordFile):
    """An XML file. Every field is text, without the space around it; an empty one is missing."""

    def records(self) -> Iterator[list[Record]]:
        """All records."""
        reading = _Reading(self.label)
        with self.opened() as file:
            for _ in parsed(file, self.label, reading.start, reading.end, reading.text):
                yield reading.taken()


@dataclass
class _Reading:
    """What is known in the middle of a file."""

    label: str
    name: str | None = None
    """What the records are called."""
    depth: int = 0
    values: dict[str, list[Any]] = field(default_factory=dict)
    """Those of the record that is being read; one with more inside is an empty dictionary."""
    texts: list[str] = field(default_factory=list)
    own: list[str] = field(default_factory=list)
    """Text of the record outside of its fields."""
    is_nested: bool = False
    size: int = 0
    rows: int = 0
    done: list[Record] = field(default_factory=list)

    def taken(self) -> list[Record]:
        """The records that are whole, once."""
        done, self.done = self.done, []
        return done

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        if self.depth == _RECORD:
            self._begin_record(name, attributes)
        elif self.depth == _FIELD:
            self.texts, self.is_nested = [], bool(_fields(attributes))
        elif self.depth > _FIELD:
            self.is_nested = True
        self.depth += 1

    def _begin_record(self, name: str, attributes: dict[str, str]) -> None:
        if self.name not in (None, name):
            raise InputError("input.xml-names", path=self.label, first=self.name, second=name)
        self.name, self.own, self.size = name, [], 0
        self.rows += 1
        self.values = {each: [value.strip() or None] for each, value in _fields(attributes).items()}

    def text(self, written: str) -> None:
        """Text goes on."""
        self.size += len(written)
        if self.size > LONGEST:
            raise InputError("input.long-record", path=self.label, row=max(self.rows, 1), mebibytes=LONGEST >> 20)
        if self.depth == _FIELD:
            self.own.append(written)
        elif self.depth > _FIELD:
            self.texts.append(written)
        elif written.strip():
            raise InputError("input.xml-text", path=self.label)

    def end(self, name: str) -> None:
        """An element ends."""
        self.depth -= 1
        if self.depth == _FIELD:
            value: Any = {} if self.is_nested else "".join(self.texts).strip() or None
            self.values.setdefault(name, []).append(value)
        elif self.depth == _RECORD:
            self._end_record(name)

    def _end_record(self, name: str) -> None:
        own = "".join(self.own).strip()
        if own and self.values:
            raise InputError("input.xml-text", path=self.label)
        if own:
            self.values = {name: [own]}
        self.done.append({each: found[0] if len(found) == 1 else found for each, found in self.values.items()})


def _fields(attributes: dict[str, str]) -> dict[str, str]:
    """Attributes that are data: not those that say whose names are used, or that a value is missing."""
    return {local(name): value for name, value in attributes.items() if not name.startswith(("xmlns", "xml:", "xsi:"))}
