"""Whether the line that would be the names of the columns is a record: what it says would be published as names.

It is one where one of its fields is like the values below it: a number, a date or a code among such, or one of these
values itself; or where all of its fields are texts like those below, and some have several words. Numbers are
names where they make a series, as years and ages do above counts.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise

from biombo._errors import InputError

LOOKED_AT = 200
"""So many rows below are compared."""

Row = Sequence[str | None]

_NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]+)*", re.ASCII)
_YEAR = re.compile(r"(19|20)[0-9]{2}")
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")
_FEWEST_TEXTS = 3


def refuse_record(names: Row, below: Sequence[Row], source: str, line: int) -> None:
    """Raise where ``names``, which stand in this line, look like one of the rows below."""
    place = like_values(names, below)
    if place is not None:
        raise InputError("input.no-header", path=source, line=line, field=place + 1)


def like_values(names: Row, below: Sequence[Row]) -> int | None:
    """The place of a name that is like the values below it; none where they are names.

    >>> like_values(["Ana", "1991-01-24"], [["Bia", "1990-05-01"], ["Caio", "1984-11-30"]])
    1
    >>> like_values(["city", "2023", "2024"], [["Rio", "1520", "1611"], ["Lima", "2011", "1999"]])
    """
    fields = _fields(names, below)
    series = _series(fields)
    for place, field in enumerate(fields):
        if place not in series and (field.is_of_their_kind or field.is_one_of_them):
            return place
    return 0 if _are_texts_like_those_below(fields) else None


def stands_out(names: Row, below: Sequence[Row]) -> bool:
    """Can ``names`` be told from the rows below: by words above numbers or dates, or because they are known ones?"""
    fields = _fields(names, below)
    if any(field.is_word_above_figures for field in fields):
        return True
    named = [field for field in fields if field.name]
    return bool(named) and 2 * sum(field.is_known_name for field in named) >= len(named)


@dataclass(frozen=True)
class _Field:
    """What may be a name, and the values below it that are not empty, in so many rows."""

    name: str
    values: tuple[str, ...]
    rows: int

    @cached_property
    def number(self) -> float | None:
        return _number(self.name)

    @property
    def is_one_of_them(self) -> bool:
        """Does it stand below? Alone and now and then it may be an answer that was ticked, in a column called so."""
        is_ticked = len(set(self.values)) == 1 and len(self.values) < max(self.rows, 2)
        return self.name in self.values and not is_ticked

    @property
    def is_of_their_kind(self) -> bool:
        """Is it a number, a date or a code, as at least half of the values are?"""
        if not self.values or not (_DIGITS.search(self.name) or "@" in self.name):
            return False
        if _NUMBER.fullmatch(self.name):
            return self._is_number_like_theirs
        return self._is_most(lambda value: _kind(value) == _kind(self.name))

    @property
    def _is_number_like_theirs(self) -> bool:
        if not self._is_most(lambda value: _NUMBER.fullmatch(value) is not None):
            return False
        if _YEAR.fullmatch(self.name):
            return self._is_most(lambda value: _YEAR.fullmatch(value) is not None)
        numbers = [number for value in self.values if (number := _number(value)) is not None]
        is_between = self.number is not None and bool(numbers) and min(numbers) <= self.number <= max(numbers)
        return is_between or any(len(value) == len(self.name) for value in self.values)

    @property
    def is_word_above_figures(self) -> bool:
        return bool(
            self.name
            and self.values
            and not _DIGITS.search(self.name)
            and self._is_most(lambda value: not _LETTERS.search(value) and _DIGITS.search(value) is not None)
        )

    @property
    def is_known_name(self) -> bool:
        """Does it speak of something that columns are about, and do most of the values not?"""
        from biombo._data.inspection import meaning_of  # which is about tables that were read

        meaning = meaning_of(self.name)
        return meaning is not None and not self._is_most(lambda value: meaning_of(value) == meaning)

    @property
    def is_text_like_them(self) -> bool:
        return bool(self.name) and self._is_most(lambda value: _cased(value) == _cased(self.name))

    def _is_most(self, holds: Callable[[str], bool]) -> bool:
        return bool(self.values) and 2 * sum(map(holds, self.values)) >= len(self.values)


def _fields(names: Row, below: Sequence[Row]) -> list[_Field]:
    """The fields of a line. A header may stand in the middle again, if it is clearly one without that."""
    header = [(name or "").strip() for name in names]
    rows = [[(cell or "").strip() for cell in row] for row in below[:LOOKED_AT]]
    others = _with_values(header, [row for row in rows if row != header])
    return others if any(field.is_word_above_figures for field in others) else _with_values(header, rows)


def _with_values(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[_Field]:
    return [
        _Field(name, tuple(row[place] for row in rows if place < len(row) and row[place]), len(rows))
        for place, name in enumerate(header)
    ]


def _series(fields: Sequence[_Field]) -> set[int]:
    """The places of numbers side by side that follow each other as names do."""
    has_words = any(field.is_word_above_figures for field in fields)
    found: set[int] = set()
    for is_number, some in groupby(enumerate(fields), lambda each: each[1].number is not None):
        members = list(some)
        if is_number and _is_series([field for _, field in members], has_words):
            found |= {place for place, _ in members}
    return found


def _is_series(fields: Sequence[_Field], has_words: bool) -> bool:
    """Are they years, or 0, 1, 2, …, or four numbers in equal steps, or six that rise?"""
    numbers = [field.number or 0 for field in fields]
    steps = {later - earlier for earlier, later in pairwise(numbers)}
    is_rising = bool(steps) and min(steps) > 0
    if all(_YEAR.fullmatch(field.name) for field in fields) and (steps in ({1}, {-1}) or is_rising):
        return len(numbers) > 2 or len(steps) == 1
    if steps == {1} and numbers[0] in (0, 1):
        return has_words or len(numbers) > 2
    return is_rising and len(numbers) >= (4 if len(steps) == 1 else 6)


def _are_texts_like_those_below(fields: Sequence[_Field]) -> bool:
    """Is every field written as those below, some of several words, and none a known name?"""
    return (
        any(" " in field.name for field in fields)
        and all(field.is_text_like_them and len(field.values) >= _FEWEST_TEXTS for field in fields)
        and not any(field.is_known_name for field in fields)
    )


def _number(text: str) -> float | None:
    return float(text.replace(",", ".")) if re.fullmatch(r"[+-]?[0-9]{1,300}([.,][0-9]+)?", text) else None


def _kind(text: str) -> str:
    """How a text is put together of letters, digits and signs."""
    return _DIGITS.sub("9", _LETTERS.sub("a", text))


def _cased(text: str) -> str:
    """The same, with capitals told from small letters."""
    return _DIGITS.sub("9", _LETTERS.sub(_case, text))


def _case(letters: re.Match[str]) -> str:
    word = letters[0]
    return "a" if word.islower() else "A" if word.isupper() else "Aa"
