"""How the entries of a schema stand in the cells of a spreadsheet, so that people can edit them and nothing is lost.

Text stands as it is. What a spreadsheet would change when a file is opened in it (007 becomes 7, 1/2 a day, spaces go)
stands in quotes, as JSON has them; so do codes in which the marks between codes occur.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from biombo._data.schema_sheet.words import WORDS
from biombo._documents import dump_yaml, load_yaml
from biombo._errors import SchemaError

_QUOTES = '"“”„'
"""A spreadsheet may put typographic ones where plain ones were typed."""

_NUMBER_LIKE = re.compile(r"(?=.*\d)[\d\s.,:/%+\-()eE$R]+|true|false|verdadeiro|falso", re.IGNORECASE)
_ESCAPED_IN_WORKBOOKS = re.compile(r"_x[0-9A-Fa-f]{4}_")
_QUOTED = re.compile(rf"[{_QUOTES}]((?:[^\\{_QUOTES}]|\\.)*)[{_QUOTES}]")


def written_text(text: str) -> str:
    """``text`` for a cell of its own.

    >>> written_text("idade"), written_text("007"), written_text(" a")
    ('idade', '"007"', '" a"')
    """
    plain = _stays(text, "") and text[0] not in "{[" and not _NUMBER_LIKE.fullmatch(text)
    return text if plain else _in_quotes(text)


def read_text(cell: str) -> str:
    """The text that ``cell`` holds."""
    (text, rest) = _token(cell, "")
    if rest:
        raise SchemaError("sheet.quotes", cell=cell)
    return text


def written_codes(codes: Sequence[str | None]) -> str:
    """Codes, of which ``None`` is a missing value, for one cell.

    >>> written_codes(["9", "99", None]), written_codes(["00"]), written_codes(["a;b"])
    ('9; 99; empty', '"00"', '"a;b"')
    """
    if len(codes) == 1 and codes[0] is not None and _NUMBER_LIKE.fullmatch(codes[0]):
        return _in_quotes(codes[0])
    return "; ".join(WORDS.missing if code is None else _written_code(code) for code in codes)


def read_codes(cell: str) -> list[str | None]:
    """The codes that ``cell`` lists."""
    found: list[str | None] = []
    for part in _parts(cell):
        quoted = part[:1] in _QUOTES
        if not quoted and "," in part:
            raise SchemaError("sheet.commas", cell=cell)
        code = read_text(part)
        found.append(None if not quoted and WORDS.is_missing(code) else code)
    return found


def written_pairs(pairs: Mapping[str, str]) -> str:
    """Codes with what they are called, or become, for one cell.

    >>> written_pairs({"1": "masculino", "2": "a; b"})
    '1 = masculino; 2 = "a; b"'
    """
    return "; ".join(f"{_written_code(code)} = {_written_name(name)}" for code, name in pairs.items())


def read_pairs(cell: str) -> dict[str, str]:
    """The pairs that ``cell`` lists."""
    found: dict[str, str] = {}
    for part in _parts(cell):
        code, rest = _token(part, "=")
        if not rest.startswith("=") or not rest[1:].strip():
            raise SchemaError("sheet.pairs", cell=cell)
        if code in found:
            raise SchemaError("sheet.code-twice", code=code)
        found[code] = read_text(rest[1:])
    return found


def written_numbers(numbers: Sequence[float]) -> str:
    """Two numbers for one cell."""
    return "; ".join(repr(number) for number in numbers)


def read_numbers(cell: str) -> list[float]:
    """The numbers that ``cell`` lists, with a decimal point or comma."""
    try:
        return [float(part.strip().replace(",", ".")) for part in cell.split(";")]
    except ValueError:
        raise SchemaError("sheet.numbers", cell=cell) from None


def written_tree(value: Any) -> str:
    """A text, or entries as YAML has them in one line."""
    return written_text(value) if isinstance(value, str) else one_line(value)


def read_tree(cell: str) -> Any:
    """The text or the entries that ``cell`` holds."""
    return load_yaml(cell.encode()) if cell.strip()[:1] == "{" else read_text(cell)


def one_line(value: Any) -> str:
    """Plain values as YAML in one line."""
    return dump_yaml(value, flow=True, one_line=True).strip()


def _stays(text: str, marks: str) -> bool:
    """Does a spreadsheet leave ``text`` as it is, and do none of the ``marks`` occur in it?"""
    printable = text.isprintable() and text == text.strip() and not _ESCAPED_IN_WORKBOOKS.search(text)
    return bool(text) and printable and not any(mark in text for mark in (*_QUOTES, *marks))


def _written_code(code: str) -> str:
    return code if _stays(code, ";,=") and not WORDS.is_missing(code) else _in_quotes(code)


def _written_name(name: str) -> str:
    return name if _stays(name, ";") else _in_quotes(name)


def _in_quotes(text: str) -> str:
    """As JSON, with no character in it that a workbook or a line of text could change."""
    ascii_only = json.dumps(text)
    readable = text.isprintable() and not any(mark in text for mark in _QUOTES[1:])
    quoted = json.dumps(text, ensure_ascii=False) if readable else ascii_only
    return _ESCAPED_IN_WORKBOOKS.sub(lambda found: "\\u005f" + found[0][1:], quoted)


def _parts(cell: str) -> Iterator[str]:
    """What stands between semicolons that are not in quotes; nothing for nothing."""
    start, inside, escaped = 0, False, False
    for place, mark in enumerate(cell):
        if escaped:
            escaped = False
        elif inside and mark == "\\":
            escaped = True
        elif mark in _QUOTES:
            inside = not inside
        elif mark == ";" and not inside:
            yield from filter(None, (cell[start:place].strip(),))
            start = place + 1
    if inside:
        raise SchemaError("sheet.quotes", cell=cell)
    yield from filter(None, (cell[start:].strip(),))


def _token(cell: str, end: str) -> tuple[str, str]:
    """The text, quoted or not, that ``cell`` begins with, up to the mark ``end``, and the rest."""
    told = cell.strip()
    if told[:1] not in _QUOTES or not told:
        text, mark, rest = told.partition(end) if end else (told, "", "")
        return text.strip(), mark + rest
    found = _QUOTED.match(told)
    if found is None:
        raise SchemaError("sheet.quotes", cell=cell)
    try:
        return str(json.loads(f'"{found[1]}"')), told[found.end() :].strip()
    except ValueError:
        raise SchemaError("sheet.quotes", cell=cell) from None
