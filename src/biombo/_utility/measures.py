"""What the quasi columns and the groups that they make lost, by the measures of the search."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from biombo._utility.reasons import Reason

NAMES = ("completeness", "precision", "loss", "granularity", "entropy", "discernibility", "class_size")


@dataclass(frozen=True)
class Measures:
    """What a release costs in detail, in records and in groups; ``None`` where that cannot be told, see ``reasons``."""

    completeness: float | None = None
    """The share of records that stay, masked ones included (document 004)."""
    precision: float | None = None
    """1 less the mean of level/height over quasi columns and records, a suppressed or masked record counting 1."""
    loss: float | None = None
    """The share of the domain that values stand for, as a geometric mean over columns."""
    granularity: float | None = None
    """1 less the arithmetic mean of the same."""
    entropy: float | None = None
    """Non-uniform entropy that is lost, in bits."""
    discernibility: float | None = None
    """Σ size² over groups, a suppressed or masked record counting as many as there are records."""
    class_size: float | None = None
    """Records per group, all suppressed or masked ones being one group."""
    masked: int | None = None
    """Records that stay with their quasi values replaced by a mark."""
    column_loss: Mapping[str, float] = field(default_factory=dict)
    """The loss of each quasi column."""
    unseen: Mapping[str, str] = field(default_factory=dict)
    """Quasi columns that are changed by other operations than generalising: precision, loss, granularity and entropy
    do not see that."""
    reasons: Mapping[str, Reason] = field(default_factory=dict)
    """By measure: why it is missing."""
