"""Releases: whether the risk is acceptable, publishing with proof, and the register of what was published."""

from biombo._release.decision import (
    ControlledRelease,
    DataBreach,
    Decision,
    DeliberateInsider,
    InadvertentRecognition,
    LargerGroups,
    PublicRelease,
    ReleaseStep,
    StrongerControls,
    cheapest_change,
    decide,
    ten_steps,
)

__all__ = [
    "ControlledRelease",
    "DataBreach",
    "Decision",
    "DeliberateInsider",
    "InadvertentRecognition",
    "LargerGroups",
    "PublicRelease",
    "ReleaseStep",
    "StrongerControls",
    "cheapest_change",
    "decide",
    "ten_steps",
]
