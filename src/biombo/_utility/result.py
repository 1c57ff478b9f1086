"""What a release is still good for, and what it lost."""

from dataclasses import asdict, dataclass
from typing import Any

from biombo._utility.associations import Association, Associations
from biombo._utility.classification.prediction import Classification
from biombo._utility.distributions import ColumnDistance
from biombo._utility.measures import Measures
from biombo._utility.summaries import Statistic, Summary


@dataclass(frozen=True, eq=False)
class Utility:
    """A release beside its original. Made by :func:`biombo.utility`. It tells about the original: keep it private."""

    original: str
    """What the original is called."""
    release: str
    original_rows: int
    release_rows: int
    plan_hash: str | None
    removed: tuple[str, ...]
    """Columns that the release lacks, identifiers not counted."""
    measures: Measures
    distances: tuple[ColumnDistance, ...]
    associations: Associations
    summaries: tuple[Summary, ...]
    """Of columns that hold amounts."""
    classification: Classification | None
    """Where a target was named."""

    def __repr__(self) -> str:
        return f"<Utility {self.release}: {self.release_rows:,} of {self.original_rows:,} records>"


def as_json(utility: Utility) -> dict[str, Any]:
    """All numbers, without records."""
    return {
        "original": {"source": utility.original, "records": utility.original_rows},
        "release": {"source": utility.release, "records": utility.release_rows},
        "plan_hash": utility.plan_hash,
        "removed": list(utility.removed),
        "measures": asdict(utility.measures),
        "columns": [asdict(each) | {"reasons": list(each.reasons)} for each in utility.distances],
        "associations": {
            "columns": list(utility.associations.columns),
            "pairs": [_pair(each) for each in utility.associations.pairs],
            "difference": utility.associations.matrix(),
        },
        "numbers": [_summary(each) for each in utility.summaries],
        "classification": None if utility.classification is None else _classification(utility),
    }


def _pair(pair: Association) -> dict[str, Any]:
    ranks = None if pair.ranks is None else {"original": pair.ranks[0], "release": pair.ranks[1]}
    return asdict(pair) | {"difference": pair.difference, "ranks": ranks}


def _summary(summary: Summary) -> dict[str, Any]:
    return asdict(summary) | {"statistics": [_statistic(each) for each in summary.statistics]}


def _statistic(statistic: Statistic) -> dict[str, Any]:
    return asdict(statistic) | {"error": statistic.error, "relative_error": statistic.relative_error}


def _classification(utility: Utility) -> dict[str, Any]:
    assert utility.classification is not None
    return asdict(utility.classification) | {"features": list(utility.classification.features)}
