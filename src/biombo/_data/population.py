"""The population that a table is a part of: its people by the quasi columns of the table."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, cast

import numpy as np
import polars as pl

from biombo._cells import Codes, narrowest
from biombo._data.dataset import Column, Dataset
from biombo._data.plain import written
from biombo._data.reader import read
from biombo._data.schema import Schema
from biombo._data.source_table import SourceTable
from biombo._errors import ColumnError, InputError, UsageError


def with_population(data: Dataset, population: Any, quasi: Iterable[str]) -> Dataset:
    """``data`` with the people of ``population``, of whom those of the table are some, by the columns ``quasi``.

    Columns that the population calls otherwise, or has in other codes, are told by the schema of the table. A row is a
    person; where the schema names the person and both tables have that column, people are counted once.

    >>> import polars as pl
    >>> everybody = pl.DataFrame({"city": ["A", "A", "B"]})
    >>> with_population(read(pl.DataFrame({"city": ["A"]})), everybody, ["city"]).population.records
    3
    """
    person = data.schema.person if data.schema.person in data.columns else None
    return replace(data, population=read_population(population, data.schema, quasi, person))


def read_population(population: Any, schema: Schema, quasi: Iterable[str], person: str | None) -> Dataset:
    """The people of ``population`` by the columns ``quasi`` of a table with this ``schema``, under the names and in the
    words of the table; those that the column ``person`` names are counted once, where the population has it.
    """
    names = list(dict.fromkeys(quasi))
    whole = _read(population, population_columns(schema, names), person)
    if not whole.records:
        raise InputError("input.empty", source=whole.label)
    columns = {name: _in_words_of(schema, whole, name) for name in names}
    found = replace(whole, columns=columns, schema=Schema(), population=None)
    return found if person is None or person not in whole.columns else _once_each(found, whole[person])


def population_columns(schema: Schema, quasi: Iterable[str]) -> list[str]:
    """What the population calls the columns ``quasi`` of a table with this ``schema``."""
    return [schema[name].population.column or name for name in quasi]


def coded_alike(own: Column, other: Column) -> tuple[Column, Codes]:
    """A column with the values that only ``other`` has behind its own, and the codes of ``other`` for the same values.

    >>> here, there = (read(pl.DataFrame({"city": cities}))["city"] for cities in (["B", "B"], ["A", "B"]))
    >>> both, codes = coded_alike(here, there)
    >>> both.values.to_list(), both.codes.tolist(), codes.tolist()
    (['B', 'A'], [0, 0], [1, 0])
    """
    code_of: dict[str | None, int] = {}
    for code, value in enumerate(written(own.values).to_list()):
        code_of.setdefault(value, code)
    words, known = written(other.values).to_list(), own.cardinality
    new = [value for value in words if value not in code_of]
    code_of |= {value: known + place for place, value in enumerate(new)}
    values = pl.concat([written(own.values), pl.Series(new, dtype=pl.String)]).alias(own.name)
    codes = np.array([code_of[value] for value in words], narrowest(len(values)))[other.codes]
    wide = cast(Codes, own.codes.astype(narrowest(len(values))))
    return Column(own.name, wide, values), cast(Codes, codes)


def _read(population: Any, columns: list[str], person: str | None) -> Dataset:
    """The columns of the population that are asked for, and the person where it has that."""
    if isinstance(population, Dataset):
        return population
    table = SourceTable.open(population)
    people = [] if person is None or person not in table.columns else [person]
    return read(table, columns=list(dict.fromkeys([*columns, *people])))


def _in_words_of(schema: Schema, whole: Dataset, name: str) -> Column:
    """A column of the population under the name, and with the values, that the table has for the same."""
    (there,), here_as = population_columns(schema, [name]), schema[name].population.values
    column, own_of = whole[there], {code: value for value, code in here_as.items()}
    if len(own_of) < len(here_as):
        raise UsageError("criteria.population-codes", column=name)
    words = [value if value is None else own_of.get(value, value) for value in written(column.values).to_list()]
    return Column(name, column.codes, pl.Series(name, words, pl.String))


def _once_each(whole: Dataset, person: Column) -> Dataset:
    """The rows with everybody once. Raises where somebody has several values: which of them count cannot be told."""
    coded = pl.DataFrame({str(i): column.codes for i, column in enumerate(whole.columns.values())})
    rows = coded.with_columns(pl.Series("person", person.codes)).unique()
    people, first = np.unique(person.codes, return_index=True)
    if rows.height > len(people):
        raise ColumnError("criteria.population-person", column=person.name, source=whole.label)
    columns = {name: replace(column, codes=column.codes[first]) for name, column in whole.columns.items()}
    return replace(whole, columns=columns, rows=len(first), counts=None)
