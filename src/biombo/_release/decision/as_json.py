"""A decision as plain values."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from biombo._release.decision.changes import Change, LargerGroups, StrongerControls, changes_that_pass
from biombo._release.decision.models import ControlledRelease, ReleaseModel

if TYPE_CHECKING:
    from biombo._release.decision.decision import Decision


def as_json(decision: "Decision") -> dict[str, Any]:
    """One object, numbers at full precision."""
    return {
        "release_model": _model(decision.model),
        "smallest_group": decision.smallest_group,
        "measured": None if decision.measured is None else asdict(decision.measured),
        "reidentification_given_attempt": decision.given_attempt,
        "attempt": decision.attempt,
        "reidentification": decision.reidentification,
        "smallest_group_with_others": decision.with_others,
        "threshold": decision.threshold,
        "passes": decision.passes,
        "override": decision.override,
        "changes_that_pass": [_change(change) for change in changes_that_pass(decision)],
    }


def _model(model: ReleaseModel) -> dict[str, Any]:
    shared = {
        "name": model.name,
        "harm": model.harm,
        "controls_counted": model.controls_counted,
        "expected_utility": model.expected_utility,
    }
    if not isinstance(model, ControlledRelease):
        return shared | {"harm_assumed": model.harm_assumed}
    scenarios = {each.name: asdict(each) for each in (model.insider, model.recognition, model.breach)}
    return shared | {
        "scenarios": {name: entries | {"attempt": model.attempts[name]} for name, entries in scenarios.items()},
        "controls": list(model.controls),
        "measures": list(model.measures),
        "factors": dict(model.factors),
    }


def _change(change: Change) -> dict[str, Any]:
    if isinstance(change, StrongerControls):
        return {"controls": change.level}
    return {"k": change.k} if isinstance(change, LargerGroups) else {"surest": change.surest}
