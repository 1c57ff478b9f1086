"""Tables with more tuples than this process can hold: these stay where they were counted, and are asked."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Countable, Counts
from biombo._data.dataset import Column, Dataset
from biombo._data.schema import Schema


@dataclass(frozen=True, eq=False)
class FarTuples(ABC):
    """The counted tuples of some columns, of which only one column at a time comes here."""

    header: Dataset
    """The columns without their rows."""
    records: int

    @property
    def schema(self) -> Schema:
        """What the columns are."""
        return self.header.schema

    @property
    def label(self) -> str:
        """Where the tuples came from, in words for messages."""
        return self.header.label

    @property
    def title(self) -> str:
        """What the table is called in reports."""
        return self.header.title

    @abstractmethod
    def alone(self, column: str) -> Dataset:
        """One column: a row for each value, for as many records as have it."""

    @abstractmethod
    def recoded(self, columns: Mapping[str, Column], keep: Mapping[str, NDArray[np.bool_]]) -> "FarCodes":
        """The tuples of ``columns``, which have a code for each row of :meth:`alone`, without the records of values
        that ``keep`` does not mark there.
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
