"""How often predictions are right."""

from dataclasses import dataclass

from biombo._utility.reasons import Reason


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
