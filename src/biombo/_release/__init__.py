"""Releases: whether the risk is acceptable, publishing with proof, and the register of what was published."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._release.commitment import PLAN
    from biombo._release.contents import PUBLIC_KEY
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
    from biombo._release.decision.arguments import check_override
    from biombo._release.decision.models import TECHNICAL_CONTROLS, ReleaseModel
    from biombo._release.errors import RefusedError
    from biombo._release.estimate import PublishEstimate, estimate_publishing
    from biombo._release.execution import write_cells
    from biombo._release.manifest import Manifest
    from biombo._release.protection import refuse_small_groups
    from biombo._release.publish import publish
    from biombo._release.readiness import Readiness, ready_to_publish
    from biombo._release.record import entry_of, put_on_record
    from biombo._release.register import Register, RegisteredRelease, RegisterEntry, RegisterEvent
    from biombo._release.release import Release
    from biombo._release.staging import places_of, refuse_in_release, refuse_places, staged
    from biombo._release.trace import LOG, TracedRecord, trace
    from biombo._release.verify import Check, Verification, verify

__all__ = [
    "LOG",
    "PLAN",
    "PUBLIC_KEY",
    "TECHNICAL_CONTROLS",
    "Check",
    "ControlledRelease",
    "DataBreach",
    "Decision",
    "DeliberateInsider",
    "InadvertentRecognition",
    "LargerGroups",
    "Manifest",
    "PublicRelease",
    "PublishEstimate",
    "Readiness",
    "RefusedError",
    "Register",
    "RegisterEntry",
    "RegisterEvent",
    "RegisteredRelease",
    "Release",
    "ReleaseModel",
    "ReleaseStep",
    "StrongerControls",
    "TracedRecord",
    "Verification",
    "cheapest_change",
    "check_override",
    "decide",
    "entry_of",
    "estimate_publishing",
    "places_of",
    "publish",
    "put_on_record",
    "ready_to_publish",
    "refuse_in_release",
    "refuse_places",
    "refuse_small_groups",
    "staged",
    "ten_steps",
    "trace",
    "verify",
    "write_cells",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
