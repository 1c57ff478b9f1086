"""Tables with more tuples than this process can hold: these stay where they were counted, and are asked."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._cells import Countable, Counts
from biombo._data.dataset import Column, Dataset
from biombo._data.schema import Schema


@dataclass(frozen=True, eq=False)
class FarTuples(ABC):
    """The counted tuples of some columns, of which only one column at a time comes here."""

    columns: tuple[str, ...]
    schema: Schema
    label: str
    """Where the tuples came from, in words for messages."""
    records: int

    @cached_property
    def header(self) -> Dataset:
        """The columns without their rows; whoever wants single records is told that there are counts only."""
        codes, none = np.empty(0, np.uint8), pl.Series([], dtype=pl.String)
        columns = {name: Column(name, codes, none) for name in self.columns}
        return Dataset(columns, 0, self.schema, self.label, counts=np.empty(0, np.int64))

    @property
    def title(self) -> str:
        """What the table is called in reports."""
        return self.header.title

    @abstractmethod
    def alone(self, column: str) -> Dataset:
        """One column: a row for each value, for as many records as have it."""

    @abstractmethod
    def recoded(
        self, columns: Mapping[str, Column], keep: Mapping[str, NDArray[np.bool_]], people: int = 0
    ) -> "FarCodes":
        """The tuples of ``columns``, which have a code for each row of :meth:`alone`, without the records of values
        that ``keep`` does not mark there.

        With ``people``, each tuple comes with the people who have it, or with so many of them, who then stand for the
        records of the others. A group that tuples make together has that many people, or all its own: whoever asks
        for no more than so many finds the same in both.
        """


class FarCodes(ABC):
    """Such tuples after each column was given the codes that somebody needs."""

    records: int

    @abstractmethod
    def tuples(self) -> Dataset:
        """All of them here, or a refusal that tells how many there are."""

    @abstractmethod
    def cells(self, quasi: Sequence[str], targets: Mapping[str, Sequence[str]]) -> Countable:
        """What attacks read; a target consists of one column or several."""

    @abstractmethod
    def spectrum(self, target: Sequence[str]) -> tuple[Counts, Counts]:
        """How many records hold a value, or values together, in ascending order, and how many values are held so."""
