"""What belongs to a release besides its data."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Literal

from biombo._criteria import Disclosure
from biombo._engine import Table
from biombo._files import PRIVATE, write_whole
from biombo._measures import LossDomain
from biombo._release.claims import Claim, claims_of, history_claim, noise_claims
from biombo._release.commitment import Commitment
from biombo._release.decision import Decision
from biombo._release.dictionary import Dictionary, labels_in_use
from biombo._release.execution import Carried
from biombo._release.keys import ReleaseKeys
from biombo._release.manifest import Manifest, hashed
from biombo._release.measure import Measurement
from biombo._release.protection import Protection
from biombo._release.readme import Readme
from biombo._release.reports import Headlines, Reports, Told, facts_of, headlines_of
from biombo._release.staging import Staging
from biombo._release.verify.recount import Released
from biombo._release.waived import waived_claim
from biombo._report import PublicationStep, RequestedFact, software_version
from biombo._secrets import PublicKey

PUBLIC_KEY, RESULT = "public.key", "result.json"
"""What is in the private folder besides the vault, the key, the plan and the report."""

Stage = Literal["protecting", "reading", "measuring", "comparing", "reporting", "verifying"]
"""In their order: the plan is carried out, what it did not read of the original is read, what goes out as it is is
measured, both are compared, and the release is written and verified."""

OnStage = Callable[[Stage], object]
"""Called with each stage as it begins."""


@dataclass(frozen=True, eq=False)
class About:
    """What is to be reported besides what the plan did."""

    decision: Decision | None
    protection: Protection
    measured: Measurement
    kept_back: Sequence[str]
    """Columns of the original that are not released."""
    review: date | None
    pdf: bool
    original: Table
    released: Released
    predict: str | None
    loss_domain: LossDomain
    title: str | None
    """What the release is called, where somebody said so."""
    steps: tuple[PublicationStep, ...]
    requested: RequestedFact | None
    """How it was negotiated, for the private report alone."""


@dataclass(frozen=True)
class Contents:
    """Writes all of it to where the release is built; ``out`` and ``private`` are where that will be in the end."""

    carried: Carried
    staging: Staging
    keys: ReleaseKeys
    about: About
    out: Path
    private: Path

    def write(self, begin: OnStage) -> tuple[Manifest, Headlines]:
        """The private part first, and the manifest last; also the headlines of the private report."""
        carried, released = self.carried, self.about.released
        release = carried.release
        begin("comparing")
        commitment = Commitment.new(carried.plan)
        claims = self._claims(commitment)
        labels = labels_in_use(carried.used)
        title = self.about.title
        dictionary = Dictionary.of(carried.plan, carried.used, labels, released, carried.data.name, title)
        reports = self._reports(claims, dictionary)
        begin("reporting")
        self._write_private(release, reports, commitment)
        dictionary.write(self.staging.public)
        reports.write(self.staging.public, private=False)
        self._readme(claims).write(self.staging.public)
        manifest = self._manifest(release, claims)
        manifest.write(self.staging.public)
        return manifest, reports.headlines

    def _readme(self, claims: Sequence[Claim]) -> Readme:
        data = self.carried.data.name
        others = sorted(path.name for path in self.staging.public.iterdir() if path.name != data)
        return Readme(self.about.title or self.out.name, claims, data, tuple(others))

    def _claims(self, commitment: Commitment) -> list[Claim]:
        carried, about = self.carried, self.about
        of_plan = claims_of(
            carried.applied,
            carried.plan.criteria,
            carried.used,
            about.released,
            about.kept_back,
            commitment.value,
        )
        rule = Disclosure.of(carried.plan.criteria)
        waived = [waived_claim(each, rule) for each in carried.applied.waived]
        quasi = [name for name in carried.used.quasi if name in about.released.columns]
        of_noise = noise_claims(carried.applied, about.measured.exposure, quasi, rule)
        return [*of_plan, *map(history_claim, about.measured.histories), *of_noise, *waived]

    def _reports(self, claims: list[Claim], dictionary: Dictionary) -> Reports:
        carried, about = self.carried, self.about
        told = Told(
            claims,
            dictionary,
            about.decision,
            about.protection,
            about.measured,
            about.review,
            about.predict,
            about.loss_domain,
            about.title,
            about.steps,
            about.requested,
            self._reviews(),
        )
        facts = facts_of(self.out.name, carried, told, about.original)
        return Reports(facts, headlines_of(facts, carried, told), about.pdf)

    def _reviews(self) -> dict[str, date | None]:
        """By when the ciphers of keys are to be reviewed: those of the plan, and others for which a day is set."""
        dated = [key for key in (self.keys.signing, self.keys.vault) if key.review is not None]
        return {key.id: key.review for key in (*self.carried.given.keys, *dated)}

    def _write_private(self, release: str, reports: Reports, commitment: Commitment) -> None:
        folder, carried = self.staging.private, self.carried
        commitment.write(folder)
        reports.write(folder, private=True)
        write_whole(folder / PUBLIC_KEY, PublicKey.of(self.keys.signing).written(), mode=PRIVATE)
        result = {
            "release": release,
            "applied": carried.in_place(self.out, self.private).as_json(),
            "decision": None if self.about.decision is None else self.about.decision.as_json(),
            "protection": self.about.protection.kind,
            "person": carried.used.person,
            "columns": self.about.measured.as_json(),
        }
        write_whole(folder / RESULT, json.dumps(result, ensure_ascii=False, indent=2) + "\n", mode=PRIVATE)

    def _manifest(self, release: str, claims: list[Claim]) -> Manifest:
        content = {
            "id": release,
            **({"title": self.about.title} if self.about.title else {}),
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "software": f"biombo {software_version()}",
            "data": self.carried.data.name,
            "files": {path.name: hashed(path) for path in sorted(self.staging.public.iterdir())},
            "claims": [claim.to_tree() for claim in claims],
        }
        return Manifest.signed(content, self.keys.signing)
