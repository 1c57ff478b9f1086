"""A judgement as plain values, for ``--json``. It says nothing about what is in small groups."""

from math import isfinite
from typing import Any

from biombo._criteria.judging import Judgement
from biombo._criteria.verdict import Verdict


def as_json(judgement: Judgement) -> dict[str, Any]:
    """One object, numbers at full precision; a value that is infinite is null."""
    return {
        "holds": judgement.holds,
        "records": judgement.rows,
        "criteria": [_verdict(verdict) for verdict in judgement.verdicts],
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    achieved = verdict.achieved
    return {
        "criterion": verdict.criterion.to_tree(),
        "quasi": list(verdict.quasi),
        "holds": verdict.holds,
        "achieved": achieved if achieved is not None and isfinite(achieved) else None,
        "failing": {"groups": verdict.groups, "records": verdict.records},
    }
