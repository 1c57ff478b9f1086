"""A utility assessment as plain values."""

from dataclasses import asdict
from typing import Any

from biombo._utility.pairs import Association
from biombo._utility.result import Utility
from biombo._utility.summaries import Statistic, Summary


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
