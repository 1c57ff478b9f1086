"""The values that are predicted."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._data import Dataset, written
from biombo._errors import ColumnError
from biombo._utility.tables import Tables

MOST = 50
"""Different values of a target: with more, forests take gigabytes and little of what they say is right."""

Labels = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Classes:
    """The values of the target, numbered alike in all tables; a missing one is a value of its own."""

    target: str
    number_of: dict[str | None, int]

    @classmethod
    def of(cls, tables: Tables, target: str) -> "Classes":
        """Number the values that occur in either table."""
        number_of: dict[str | None, int] = {}
        for data in (tables.original, tables.recoded, tables.release):
            values = written(data[target].values).to_list()
            if len(values) > MOST:
                raise ColumnError("utility.classes", column=target, values=len(values), most=MOST)
            for value in values:
                number_of.setdefault(value, len(number_of))
        return cls(target, number_of)

    def labels(self, data: Dataset, rows: NDArray[np.intp] | None = None) -> Labels:
        """The number of each row's value; −1 for a value that occurred nowhere before."""
        column = data[self.target]
        numbers = np.array([self.number_of.get(value, -1) for value in written(column.values).to_list()], np.intp)
        return numbers[column.codes if rows is None else column.codes[rows]]
