"""Schemas as workbooks: one sheet to fill in, with roles to choose from, and one that says how."""

import io
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from biombo._data.schema import ROLES
from biombo._data.schema_sheet.grid import Row
from biombo._data.schema_sheet.words import TYPES, WORDS, folded
from biombo._errors import SchemaError
from biombo._i18n import text

_LONGEST = 32_767
"""The most characters that a cell of a workbook holds."""

_MADE = datetime(2024, 1, 1)
"""The same schema gives the same file: it does not tell when it was written."""

_SPARE_ROWS = 200
"""Rows below the last one where roles can be chosen, too."""

_WIDTHS = {"column": 24, "role": 20, "type": 13, "hierarchy": 22, "invalid": 18, "reason": 44}
_WIDTH = 26
_COLOURS = {"identifier": "#F8D7DA", "quasi": "#FFF3CD", "sensitive": "#E8DAEF", "undecided": "#E9ECEF"}
_EXPLAINED = ("type", "label", "hierarchy", "invalid", "values", "adversary", "entry")


def xlsx_of(rows: list[Row]) -> bytes:
    """The rows as a workbook. Every cell is text, which no spreadsheet takes for a formula or a number."""
    import xlsxwriter

    file = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(file, options) as book:
        book.set_properties({"created": _MADE})
        _fill(book, book.add_worksheet(text("sheet.columns")), rows)
        _explain(book, book.add_worksheet(text("sheet.help")))
    return file.getvalue()


def _fill(book: Any, sheet: Any, rows: list[Row]) -> None:
    body = book.add_format({"num_format": "@", "text_wrap": True, "valign": "top"})
    heading = book.add_format({"num_format": "@", "bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
    for number, row in enumerate(rows):
        for place, cell in enumerate(row):
            if len(cell) > _LONGEST:
                raise SchemaError("sheet.long", column=row[0], heading=rows[0][place], most=_LONGEST)
            if cell:
                sheet.write_string(number, place, cell, body if number else heading)
    for place, name in enumerate(rows[0]):
        head = WORDS.heads.get(folded(name), "")
        sheet.set_column(place, place, _WIDTHS.get(head, _WIDTH), body)
    sheet.freeze_panes(1, 1)
    sheet.autofilter(0, 0, len(rows) - 1, len(rows[0]) - 1)
    last = len(rows) + _SPARE_ROWS
    _offer(sheet, rows[0].index(WORDS.head("role")), last, [WORDS.role(role) for role in ROLES])
    _offer(sheet, rows[0].index(WORDS.head("type")), last, [WORDS.type(kind) for kind in TYPES])
    for role, colour in _COLOURS.items():
        rule = {"type": "cell", "criteria": "==", "value": f'"{WORDS.role(role)}"'}
        place = rows[0].index(WORDS.head("role"))
        sheet.conditional_format(1, place, last, place, rule | {"format": book.add_format({"bg_color": colour})})


def _offer(sheet: Any, place: int, last: int, words: Sequence[str]) -> None:
    """Let people choose one of ``words``; those of other languages may be typed, too."""
    sheet.data_validation(1, place, last, place, {"validate": "list", "source": list(words), "error_type": "warning"})


def _explain(book: Any, sheet: Any) -> None:
    bold, wrapped = (book.add_format(look | {"valign": "top"}) for look in ({"bold": True}, {"text_wrap": True}))
    sheet.set_column(0, 0, 24)
    sheet.set_column(1, 1, 100, wrapped)
    sheet.write_string(0, 0, text("sheet.explained.title"), bold)
    lines = [(WORDS.role(role), text(f"sheet.explained.{role}")) for role in ROLES]
    lines += [(WORDS.head(about), text(f"sheet.explained.{about}")) for about in _EXPLAINED]
    for number, (word, told) in enumerate(lines, 2):
        sheet.write_string(number, 0, word, bold)
        sheet.write_string(number, 1, told, wrapped)


def rows_in_xlsx(path: str | Path) -> tuple[str, list[Row]]:
    """The name of the first sheet, and its rows as texts."""
    import fastexcel

    from biombo._data.formats.soundness import foreign_failures
    from biombo._data.formats.xlsx_file import checked_workbook

    content = checked_workbook(Path(path), str(path))
    with foreign_failures("input.damaged", path=str(path)):
        book = fastexcel.read_excel(content)
        read = book.load_sheet(0, header_row=None, skip_rows=0, dtypes="string", skip_whitespace_tail_rows=True)
        rows = [[cell or "" for cell in row] for row in zip(*read.to_arrow().to_pydict().values(), strict=True)]
    return book.sheet_names[0], rows
