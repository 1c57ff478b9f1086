"""How often predictions are right: within one table, and for records that are not in the release."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from biombo._data import Dataset, read
from biombo._errors import UsageError
from biombo._plan import Plan, SuppressionError, as_understood, released_of
from biombo._utility.classification.features import Classes, Features, Labels, Matrix, Rows
from biombo._utility.reasons import Reason
from biombo._utility.tables import Tables
from biombo._watch import stop_if_cancelled, stoppable

MODELS = ("tree", "forest")
TREES = 50
"""Of a forest."""
_AT_ONCE = 5
"""Trees that are grown before anybody can stop it."""


@dataclass(frozen=True)
class Accuracy:
    """The share of records that are predicted right, over all folds; ``None`` with a reason where nothing was."""

    tree: float | None = None
    """By a decision tree."""
    forest: float | None = None
    """By a random forest."""
    majority: float | None = None
    """By always guessing the most frequent value of the training records."""
    records: int = 0
    """Records that the models were tested on."""
    reason: Reason | None = None


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
    models: tuple[str, ...] = MODELS

    def drawn(self, rows: int, most: int) -> Rows:
        """All rows, or ``most`` of them."""
        return np.arange(rows) if rows <= most else np.sort(self.random.choice(rows, most, replace=False))

    def accuracy(self, folds: Iterable[Fold]) -> Accuracy:
        """Let every model learn and be tested, fold by fold."""
        right = dict.fromkeys((*self.models, "majority"), 0)
        records = 0
        for fold in folds:
            for name, count in self._right(fold).items():
                right[name] += count
            records += len(fold.test)
            self.advance()
        tree, forest, majority = (
            right[name] / records if name in right else None for name in ("tree", "forest", "majority")
        )
        return Accuracy(tree, forest, majority, records)

    def _right(self, fold: Fold) -> dict[str, int]:
        """By model: how many records of the test it predicts right."""
        features = Features.learned(fold.learned_from, self.features, fold.training, self.tables)
        training, test = features.matrix(fold.learned_from, fold.training), features.matrix(fold.tested_on, fold.test)
        known = self.classes.labels(fold.learned_from, fold.training)
        truth = self.classes.labels(fold.tested_on, fold.test)
        values, count = np.unique(known, return_counts=True)
        right = {"majority": int((truth == values[count.argmax()]).sum())}
        for name in self.models:
            learned = trained(name, training, known, int(self.random.integers(1 << 31)))
            right[name] = int((learned.predict(test) == truth).sum())
        return right


def within(data: Dataset, task: Task) -> Accuracy:
    """Deal the table's records into folds; learn from all but one, test on that one.

    Only the table's own records and values are asked about. So a release that dropped the records which are hard to
    predict looks better than it is.
    """
    rows = task.drawn(data.rows, task.most)
    fold = stratified_folds(task.classes.labels(data, rows), task.folds, task.random)
    return task.accuracy(Fold(data, rows[fold != held], data, rows[fold == held]) for held in range(task.folds))


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
    fold = stratified_folds(task.classes.labels(tables.whole.original), task.folds, task.random)
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
    return Fold(learned_from, task.drawn(learned_from.rows, task.most), task.tables.whole.recoded, chosen)


def _released(tables: Tables, plan: Plan, rows: Rows) -> Dataset:
    table = released_of(tables.whole.original, plan, rows, tables.columns)
    return as_understood(read(table, tables.given, columns=list(tables.columns)), plan.operations)


def stratified_folds(classes: NDArray[np.integer], folds: int, random: np.random.Generator) -> NDArray[np.intp]:
    """Per record the fold that it is in: the records of each class are dealt out in random order, one by one.

    So the folds differ by at most one record of a class in size, and in all by at most one.

    >>> stratified_folds(np.array([0, 0, 1, 1]), 2, np.random.default_rng(0)).tolist() in ([0, 1, 0, 1], [1, 0, 0, 1],
    ...     [0, 1, 1, 0], [1, 0, 1, 0])
    True
    """
    shuffled = random.permutation(len(classes))
    dealt = shuffled[np.argsort(classes[shuffled], kind="stable")]
    fold = np.empty(len(classes), np.intp)
    fold[dealt] = np.arange(len(classes)) % folds
    return fold


def trained(name: str, training: Matrix, known: Labels, seed: int) -> Any:
    """A decision tree or a random forest that has learned.

    The tree divides by entropy, as C4.5 does, and is pruned: a further leaf must save log₂ n bits, which is about what
    it takes to describe it. The forest is many trees, each of other records and columns, and stronger as a rule; it
    grows some at a time, so that it can be stopped in between, and is the same as if they were grown at once.
    """
    ensemble, tree = _scikit_learn()
    stop_if_cancelled()
    if name == "tree":
        leaf_costs = log2(len(known)) / len(known)
        pruned = tree.DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=2, ccp_alpha=leaf_costs, random_state=seed
        )
        return pruned.fit(training, known)
    forest = ensemble.RandomForestClassifier(min_samples_leaf=5, max_features=0.5, random_state=seed, warm_start=True)
    for trees in stoppable(range(_AT_ONCE, TREES + 1, _AT_ONCE)):
        forest.set_params(n_estimators=trees).fit(training, known)
    return forest


def refuse_without_models() -> None:
    """Raise before long work where scikit-learn is not installed."""
    _scikit_learn()


def _scikit_learn() -> tuple[Any, Any]:
    try:
        from sklearn import ensemble, tree
    except ImportError:
        raise UsageError("utility.no-scikit-learn", command="pip install 'biombo[utility]'") from None
    return ensemble, tree
