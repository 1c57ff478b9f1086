"""What headings, roles and types are called in spreadsheets: written in the language in use, read in all of them."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

from biombo._data.schema import ROLES, ColumnType
from biombo._i18n import in_every_language, text

HEADS = (
    "column",
    "role",
    "type",
    "label",
    "hierarchy",
    "invalid",
    "reason",
    "values",
    "domain",
    "bounds",
    "population-column",
    "population-values",
    "adversary",
    "entry",
    "content",
)
"""What a column of the sheet may be about."""

TYPES: tuple[ColumnType, ...] = get_args(ColumnType)


def folded(word: str) -> str:
    """A word without accents, case and marks.

    >>> folded("Quase-Identificador "), folded("sensível")
    ('quaseidentificador', 'sensivel')
    """
    plain = "".join(mark for mark in unicodedata.normalize("NFKD", word) if not unicodedata.combining(mark))
    return re.sub(r"[\W_]+", "", plain).casefold()


@dataclass(frozen=True)
class SheetWords:
    """The words of spreadsheets."""

    def head(self, head: str) -> str:
        """What a column of the sheet is called."""
        return text(f"sheet.head.{head}")

    def role(self, role: str) -> str:
        """What a role is called."""
        return text(f"sheet.role.{role}")

    def type(self, kind: str) -> str:
        """What a type is called."""
        return text(f"inspect.type.{kind}")

    @property
    def missing(self) -> str:
        """What stands for a missing value."""
        return text("sheet.missing")

    def is_missing(self, word: str) -> bool:
        """Does the word stand for a missing value?"""
        return folded(word) in self._missing

    @cached_property
    def heads(self) -> Mapping[str, str]:
        """What headings, folded, are about."""
        return {word: head for head in HEADS for word in _words(f"sheet.head.{head}", head)}

    @cached_property
    def roles(self) -> Mapping[str, str]:
        """The roles by all that they may be called, folded."""
        return {
            word: role
            for role in ROLES
            for word in (*_words(f"sheet.role.{role}", role), *_words(f"inspect.role.{role}", role), *_also(role))
        }

    @cached_property
    def types(self) -> Mapping[str, str]:
        """The types by all that they may be called, folded."""
        return {word: kind for kind in TYPES for word in _words(f"inspect.type.{kind}", kind)}

    @cached_property
    def _missing(self) -> frozenset[str]:
        return frozenset(("null", *_words("sheet.missing", "missing"), *_listed("sheet.missing-also")))


WORDS = SheetWords()


def _words(key: str, name: str) -> list[str]:
    return [folded(name), *map(folded, in_every_language(key).values())]


def _also(role: str) -> list[str]:
    return _listed(f"sheet.role-also.{role}")


def _listed(key: str) -> list[str]:
    return [folded(word) for each in in_every_language(key).values() for word in each.split(",")]
