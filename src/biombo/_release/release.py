"""What came of publishing a table."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from biombo._plan import Applied, Plan
from biombo._release.claims import released_data
from biombo._release.decision import Decision
from biombo._release.manifest import MANIFEST, Manifest, hashed


@dataclass(frozen=True, eq=False)
class Release:
    """A release that is whole and was verified. Made by :func:`biombo.publish`."""

    out: Path
    """The folder that can go online as it is."""
    private: Path
    """The folder that stays at home."""
    plan: Plan
    applied: Applied
    """What the plan did: exact numbers, which are private."""
    manifest: Manifest
    decision: Decision | None
    """Whether the risk is acceptable; none where no release model was given."""
    unspoken: tuple[str, ...]
    """Columns that were left out because neither plan nor schema says what they are."""

    @property
    def id(self) -> str:
        """What the release is called, by its manifest, its vault and the log."""
        return self.manifest.id

    @property
    def manifest_hash(self) -> str:
        """The SHA-256 of the manifest, by which a register knows the release."""
        return hashed(self.out / MANIFEST)

    @property
    def data(self) -> pl.DataFrame:
        """The released records, read from the file."""
        released = released_data(self.out / self.manifest.data)
        return pl.DataFrame([column.decoded() for column in released.columns.values()])

    def as_json(self) -> dict[str, Any]:
        """What is to be said of the release as plain values, private numbers included."""
        return {
            "release": self.id,
            "out": str(self.out),
            "private": str(self.private),
            "key": self.manifest.public_key.id,
            "claims": [claim.to_tree() for claim in self.manifest.claims],
            "applied": self.applied.as_json(),
            "decision": None if self.decision is None else self.decision.as_json(),
            "left_out": list(self.unspoken),
        }
