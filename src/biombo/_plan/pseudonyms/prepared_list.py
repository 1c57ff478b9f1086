"""Pseudonyms from a list that was prepared beforehand, drawn without replacement."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from biombo._documents import Where, checked
from biombo._engine import Randomness
from biombo._errors import ColumnError, InputError
from biombo._files import read_whole
from biombo._plan.pseudonyms.letters import Pseudonyms

_SHOWN = 5


def read_list(value: Any, where: Where) -> tuple[str, ...] | None:
    """The list that stands in a document: itself, or the name of a text file with one pseudonym in each line."""
    if not isinstance(value, str):
        listed: tuple[str, ...] | None = checked(tuple[str, ...] | None, where.entry, value)
        return listed
    if where.folder is None:
        raise InputError("pseudonyms.list-no-files")
    path = where.folder / value
    try:
        lines = read_whole(path).decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise InputError("pseudonyms.list-not-text", path=str(path)) from None
    return tuple(line.strip() for line in lines if line.strip())


def refuse_list(listed: Sequence[str], column: str) -> None:
    """Raise where the list is empty, or has something twice, or something that is no pseudonym."""
    if not listed:
        raise InputError("pseudonyms.list-empty", column=column)
    if any(not each.strip() or "\n" in each for each in listed):
        raise InputError("pseudonyms.list-blank", column=column)
    twice = [each for each, times in Counter(listed).items() if times > 1]
    if twice:
        shown = ", ".join(map(repr, twice[:_SHOWN]))
        raise InputError("pseudonyms.list-twice", column=column, pseudonyms=shown, times=len(twice))


class FromList(Pseudonyms):
    """Draws from ``listed`` for each value that it has not seen yet, each at most once (PDPC 2018, 9.5).

    The list is put in random order once, and given away from its beginning: each order has the same chance, and so has
    whatever is left of it. What was ``taken`` before is passed over, and what is given is added there.
    """

    def __init__(self, random: Randomness, listed: Sequence[str], taken: set[str], column: str) -> None:
        free = [each for each in listed if each not in taken]
        self._following: Iterator[str] = iter([free[place] for place in random.order(len(free)).tolist()])
        self._all, self._free = len(listed), len(free)
        self._taken = taken
        self._column = column
        self._pseudonym_of: dict[str, str] = {}

    def of(self, values: Sequence[str]) -> list[str]:
        """The pseudonyms of different ``values``."""
        for value in values:
            if value not in self._pseudonym_of:
                self._pseudonym_of[value] = self._next()
        return [self._pseudonym_of[value] for value in values]

    def _next(self) -> str:
        for pseudonym in self._following:
            if pseudonym not in self._taken:  # by another column of the same run
                self._taken.add(pseudonym)
                return pseudonym
        raise ColumnError("pseudonyms.list-short", column=self._column, all=self._all, free=self._free)
