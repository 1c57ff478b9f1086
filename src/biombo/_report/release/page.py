"""The reports of a release: HTML pages that need nothing else, from which PDFs are made."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from biombo._files import PRIVATE, PUBLIC
from biombo._i18n import text
from biombo._report.blocks import Section
from biombo._report.html import Masthead, rendered, write_page
from biombo._report.release.analyst import columns_section, losses_section, noise_section, proof_section
from biombo._report.release.attacks import risk_section
from biombo._report.release.director import opening
from biombo._report.release.facts import ReleaseFacts
from biombo._report.release.officer import (
    disclosure_section,
    impact_section,
    law_section,
    residual_section,
    steps_section,
)
from biombo._report.release.requested import requested_section
from biombo._report.release.version import Version


@dataclass(frozen=True)
class Part:
    """What one kind of reader is interested in."""

    title: str
    sections: tuple[Section, ...]


def write_release_report(facts: ReleaseFacts, path: str | Path, *others: str | Path, private: bool) -> Path:
    """Write :func:`render_release_report`'s page to ``path`` and ``others``, each whole or not at all, the private one
    readable by the user alone; as a PDF where it is called so. Gives the first path.
    """
    page, mode = render_release_report(facts, private=private), PRIVATE if private else PUBLIC
    for other in others:
        write_page(other, page, mode)
    return write_page(path, page, mode)


def render_release_report(facts: ReleaseFacts, *, private: bool) -> str:
    """The report on a release as one HTML page, in the language in use.

    The public version tells nothing on fewer people than the k of the release, and nothing of the original but rounded
    shares. The private one tells everything.
    """
    version = Version(private, facts.rule, facts.applied.rows)
    facts = _told(facts if private else _for_everybody(facts), version)
    kind = "private" if private else "public"
    masthead = Masthead.of(
        facts.name,
        facts.title,
        facts.made_at,
        kicker=f"release_report.page.{kind}-kicker",
        question=f"release_report.page.{kind}-title",
    )
    parts = (
        Part(text("release_report.reader.officer"), tuple(_for_officer(facts, version))),
        Part(text("release_report.reader.analyst"), tuple(_for_analyst(facts, version))),
    )
    return rendered("release.html.j2", masthead=masthead, opening=opening(facts, version), parts=parts, sections=())


def _told(facts: ReleaseFacts, version: Version) -> ReleaseFacts:
    """The facts with what was measured against the original as it may be told."""
    if facts.after is None or not facts.after.scored:
        return facts
    return replace(facts, after=facts.after.told(version.share) if version.tells_original else None)


def _for_everybody(facts: ReleaseFacts) -> ReleaseFacts:
    """The facts that come from the released records and their own originals, without what quotes any others."""
    predicted = facts.predicted and replace(facts.predicted, reason="")
    return replace(
        facts,
        before=facts.own,
        utility=None,
        measures=facts.own_measures,
        not_compared="",
        predicted=predicted,
        goes_out=replace(facts.goes_out, findings=()),
        waived=tuple(replace(each, detail=None) for each in facts.waived),
        requested=None,
        keys={},
    )


def _for_officer(facts: ReleaseFacts, version: Version) -> Iterator[Section]:
    yield risk_section(facts, version)
    yield disclosure_section(facts, version)
    if version.private:
        yield impact_section(facts)
        if facts.requested is not None:
            yield requested_section(facts.requested)
    if facts.steps:
        yield steps_section(facts)
    yield law_section(facts, version)
    yield residual_section(facts, version)


def _for_analyst(facts: ReleaseFacts, version: Version) -> Iterator[Section]:
    yield columns_section(facts)
    noise = noise_section(facts, version)
    if noise is not None:
        yield noise
    yield losses_section(facts, version)
    yield proof_section(facts, version)
