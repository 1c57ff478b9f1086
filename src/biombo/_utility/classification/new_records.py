"""Accuracy for records that are not in the release: what its users want to know."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from biombo._data import Dataset, read
from biombo._plan import Plan, SuppressionError, as_understood, released_of
from biombo._utility.classification.features import Rows
from biombo._utility.classification.folds import stratified_folds
from biombo._utility.classification.results import Accuracy
from biombo._utility.classification.task import Fold, Task
from biombo._utility.tables import Tables


def for_new_records(task: Task) -> Accuracy:
    """Learn from a release of some original records, test on others that are only recoded.

    The original records are dealt into folds. Those of all folds but one go through the whole plan, as if there were no
    others, and a model learns from what comes out. It is tested on the fold that was held out, whose records are
    recoded as the plan says but neither suppressed nor changed otherwise: what somebody would do who has a new record
    and a model of the release.

    Nothing of a held-out record is seen in training: neither its values, nor its part in the size of a group. That is
    why the release itself is not learned from: its records cannot be told apart by folds, and all of them are in it.
    Two things remain. The plan was chosen with all records in view. And fewer records make smaller groups, so somewhat
    more is suppressed than in the release.
    """
    tables = task.tables
    if tables.plan is None:
        return Accuracy(reason="no-plan")
    fold = stratified_folds(task.classes.labels(tables.original), task.folds, task.random)
    plan = replace(tables.plan, max_suppression=None)
    try:
        return task.accuracy(_fold(task, plan, fold == held) for held in range(task.folds))
    except SuppressionError:
        return Accuracy(reason="nothing-released")


def _fold(task: Task, plan: Plan, held: NDArray[np.bool_]) -> Fold:
    """All records but the held ones are released before any are drawn, so that groups keep their size."""
    test = np.flatnonzero(held)
    learned_from = _released(task.tables, plan, np.flatnonzero(~held))
    chosen = test[task.drawn(len(test), -(-task.most // task.folds))]
    return Fold(learned_from, task.drawn(learned_from.rows, task.most), task.tables.recoded, chosen)


def _released(tables: Tables, plan: Plan, rows: Rows) -> Dataset:
    table = released_of(tables.original, plan, rows, tables.columns)
    return as_understood(read(table, tables.original.schema, columns=list(tables.columns)), plan.operations)
