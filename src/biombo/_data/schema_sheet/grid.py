"""A schema as the rows of a sheet: a row for each column of the table, and beside them what is said of all of it.

A heading may name a language, as in ``label (pt)``. Each adversary has a column of its own, with an x, or its place in
the list, for what it knows. Under the last two headings stand the other entries, one below the other.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from biombo._data.schema import DOCUMENT, ColumnSchema, Schema
from biombo._data.schema_sheet import cells
from biombo._data.schema_sheet.words import WORDS, folded
from biombo._documents import errors_within, read_entries
from biombo._errors import SchemaError

Row = list[str]

_LANGUAGE = re.compile(r"(?P<head>.*?)\s*\((?P<language>[^()]*)\)\s*")
_KNOWS = "x"
_POPULATION = "population-"
_ELSEWHERE = ("columns", "adversaries")
"""Entries of the schema that have rows and columns of their own."""


class Head(NamedTuple):
    """What a column of the sheet is about."""

    about: str
    named: str | None = None
    """The language of a text, or the name of an adversary."""

    def written(self) -> str:
        """The heading, in the language in use."""
        word = WORDS.head(self.about)
        if self.named is None:
            return word
        return f"{word}: {cells.written_text(self.named)}" if self.about == "adversary" else f"{word} ({self.named})"

    @classmethod
    def read(cls, cell: str) -> "Head":
        """What the heading in ``cell``, in whatever language, says."""
        word, colon, name = cell.partition(":")
        if colon and WORDS.heads.get(folded(word)) == "adversary":
            return cls("adversary", cells.read_text(name))
        if (about := WORDS.heads.get(folded(cell))) is not None:
            return cls(about)
        by_language = _LANGUAGE.fullmatch(cell)
        about = WORDS.heads.get(folded(by_language["head"])) if by_language else None
        if by_language is None or about not in _WORDED:
            raise SchemaError("sheet.heading", heading=cell, known=", ".join(map(WORDS.head, _USUAL)))
        return cls(about, by_language["language"])


@dataclass(frozen=True)
class _Spelling:
    """How the value of an entry stands in a cell."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]


def _word_in(known: Callable[[], Mapping[str, str]], write: Callable[[str], str]) -> _Spelling:
    def read(cell: str) -> str:
        found = known().get(folded(cell))
        if found is None:
            options = ", ".join(map(write, dict.fromkeys(known().values())))
            raise SchemaError("sheet.word", cell=cell, options=options)
        return found

    return _Spelling(write, read)


_TEXT = _Spelling(cells.written_text, cells.read_text)
_CODES = _Spelling(cells.written_codes, cells.read_codes)
_PAIRS = _Spelling(cells.written_pairs, cells.read_pairs)
_SPELLINGS = {
    "role": _word_in(lambda: WORDS.roles, WORDS.role),
    "type": _word_in(lambda: WORDS.types, WORDS.type),
    "label": _TEXT,
    "hierarchy": _Spelling(cells.written_tree, cells.read_tree),
    "invalid": _CODES,
    "reason": _TEXT,
    "values": _PAIRS,
    "domain": _CODES,
    "bounds": _Spelling(cells.written_numbers, cells.read_numbers),
    "population-column": _TEXT,
    "population-values": _PAIRS,
}
_WORDED = ("label", "reason", "values")
"""Entries that may be by language."""
_USUAL = ("column", *_SPELLINGS, "adversary", "entry", "content")
_ALWAYS = (
    Head("column"),
    Head("role"),
    Head("type"),
    Head("label", "pt"),
    Head("label", "en"),
    Head("hierarchy"),
    Head("invalid"),
    Head("reason"),
    Head("values", "pt"),
    Head("values", "en"),
)
"""Headings that are there even where nothing stands under them, for people to fill in."""


def rows_of(schema: Schema) -> list[Row]:
    """All rows of the sheet, the headings first."""
    tree = DOCUMENT.tree(schema)
    described = {name: dict(_cells_of(entries)) for name, entries in tree["columns"].items()}
    heads = _heads(described)
    marks = _marks(schema.adversaries, list(described))
    about = [(entry, value) for entry, value in tree.items() if entry not in _ELSEWHERE]
    body = [
        [
            cells.written_text(name),
            *(found.get(head, "") for head in heads[1:]),
            *(known.get(name, "") for known in marks.values()),
        ]
        for name, found in described.items()
    ]
    width = len(heads) + len(marks)
    body += [[""] * width for _ in range(len(about) - len(body))]
    beside = [[entry, cells.written_tree(value)] for entry, value in about]
    beside += [["", ""]] * (len(body) - len(beside))
    headings = [*heads, *(Head("adversary", name) for name in marks), Head("entry"), Head("content")]
    return [[head.written() for head in headings], *(row + more for row, more in zip(body, beside, strict=True))]


def _marks(adversaries: Mapping[str, tuple[str, ...]], columns: Sequence[str]) -> dict[str, dict[str, str]]:
    """An x for what an adversary knows, or the place of each where they are in another order than the columns."""
    found = {}
    for name, known in adversaries.items():
        in_order = list(known) == [column for column in columns if column in known]
        found[name] = {column: _KNOWS if in_order else str(place) for place, column in enumerate(known, 1)}
    return found


def _heads(described: Mapping[str, Mapping[Head, str]]) -> list[Head]:
    """Those that are always there, then all others in use, in the order of the entries and as they were met."""
    used = dict.fromkeys(head for found in described.values() for head in found)
    more = sorted((head for head in used if head not in _ALWAYS), key=lambda head: _USUAL.index(head.about))
    return [*_ALWAYS, *more]


def _cells_of(entries: Mapping[str, Any]) -> Iterator[tuple[Head, str]]:
    for entry, value in entries.items():
        for head, part in _divided(entry, value):
            yield head, _SPELLINGS[head.about].write(part)


def _divided(entry: str, value: Any) -> Iterator[tuple[Head, Any]]:
    """The parts of an entry that have cells of their own: by language, or of what the population has."""
    if entry == "population":
        yield from ((Head(_POPULATION + name), part) for name, part in value.items())
    elif entry == "values":
        languages = dict.fromkeys(language for called in value.values() for language in _languages(called))
        for language in languages:
            names = {code: _in(called, language) for code, called in value.items() if language in _languages(called)}
            yield Head(entry, language), names
    elif entry in _WORDED:
        yield from ((Head(entry, language), _in(value, language)) for language in _languages(value))
    else:
        yield Head(entry), value


def _languages(worded: Any) -> Sequence[str | None]:
    return list(worded) if isinstance(worded, Mapping) else [None]


def _in(worded: Any, language: str | None) -> str:
    text: str = worded if language is None else worded[language]
    return text


def schema_of(rows: Sequence[Sequence[str]]) -> Schema:
    """The schema in the rows of a sheet, the headings first."""
    if not rows:
        raise SchemaError("sheet.no-headings")
    heads = list(_read_heads(rows[0]))
    if Head("column") not in heads:
        raise SchemaError("sheet.no-column", heading=WORDS.head("column"))
    read = _Reading(heads)
    for number, row in enumerate(rows[1:], 2):
        read.row(number, row)
    return Schema.from_tree(read.tree())


def _read_heads(row: Sequence[str]) -> Iterator[Head | None]:
    seen = set[Head]()
    for cell in row:
        head = None
        if cell.strip():
            with errors_within("sheet.in-row", row=1):
                head = Head.read(cell)
                if head in seen:
                    raise SchemaError("sheet.heading-twice", heading=cell)
            seen.add(head)
        yield head


class _Reading:
    """What the rows so far say."""

    def __init__(self, heads: Sequence[Head | None]) -> None:
        self._heads = heads
        self._columns: dict[str, dict[str, Any]] = {}
        self._known: dict[str, list[tuple[int, int, str]]] = {
            head.named or "": [] for head in heads if head is not None and head.about == "adversary"
        }
        self._about: dict[str, Any] = {}

    def row(self, number: int, row: Sequence[str]) -> None:
        """Take one more row in."""
        filled = self._filled(number, row)
        entry, content = filled.pop(Head("entry"), None), filled.pop(Head("content"), None)
        if entry is not None:
            with errors_within("sheet.in-cell", row=number, heading=WORDS.head("content")):
                self._say(entry.strip(), content)
        name = filled.pop(Head("column"), None)
        if name is not None:
            self._column(number, name, filled)
        elif filled:
            raise SchemaError("sheet.nameless", row=number)

    def _filled(self, number: int, row: Sequence[str]) -> dict[Head, str]:
        found = {}
        for head, cell in zip(self._heads, row, strict=False):
            if not cell.strip():
                continue
            if head is None:
                raise SchemaError("sheet.no-heading", row=number, cell=cell)
            found[head] = cell
        return found

    def _say(self, entry: str, content: str | None) -> None:
        if entry in self._about or entry in _ELSEWHERE:
            raise SchemaError("sheet.entry", entry=entry)
        self._about[entry] = None if content is None else cells.read_tree(content)

    def _column(self, number: int, cell: str, filled: Mapping[Head, str]) -> None:
        entries: dict[str, Any] = {}
        with errors_within("sheet.in-cell", row=number, heading=WORDS.head("column")):
            name = cells.read_text(cell)
            if name in self._columns:
                raise SchemaError("sheet.column-twice", column=name)
        for head, content in filled.items():
            with errors_within("sheet.in-cell", row=number, heading=head.written()):
                if head.about == "adversary":
                    self._known[head.named or ""].append((_place(content), number, name))
                else:
                    _put(entries, head, _SPELLINGS[head.about].read(content))
        with errors_within("sheet.in-row", row=number):
            read_entries(ColumnSchema, entries)
        self._columns[name] = entries

    def tree(self) -> dict[str, Any]:
        """All of it, as YAML would have it."""
        adversaries = {name: [column for *_, column in sorted(known)] for name, known in self._known.items()}
        return self._about | {"columns": self._columns} | ({"adversaries": adversaries} if adversaries else {})


def _place(mark: str) -> int:
    """Where in its list something stands that an adversary knows; what has only an x stands as in the sheet."""
    told = mark.strip()
    return int(told) if told.isascii() and told.isdigit() and len(told) <= 6 else 0


def _put(entries: dict[str, Any], head: Head, value: Any) -> None:
    """Put a part of an entry where YAML has it."""
    if head.about.startswith(_POPULATION):
        entries.setdefault("population", {})[head.about.removeprefix(_POPULATION)] = value
    elif head.about == "values":
        names = entries.setdefault("values", {})
        for code, called in value.items():
            names[code] = _joined(names.get(code), head.named, called)
    elif head.about in _WORDED:
        entries[head.about] = _joined(entries.get(head.about), head.named, value)
    else:
        entries[head.about] = value


def _joined(before: Any, language: str | None, text: str) -> Any:
    if before is None:
        return text if language is None else {language: text}
    if language is None or not isinstance(before, dict):
        raise SchemaError("sheet.two-ways", text=text)
    return before | {language: text}
