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
        MeasuredRisk,
        MoreNoise,
        PublicRelease,
        ReleaseStep,
        StrongerControls,
        changes_that_pass,
        cheapest_change,
        decide,
        ten_steps,
    )
    from biombo._release.decision.arguments import check_override
    from biombo._release.decision.models import FACTORS, TECHNICAL_CONTROLS, ReleaseModel
    from biombo._release.errors import RefusedError
    from biombo._release.estimate import PublishEstimate, estimate_publishing
    from biombo._release.execution import write_cells
    from biombo._release.foresight import fates_ahead
    from biombo._release.joint import JointRisk, JointShares, JointSide, JointValue, RecordLinks, joint_risk
    from biombo._release.keys import RELEASE_KEY
    from biombo._release.machine_speed import MachineSpeed
    from biombo._release.manifest import MANIFEST, Manifest, hashed
    from biombo._release.measure import exposure_of, truth_of
    from biombo._release.protection import refuse_small_groups
    from biombo._release.publish import publish
    from biombo._release.readiness import Readiness, ready_to_publish
    from biombo._release.record import entry_of, put_on_record
    from biombo._release.register import Register, RegisteredRelease, RegisterEntry, RegisterEvent
    from biombo._release.rehearsal import Rehearsal, rehearse
    from biombo._release.release import Release
    from biombo._release.released_rows import ReleasedRows, released_rows
    from biombo._release.staging import places_of, refuse_in_release, refuse_places, staged
    from biombo._release.table_release import TableRecord, TableRelease, publish_table
    from biombo._release.trace import LOG, OriginPart, OriginRecords, TracedRecord, is_vault_of, origin_records, trace
    from biombo._release.verify import Check, Verification, verify

__all__ = [
    "FACTORS",
    "LOG",
    "MANIFEST",
    "PLAN",
    "PUBLIC_KEY",
    "RELEASE_KEY",
    "TECHNICAL_CONTROLS",
    "Check",
    "ControlledRelease",
    "DataBreach",
    "Decision",
    "DeliberateInsider",
    "InadvertentRecognition",
    "JointRisk",
    "JointShares",
    "JointSide",
    "JointValue",
    "LargerGroups",
    "MachineSpeed",
    "Manifest",
    "MeasuredRisk",
    "MoreNoise",
    "OriginPart",
    "OriginRecords",
    "PublicRelease",
    "PublishEstimate",
    "Readiness",
    "RecordLinks",
    "RefusedError",
    "Register",
    "RegisterEntry",
    "RegisterEvent",
    "RegisteredRelease",
    "Rehearsal",
    "Release",
    "ReleaseModel",
    "ReleaseStep",
    "ReleasedRows",
    "StrongerControls",
    "TableRecord",
    "TableRelease",
    "TracedRecord",
    "Verification",
    "changes_that_pass",
    "cheapest_change",
    "check_override",
    "decide",
    "entry_of",
    "estimate_publishing",
    "exposure_of",
    "fates_ahead",
    "hashed",
    "is_vault_of",
    "joint_risk",
    "origin_records",
    "places_of",
    "publish",
    "publish_table",
    "put_on_record",
    "ready_to_publish",
    "refuse_in_release",
    "refuse_places",
    "refuse_small_groups",
    "rehearse",
    "released_rows",
    "staged",
    "ten_steps",
    "trace",
    "truth_of",
    "verify",
    "write_cells",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
