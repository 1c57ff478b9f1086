"""Processes 14 and 15: the release with its reports, made in private, and handed over."""

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from biombo._errors import InputError, UsageError
from biombo._files import in_sentences
from biombo._i18n import text
from biombo._negotiate import acts, findings
from biombo._negotiate.agreed_plan import prepared, schema_of
from biombo._negotiate.chain import TORN
from biombo._negotiate.release_model import model_of
from biombo._negotiate.source import NegotiatedSource
from biombo._negotiate.state import State
from biombo._release import MANIFEST, Release, hashed, joint_risk, publish, verify
from biombo._report import RequestedFact, write_dialogue

DIALOGUE = "dialogue.html"
"""What was said, asked, offered, waived and voted, in the private folder of the release."""

_REPORTS = ("report.html", "report.pdf")
"""The private reports, which name the requester."""

_NEXT = "candidate.next"
"""A release that is being made; an earlier one stays until it is whole."""

CANDIDATE, AVAILABLE, REVOKED = "candidate", "available", "revoked"
"""The release before anybody gets it, once it is available, and once it is taken back."""


@dataclass(frozen=True)
class Publication:
    """The release of one negotiation, in its private folder."""

    folder: Path
    source: NegotiatedSource
    releases: Path | None = None
    """Where the release lies that the request names, if it does so by name."""

    def write(self, state: State, act: acts.WriteReport, requested: RequestedFact) -> Release:
        """Make the release that was agreed on, which nobody gets yet; an earlier one is replaced."""
        self._settle(CANDIDATE, AVAILABLE)
        self._remove(_NEXT)
        schema = schema_of(state)
        release = publish(
            self.source.table,
            self.source.plan(state),
            self.folder / _NEXT,
            schema=schema,
            other=schema.with_role("other"),
            accept=dict(act.accept),
            model=model_of(prepared(state)),
            override=state.public_override,
            title=act.title or text("negotiation.title", number=self.folder.name),
            requested=requested,
        )
        self._remove(CANDIDATE)
        return replace(release, out=self._renamed(_NEXT, CANDIDATE), private=self.folder / f"{CANDIDATE}.private")

    def check(self, manifest_hash: str) -> None:
        """Raise where the release is not the one that was reported on, or not what it claims."""
        self._settle(CANDIDATE, AVAILABLE)
        candidate = self.folder / CANDIDATE
        if not candidate.is_dir() or not verify(candidate).holds or hashed(candidate / MANIFEST) != manifest_hash:
            raise InputError("negotiation.other-release", path=str(candidate))

    def _remove(self, name: str) -> None:
        for each in (name, f"{name}.private"):
            shutil.rmtree(self.folder / each, ignore_errors=True)

    def joint_risks(self, state: State, beside: Iterable[Path]) -> Iterator[findings.JointRiskMeasured]:
        """What the new release tells together with the one that it starts from, and with each of ``beside``."""
        origin = state.request.origin
        for release in (*(() if origin is None else (origin.place(self.releases),)), *beside):
            joint = joint_risk(release, self.folder / CANDIDATE, source=self.source.table.whole)
            yield findings.JointRiskMeasured(joint.as_json())

    def make_available(self, requested: RequestedFact) -> Path:
        """Give the release its final name, with the dialogue up to its end beside it, in private."""
        write_dialogue(requested, self.folder / f"{CANDIDATE}.private" / DIALOGUE, self.folder.name)
        return self._renamed(CANDIDATE, AVAILABLE)

    def revoke(self) -> Path:
        """Take the release out of reach."""
        self._settle(AVAILABLE, REVOKED)
        return self._renamed(AVAILABLE, REVOKED)

    def forget_requester(self) -> None:
        """Remove what says who asked: the dialogue and the private reports. The release itself stays as it is."""
        for private in self.folder.glob("*.private"):
            for name in (DIALOGUE, *_REPORTS):
                (private / name).unlink(missing_ok=True)
        (self.folder / TORN).unlink(missing_ok=True)

    def _settle(self, name: str, later: str) -> None:
        """Name back what a program had named for an act that was never recorded, because it was stopped."""
        for suffix in ("", ".private"):
            before, after = self.folder / f"{name}{suffix}", self.folder / f"{later}{suffix}"
            if after.is_dir() and not before.exists():
                with in_sentences(self.folder):
                    after.rename(before)

    def _renamed(self, before: str, after: str) -> Path:
        with in_sentences(self.folder):
            if not (self.folder / before).is_dir():
                raise UsageError("negotiation.no-release", path=str(self.folder / before))
            (self.folder / f"{before}.private").rename(self.folder / f"{after}.private")
            return (self.folder / before).rename(self.folder / after)


def available(folder: Path) -> Path | None:
    """The release in the folder of a negotiation that the requester may have."""
    place = folder / AVAILABLE
    return place if place.is_dir() else None


def given_out(folder: Path) -> Path | None:
    """The release of a negotiation that somebody has, or had before it was taken back."""
    return next((place for name in (AVAILABLE, REVOKED) if (place := folder / name).is_dir()), None)
