"""Accuracy within one table, as document 001 reports it."""

from biombo._data import Dataset
from biombo._utility.classification.folds import stratified_folds
from biombo._utility.classification.results import Accuracy
from biombo._utility.classification.task import Fold, Task


def within(data: Dataset, task: Task) -> Accuracy:
    """Deal the table's records into folds; learn from all but one, test on that one.

    Only the table's own records and values are asked about. So a release that dropped the records which are hard to
    predict looks better than it is.
    """
    rows = task.drawn(data.rows, task.most)
    fold = stratified_folds(task.classes.labels(data, rows), task.folds, task.random)
    return task.accuracy(Fold(data, rows[fold != held], data, rows[fold == held]) for held in range(task.folds))
