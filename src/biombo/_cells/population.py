"""The population that a table is a part of, in rows below the table's own.

A row of the population is so many people who look so. It is no record: a mark tells it apart, and nothing counts it but
what is asked about the population.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from biombo._cells.codes import Codes, Counts


@dataclass(frozen=True, eq=False)
class PopulationRows:
    """People of the population, by the codes of the columns of a table."""

    codes: Sequence[Codes]
    """Per column."""
    people: Counts
    """How many each row stands for."""

    def __len__(self) -> int:
        return len(self.people)

    def below(self, codes: Codes, column: int) -> Codes:
        """The codes of the table's rows in a column, and those of the population behind them."""
        return cast(Codes, np.concatenate([codes, self.codes[column]]))

    def without_values(self, codes: Codes) -> Codes:
        """The codes of the table's rows in a column that the population does not have: the first code stands there."""
        return cast(Codes, np.concatenate([codes, np.zeros(len(self), codes.dtype)]))

    def counts(self, rows: int, counts: Counts | None) -> Counts:
        """How many records, or people, each row of both stands for."""
        return np.concatenate([np.ones(rows, np.int64) if counts is None else counts, self.people])

    def keep(self, keep: NDArray[np.bool_] | None) -> NDArray[np.bool_] | None:
        """Which rows of both count: everybody in the population does."""
        return None if keep is None else np.concatenate([keep, np.ones(len(self), bool)])

    def mark(self, rows: int) -> Codes:
        """What tells the population apart."""
        return np.repeat(np.array([0, 1], np.uint8), [rows, len(self)])
