"""What two releases of the same people tell together."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._release.joint.both import Both
    from biombo._release.joint.intersection import Half, has_one_candidate, has_one_value
    from biombo._release.joint.joint_risk import joint_risk
    from biombo._release.joint.result import JointRisk, JointShares, JointSide, JointValue, RecordLinks
    from biombo._release.joint.side import Side
    from biombo._release.joint.sources import Sources

__all__ = [
    "Both",
    "Half",
    "JointRisk",
    "JointShares",
    "JointSide",
    "JointValue",
    "RecordLinks",
    "Side",
    "Sources",
    "has_one_candidate",
    "has_one_value",
    "joint_risk",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
