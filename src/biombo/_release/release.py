"""What came of publishing a table."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from biombo._frames import FrameKind, framed
from biombo._glance import Glance, PageResult
from biombo._i18n import Language, language
from biombo._plan import Applied, Plan
from biombo._release.decision import Decision
from biombo._release.manifest import MANIFEST, Manifest, hashed
from biombo._release.measure import Measurement
from biombo._release.protection import Protection
from biombo._release.trace.ids import TRACE_ID
from biombo._release.verify.recount import plainly_read


@dataclass(frozen=True, eq=False, repr=False)
class Release(PageResult):
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
    protection: Protection
    """What protects the people in it."""
    measured: Measurement
    """What it tells beyond its criteria; private."""
    kept_back: tuple[str, ...]
    """Columns of the table that are not released."""
    headlines: Mapping[Language, tuple[str, ...]] = field(default_factory=dict)
    """What the private report begins with, a line for each sentence, by language."""
    kind: FrameKind = field(default="polars", kw_only=True)
    """The kind of frame that the table came as."""

    @property
    def headline(self) -> tuple[str, ...]:
        """What the private report begins with, in the language in use."""
        return self.headlines.get(language(), ())

    @property
    def unspoken(self) -> tuple[str, ...]:
        """Of these, the ones that were left out because nobody has decided on them."""
        return self.applied.unspoken

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the released records, the trace id first."""
        return (TRACE_ID, *self.measured.pairs.columns)

    @property
    def id(self) -> str:
        """What the release is called, by its manifest, its vault and the log."""
        return self.manifest.id

    @property
    def manifest_hash(self) -> str:
        """The SHA-256 of the manifest, by which a register knows the release."""
        return hashed(self.out / MANIFEST)

    @property
    def data(self) -> Any:
        """The released records, read from the file; a table of the kind that was published: pandas, Polars or Arrow."""
        released = plainly_read(self.out / self.manifest.data)
        return framed(pl.DataFrame([column.decoded() for column in released.columns.values()]), self.kind)

    def page(self, *, private: bool = False) -> str:
        """The report that was written with it: the one that can go online, or the private one."""
        return ((self.private if private else self.out) / "report.html").read_text("utf-8")

    def _glance(self) -> Glance:
        from biombo._release.glance import of_release

        return of_release(self)

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
            "protection": self.protection.kind,
            "columns": self.measured.as_json() | {"left_out": list(self.kept_back)},
            "undecided": list(self.unspoken),
        }
