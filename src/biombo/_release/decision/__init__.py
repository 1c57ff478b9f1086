"""Whether the risk of a release is acceptable, and what would make it so."""

from biombo._release.decision.changes import (
    LargerGroups,
    MoreNoise,
    StrongerControls,
    changes_that_pass,
    cheapest_change,
)
from biombo._release.decision.decision import Decision, decide, smallest_group
from biombo._release.decision.measured import MeasuredRisk
from biombo._release.decision.models import (
    TECHNICAL_CONTROLS,
    THRESHOLDS,
    ControlledRelease,
    Harm,
    PublicRelease,
    ReleaseModel,
    TechnicalControl,
)
from biombo._release.decision.scenarios import (
    INSIDER_ATTEMPT,
    ControlLevel,
    DataBreach,
    DeliberateInsider,
    InadvertentRecognition,
    Motivation,
)
from biombo._release.decision.steps import ReleaseStep, ten_steps

__all__ = [
    "INSIDER_ATTEMPT",
    "TECHNICAL_CONTROLS",
    "THRESHOLDS",
    "ControlLevel",
    "ControlledRelease",
    "DataBreach",
    "Decision",
    "DeliberateInsider",
    "Harm",
    "InadvertentRecognition",
    "LargerGroups",
    "MeasuredRisk",
    "MoreNoise",
    "Motivation",
    "PublicRelease",
    "ReleaseModel",
    "ReleaseStep",
    "StrongerControls",
    "TechnicalControl",
    "changes_that_pass",
    "cheapest_change",
    "decide",
    "smallest_group",
    "ten_steps",
]
