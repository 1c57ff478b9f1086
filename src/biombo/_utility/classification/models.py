"""The models: scikit-learn's, which is an extra."""

from math import log2
from typing import Any

from biombo._errors import UsageError

MODELS = ("tree", "forest")


def model(name: str, records: int, seed: int) -> Any:
    """A decision tree or a random forest, to learn from so many records.

    The tree divides by entropy, as C4.5 does, and is pruned: a further leaf must save log₂ n bits, which is about what
    it takes to describe it. The forest is many trees, each of other records and columns, and stronger as a rule.
    """
    ensemble, tree = _scikit_learn()
    if name == "tree":
        leaf_costs = log2(records) / records
        return tree.DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=2, ccp_alpha=leaf_costs, random_state=seed
        )
    return ensemble.RandomForestClassifier(n_estimators=50, min_samples_leaf=5, max_features=0.5, random_state=seed)


def refuse_without_models() -> None:
    """Raise before long work where scikit-learn is not installed."""
    _scikit_learn()


def _scikit_learn() -> tuple[Any, Any]:
    try:
        from sklearn import ensemble, tree
    except ImportError:
        raise UsageError("utility.no-scikit-learn", command="pip install 'biombo[utility]'") from None
    return ensemble, tree
