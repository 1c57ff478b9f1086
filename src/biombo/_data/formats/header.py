"""The names of a table's columns."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from biombo._data.formats.record_as_header import Row, stands_out
from biombo._errors import InputError, shortened
from biombo._i18n import text
from biombo._watch import remark


def tidy_header(names: Iterable[object], source: str) -> list[str]:
    """The names in a file's header, without the space around them and each of them once.

    A column without a name is called by its place, such as ``column_3``.

    >>> tidy_header(["", " age"], "people.csv")
    ['column_1', 'age']
    """
    return unique((str(name).strip() or f"column_{place}" for place, name in enumerate(names, start=1)), source)


def unique(names: Iterable[str], source: str) -> list[str]:
    """``names``, unless one of them stands there twice."""
    listed = list(names)
    repeated = [name for name, times in Counter(listed).items() if times > 1]
    if repeated:
        raise InputError("input.repeated-columns", source=source, columns=shortened(repeated))
    return listed


_YEAR = re.compile(r"(19|20)\d\d")
LOOKED_AT = 50
_SHOWN = 40


def title_rows(rows: Sequence[Row]) -> int:
    """How many of the first rows of a sheet are a title above the header, blank ones included.

    A title fills less than half as many cells as the fullest row, and is text of several words or parted from the
    header by a blank row. What follows must look like a header: different texts, no numbers but years, that can be told
    from the rows below. In doubt there is no title, for a record must not become the names of columns.

    >>> title_rows([["Deaths in 2023", None, None], [None] * 3, ["age", "sex", "city"], ["30", "F", "Rio"]])
    2
    >>> title_rows([["age", None, None], ["30", "F", "Rio"]])
    0
    """
    looked = rows[:LOOKED_AT]
    widths = [sum(map(_is_filled, row)) for row in looked]
    most = max(widths, default=0)
    header = next((place for place, width in enumerate(widths) if width >= 2 and 2 * width > most), 0)
    above = [row for row, width in zip(looked[:header], widths, strict=False) if width]
    if not above or not _is_like_header(looked[header]) or not stands_out(looked[header], looked[header + 1 :]):
        return 0
    first = next(place for place, width in enumerate(widths) if width)
    is_parted = 0 in widths[first:header]
    has_words = any(len((cell or "").split()) > 1 for row in above for cell in row)
    return header if is_parted or has_words else 0


def _is_filled(cell: str | None) -> bool:
    return cell is not None and cell.strip() != ""


def _is_like_header(row: Row) -> bool:
    names = [cell.strip() for cell in row if cell is not None and cell.strip()]
    are_names = all(any(map(str.isalpha, name)) or _YEAR.fullmatch(name) for name in names)
    return are_names and len(set(names)) == len(names) and not all(map(_YEAR.fullmatch, names))


def tell_title(rows: Sequence[Row], source: str) -> None:
    """Say that what stands above the last of these rows, which is the header, was taken for a title."""
    words, first = (_first_words(row) for row in (next(filter(_first_words, rows)), rows[-1]))
    remark(text("errors.input.title", source=source, words=words, first=first))


def _first_words(row: Row) -> str:
    words = next((cell.strip() for cell in row if cell is not None and cell.strip()), "")
    return words if len(words) <= _SHOWN else f"{words[:_SHOWN]}…"
