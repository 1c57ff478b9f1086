"""What a search found, for programs. The keys are part of the command line's contract."""

from dataclasses import asdict
from math import isfinite
from typing import Any

from biombo._attack import Dropped
from biombo._search.explanation import Explanation
from biombo._search.frontier import Frontier
from biombo._search.joint_search import JointResult
from biombo._search.local_search import LocalPlan, LocalResult
from biombo._search.ranking import RankedPlan
from biombo._search.result import SearchResult

_MEASURES = (
    "precision",
    "completeness",
    "loss",
    "granularity",
    "entropy",
    "discernibility",
    "class_size",
    "groups",
    "score",
    "minimal",
    "merged",
)
_OF_LOCAL = _MEASURES[: _MEASURES.index("minimal")]


def as_json(found: SearchResult | JointResult) -> dict[str, Any]:
    """The plans, best first, and what was proved."""
    result: dict[str, Any] = {
        "lattice": found.lattice,
        "checked": found.checked,
        "optimal": found.optimal,
        "records": found.records,
        "max_suppression": found.max_suppression,
        "loss_domain": found.question.loss_domain,
        "plans": [plan_as_json(plan) for plan in found],
    }
    result |= _dropped(found.dropped)
    if isinstance(found, SearchResult):
        bound = found.bound
        result["prefer"] = str(found.policy)
        result["bound"] = bound if bound is not None and isfinite(bound) else None
    else:
        result["prefer"] = [str(part.policy) for part in found.parts]
        result["sets"] = [as_json(part) for part in found.parts]
    return result


def _dropped(dropped: Dropped | None) -> dict[str, Any]:
    """What was left out because of invalid values, where that was asked for."""
    return {} if dropped is None else {"dropped": {"rows": dropped.rows, "by_column": dict(dropped.by_column)}}


def minimal_as_json(found: SearchResult | JointResult) -> list[dict[str, int]] | list[list[dict[str, int]]]:
    """The levels of all minimal generalisations; of each set, where there are several."""
    if isinstance(found, SearchResult):
        return [dict(levels) for levels in found.minimal]
    return [[dict(levels) for levels in part.minimal] for part in found.parts]


def plan_as_json(plan: RankedPlan) -> dict[str, Any]:
    """One plan and what it costs."""
    return {
        "levels": dict(plan.levels),
        "suppressed": plan.suppressed,
        "smallest_group": plan.smallest_group,
        **{measure: getattr(plan, measure) for measure in _MEASURES},
        "column_loss": dict(plan.column_loss),
        "became_constant": [asdict(each) for each in plan.constant],
    }


def local_as_json(found: LocalResult) -> dict[str, Any]:
    """The plan of local recoding."""
    return {
        "recoding": found.recoding,
        "optimal": found.optimal,
        "records": found.records,
        "max_suppression": 0.0,
        "loss_domain": found.question.loss_domain,
        "prefer": found.policy.name,
        "plans": [local_plan_as_json(plan) for plan in found],
        **_dropped(found.dropped),
    }


def local_plan_as_json(plan: LocalPlan) -> dict[str, Any]:
    """One plan of local recoding and what it costs; ``arx`` has what ARX shows of such a result."""
    return {
        "levels": {
            name: {str(level): records for level, records in each.items()} for name, each in plan.levels.items()
        },
        "suppressed": plan.suppressed,
        "smallest_group": plan.smallest_group,
        **{measure: getattr(plan, measure) for measure in _OF_LOCAL},
        "column_loss": plan.column_loss,
        "decided_by_values": plan.decided_by_values,
        "steps": plan.steps,
        "arx": asdict(plan.arx),
    }


def frontier_as_json(frontier: Frontier) -> list[dict[str, Any]]:
    """The best plan for each k and each limit; those of local recoding say so."""
    local = [
        {"k": k, "max_suppression": 0.0, "recoding": frontier.recoding, "best": local_plan_as_json(plan)}
        for k, plan in frontier.local.items()
    ]
    by_global = [
        {
            "k": point.k,
            "max_suppression": point.max_suppression,
            "best": None if point.best is None else plan_as_json(point.best),
        }
        for point in frontier.points
    ]
    return by_global + local


def explanation_as_json(explanation: Explanation) -> dict[str, Any]:
    """Which columns stand in the way, and which steps would help."""
    return {
        "together": asdict(explanation.together),
        "alone": [asdict(obstacle) for obstacle in explanation.alone],
        "steps": [step.as_json() for step in explanation.steps],
        "must_change": None if explanation.must_change is None else asdict(explanation.must_change),
        "least_suppressed": explanation.least_suppressed,
    }
