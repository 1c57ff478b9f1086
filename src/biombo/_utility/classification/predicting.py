"""One column is predicted from the others, before and after."""

from collections.abc import Callable

import numpy as np

from biombo._errors import ColumnError, UsageError
from biombo._utility.classification.classes import Classes
from biombo._utility.classification.models import refuse_without_models
from biombo._utility.classification.new_records import for_new_records
from biombo._utility.classification.results import Classification
from biombo._utility.classification.task import Task
from biombo._utility.classification.within_table import within
from biombo._utility.tables import Tables

ROWS_AT_MOST = 20_000
"""Records that models are shown."""


def classification(
    tables: Tables, target: str, folds: int, random: np.random.Generator, advance: Callable[[], object]
) -> Classification:
    """Predict ``target`` from all other columns that both tables have."""
    refuse_without_models()
    features = _features(tables, target)
    _refuse_folds(folds, min(tables.original.rows, tables.release.rows))
    task = Task(tables, features, Classes.of(tables, target), folds, ROWS_AT_MOST, random, advance)
    return Classification(
        target=target,
        features=features,
        folds=folds,
        original=within(tables.original, task),
        release=within(tables.release, task),
        for_new_records=for_new_records(task),
        sampled=max(tables.original.rows, tables.release.rows) > ROWS_AT_MOST,
    )


def _features(tables: Tables, target: str) -> tuple[str, ...]:
    for data in (tables.original, tables.release):
        _ = data[target]  # raises where it is missing
    if target not in tables.columns:
        raise ColumnError("utility.target-identifier", column=target)
    features = tuple(name for name in tables.columns if name != target)
    if not features:
        raise UsageError("utility.only-target", column=target)
    return features


def _refuse_folds(folds: int, rows: int) -> None:
    if not 2 <= folds <= rows:
        raise UsageError("utility.folds", folds=folds, rows=rows)
