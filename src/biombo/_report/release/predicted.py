"""How well one column can still be predicted from the others."""

from dataclasses import dataclass

import numpy as np

from biombo._data import Dataset, Schema
from biombo._errors import BiomboError
from biombo._plan import Plan
from biombo._utility.classification import Classification, classification
from biombo._utility.tables import Tables

_FOLDS = 10
"""As in document 001."""


@dataclass(frozen=True, eq=False)
class Predicted:
    """How often predictions are right, or why there are none."""

    target: str
    found: Classification | None
    reason: str = ""

    @classmethod
    def of(cls, target: str, original: Dataset, released: Dataset, plan: Plan, used: Schema) -> "Predicted":
        """Predict ``target`` within each table, and for original records that are held out."""
        try:
            tables = Tables.of(original, released, plan, used)
            return cls(target, classification(tables, target, _FOLDS, np.random.default_rng(), lambda: None))
        except BiomboError as error:  # such as: it has too many values
            return cls(target, None, str(error))
