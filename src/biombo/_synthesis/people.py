"""Records set aside by people, so that nobody is on both sides."""

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Counts
from biombo._data import Dataset
from biombo._engine import Randomness


def people_of(data: Dataset) -> Counts | None:
    """The number of the person of each record, where the schema names a column for it; who is not named is alone."""
    if data.schema.person is None:
        return None
    column = data[data.schema.person]
    codes = column.codes.astype(np.int64)
    unnamed = column.values.is_null().to_numpy()[codes]
    return np.where(unnamed, column.cardinality + np.arange(len(codes)), codes)


def set_aside(records: int, people: Counts | None, share: float, random: Randomness) -> NDArray[np.bool_]:
    """Which records are held out: each person, with all records, by a draw of its own.

    Draws do not depend on who else is there, so that what is fitted on the others differs by one person at most where
    one comes or goes.
    """
    if share <= 0:
        return np.zeros(records, bool)
    if people is None:
        return random.uniform(records) < share
    there, places = np.unique(people, return_inverse=True)
    return np.asarray((random.uniform(len(there)) < share)[places])
