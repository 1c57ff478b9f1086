"""Words that mean the same value."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from biombo._cells import recoded
from biombo._data import Column, Dataset, written
from biombo._documents import checked
from biombo._errors import UsageError

FEWEST = 2
"""Synonyms that a value needs (document 001, process 10)."""


def checked_synonyms(column: str, synonyms: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The synonyms of each value, in an order that does not depend on how they are listed."""
    listed = {value: checked(tuple[str, ...], value, words) for value, words in synonyms.items()}
    tidied = {value: tuple(sorted({*words} - {value, ""})) for value, words in listed.items()}
    for value, words in tidied.items():
        if len(words) < FEWEST:
            raise UsageError("plan.few-synonyms", column=column, value=value, count=len(words), fewest=FEWEST)
    _refuse_two_meanings(column, tidied)
    return tidied


def meanings(synonyms: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """The value that each word means.

    >>> meanings({"flu": ("grippe", "influenza")})
    {'flu': 'flu', 'grippe': 'flu', 'influenza': 'flu'}
    """
    return {word: value for value, words in synonyms.items() for word in (value, *words)}


def collapsed(data: Dataset, column: str, meaning_of: Mapping[str, str]) -> Dataset:
    """``data`` with the words of ``column`` that mean the same as one value."""
    literal = data[column]
    words = written(literal.values).to_list()
    code_of: dict[str | None, int] = {}
    codes = [code_of.setdefault(word if word is None else meaning_of.get(word, word), len(code_of)) for word in words]
    values = pl.Series(column, list(code_of), pl.String)
    meant = Column(column, recoded(literal.codes, codes, len(code_of)), values)
    return replace(data, columns={**data.columns, column: meant})


def _refuse_two_meanings(column: str, synonyms: Mapping[str, tuple[str, ...]]) -> None:
    first: dict[str, str] = {}
    for value, words in synonyms.items():
        for word in (value, *words):
            if word in first:
                raise UsageError("plan.two-meanings", column=column, word=word, first=first[word], second=value)
            first[word] = value
