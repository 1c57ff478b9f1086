"""How well one column can be predicted from the others, before and after."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from biombo._data import Dataset, Schema, SourceTable
from biombo._documents import checked
from biombo._engine import Pairs
from biombo._errors import BiomboError, ColumnError, UsageError
from biombo._plan import Plan
from biombo._utility.classification.accuracy import (
    MODELS,
    Accuracy,
    Task,
    for_new_records,
    refuse_without_models,
    within,
)
from biombo._utility.classification.features import Classes
from biombo._utility.tables import Side, Tables

ROWS_AT_MOST = 20_000
"""Records that models are shown."""
_FOLDS = 10
"""As in Moraes et al. (2025)."""
LOOKED_AT = 2_000_000
"""Records that come to this process: models are shown far fewer, and with fewer only groups would be smaller."""
_SEED = 0
"""The same folds and models each time, so that the numbers depend on the records alone."""


@dataclass(frozen=True)
class Classification:
    """How well ``target`` can be predicted before and after."""

    target: str
    features: tuple[str, ...]
    folds: int
    original: Accuracy
    """Within the original."""
    release: Accuracy
    """Within the release."""
    for_new_records: Accuracy
    """Learned from a release of other records, tested on original records that were held out."""
    sampled: bool
    """Were there more records than models were shown?"""


def classification(
    tables: Tables,
    target: str,
    folds: int,
    random: np.random.Generator,
    advance: Callable[[], object],
    models: Sequence[str] = MODELS,
) -> Classification:
    """Predict ``target`` from all other columns that both tables have."""
    for name in models:
        checked(Literal["tree", "forest"], "models", name)
    features = features_for(target, tables.columns, tables.before, tables.after)
    _refuse_folds(folds, min(tables.before.records, tables.after.records))
    tables = tables.in_rows(LOOKED_AT)
    classes = Classes.of(tables, target)
    task = Task(tables, features, classes, folds, ROWS_AT_MOST, random, advance, tuple(models))
    return Classification(
        target=target,
        features=features,
        folds=folds,
        original=within(tables.whole.original, task),
        release=within(tables.whole.release, task),
        for_new_records=for_new_records(task),
        sampled=max(tables.before.records, tables.after.records) > ROWS_AT_MOST,
    )


def features_for(
    target: str, columns: Sequence[str], original: Side | Dataset | SourceTable, release: Side | Dataset | SourceTable
) -> tuple[str, ...]:
    """The ``columns`` of both tables that ``target`` is predicted from. Raises where it cannot be."""
    refuse_without_models()
    for table in (original, release):
        if target not in table.columns:
            raise ColumnError.missing(target, table.columns, table.label)
    if target not in columns:
        raise ColumnError("utility.target-identifier", column=target)
    features = tuple(name for name in columns if name != target)
    if not features:
        raise UsageError("utility.only-target", column=target)
    return features


def _refuse_folds(folds: int, rows: int) -> None:
    if not 2 <= folds <= rows:
        raise UsageError("utility.folds", folds=folds, rows=rows)


@dataclass(frozen=True, eq=False)
class Prediction:
    """How often predictions are right, or why there are none."""

    target: str
    found: Classification | None
    reason: str = ""
    """Private: it may quote what only the original has."""

    @classmethod
    def of(cls, target: str, pairs: Pairs, plan: Plan, declared: Schema) -> "Prediction":
        """Predict ``target`` within the release and within the originals of its records, and for some of these that
        are held out. What ``declared`` is silent about is a number, a date or a category by its values, as in
        :func:`biombo.utility`. For the held out ones the plan is carried out in this process, whatever the engine; of
        very many records only some are looked at.
        """
        try:
            some = pairs.some(LOOKED_AT)
            tables = Tables.of(_in_order(some.own), _in_order(some.released), plan.on_selected, declared)
            return cls(target, classification(tables, target, _FOLDS, np.random.default_rng(_SEED), lambda: None))
        except BiomboError as error:  # such as: it has too many values
            return cls(target, None, str(error))


def _in_order(data: Dataset) -> Dataset:
    """The records by their values: their order was drawn at random, and is not to change what is predicted."""
    sorted_values = data.take(np.arange(data.rows))
    return sorted_values.take(np.lexsort([column.codes for column in sorted_values.columns.values()]))
