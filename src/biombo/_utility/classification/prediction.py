"""How well one column can still be predicted from the others in a release and in the originals of its records."""

from dataclasses import dataclass

import numpy as np

from biombo._data import Dataset, Schema
from biombo._engine import Pairs
from biombo._errors import BiomboError
from biombo._plan import Plan
from biombo._utility.classification.predicting import classification
from biombo._utility.classification.results import Classification
from biombo._utility.tables import Tables

_FOLDS = 10
"""As in document 001."""
_LOOKED_AT = 2_000_000
"""Records that come to this process: models are shown far fewer, and with fewer only groups would be smaller."""
_SEED = 0
"""The same folds and models each time, so that the numbers depend on the records alone."""


@dataclass(frozen=True, eq=False)
class Prediction:
    """How often predictions are right, or why there are none."""

    target: str
    found: Classification | None
    reason: str = ""
    """Private: it may quote what only the original has."""

    @classmethod
    def of(cls, target: str, pairs: Pairs, plan: Plan, used: Schema) -> "Prediction":
        """Predict ``target`` within the release and within the originals of its records, and for some of these that
        are held out. For these the plan is carried out in this process, whatever the engine; of very many records only
        some are looked at.
        """
        try:
            some = pairs.some(_LOOKED_AT)
            tables = Tables.of(_in_order(some.own), _in_order(some.released), plan, used)
            return cls(target, classification(tables, target, _FOLDS, np.random.default_rng(_SEED), lambda: None))
        except BiomboError as error:  # such as: it has too many values
            return cls(target, None, str(error))


def _in_order(data: Dataset) -> Dataset:
    """The records by their values: their order was drawn at random, and is not to change what is predicted."""
    sorted_values = data.take(np.arange(data.rows))
    return sorted_values.take(np.lexsort([column.codes for column in sorted_values.columns.values()]))
