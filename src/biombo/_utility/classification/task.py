"""What is to be predicted, and counting how often that is right."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from biombo._data import Dataset
from biombo._utility.classification.classes import Classes
from biombo._utility.classification.features import Features, Rows
from biombo._utility.classification.models import MODELS, model
from biombo._utility.classification.results import Accuracy
from biombo._utility.tables import Tables


@dataclass(frozen=True, eq=False)
class Fold:
    """What to learn from, and what to test on."""

    learned_from: Dataset
    training: Rows
    tested_on: Dataset
    test: Rows


@dataclass(frozen=True, eq=False)
class Task:
    """One column of two tables is to be predicted from others."""

    tables: Tables
    features: tuple[str, ...]
    classes: Classes
    folds: int
    most: int
    """Records that a model learns from, and that are tested in all folds together; of more, so many are drawn."""
    random: np.random.Generator
    advance: Callable[[], object]
    """Called after each fold."""

    def drawn(self, rows: int, most: int) -> Rows:
        """All rows, or ``most`` of them."""
        return np.arange(rows) if rows <= most else np.sort(self.random.choice(rows, most, replace=False))

    def accuracy(self, folds: Iterable[Fold]) -> Accuracy:
        """Let every model learn and be tested, fold by fold."""
        right = dict.fromkeys((*MODELS, "majority"), 0)
        records = 0
        for fold in folds:
            for name, count in self._right(fold).items():
                right[name] += count
            records += len(fold.test)
            self.advance()
        tree, forest, majority = (count / records for count in right.values())
        return Accuracy(tree, forest, majority, records)

    def _right(self, fold: Fold) -> dict[str, int]:
        """By model: how many records of the test it predicts right."""
        features = Features.learned(fold.learned_from, self.features, fold.training, self.tables)
        training, test = features.matrix(fold.learned_from, fold.training), features.matrix(fold.tested_on, fold.test)
        known = self.classes.labels(fold.learned_from, fold.training)
        truth = self.classes.labels(fold.tested_on, fold.test)
        values, count = np.unique(known, return_counts=True)
        right = {"majority": int((truth == values[count.argmax()]).sum())}
        for name in MODELS:
            learned = model(name, len(known), int(self.random.integers(1 << 31))).fit(training, known)
            right[name] = int((learned.predict(test) == truth).sum())
        return right
