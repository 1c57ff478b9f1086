"""The seam by which everybody who reads a table sees none but the records that a plan, or a request, selects."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from biombo._data import Dataset, SourceTable, chosen_by
from biombo._errors import InputError
from biombo._plan.operations import SelectRecords
from biombo._plan.values.arrow_table import as_arrow

Source = TypeVar("Source", SourceTable, Dataset, SourceTable | Dataset)


def selected(source: Source, selections: Sequence[SelectRecords]) -> Source:
    """``source`` as if no others than the selected records had ever been there.

    >>> import polars as pl
    >>> from biombo import read
    >>> people = read(pl.DataFrame({"city": ["A", "B", "A"], "age": ["31", "34", "62"]}))
    >>> selected(people, [SelectRecords({"city": "A"})])["age"].values.to_list()
    ['31', '62']
    """
    if isinstance(source, SourceTable):
        return source.selected(selections)
    if not selections or not source.rows:
        return source
    places = selected_places(source, selections)
    if not len(places):
        raise InputError("input.none-selected", source=source.label)
    return source.take(places)


def selected_places(source: SourceTable | Dataset, selections: Sequence[SelectRecords]) -> NDArray[np.integer]:
    """Which of all records the selected ones are, from 0. Tuples that stand for several are selected as rows are: all
    of their records have the same values.
    """
    if isinstance(source, SourceTable):
        return source.selected(selections).places()
    reads = dict.fromkeys(name for each in selections for name in each.reads)
    (batch,) = as_arrow(replace(source, counts=None), reads).combine_chunks().to_batches()
    return np.flatnonzero(chosen_by([each.choosing() for each in selections], batch, source.label))
