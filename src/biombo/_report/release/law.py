"""What the law says about the release, and what an impact report must have (LGPD arts. 5, 12, 13, 38; LAI art. 31)."""

from collections.abc import Iterable

from biombo._i18n import text
from biombo._report.blocks import Prose, Section, Table
from biombo._report.names import displayed
from biombo._report.release.facts import ReleaseFacts
from biombo._report.release.headings import words
from biombo._report.release.lists import listed
from biombo._report.release.residual import decided
from biombo._report.release.version import Version

_LONGEST = 400


def law_section(facts: ReleaseFacts, version: Version) -> Section:
    """A row for each provision."""
    pseudonyms = facts.applied.pseudonymised
    ending = "pseudonyms" if pseudonyms else "here"
    told = {
        "lgpd-5": text("release_report.law.lgpd-5-here"),
        "lgpd-12": text(f"release_report.law.lgpd-12-{ending}"),
        "lgpd-13": text(f"release_report.law.lgpd-13-{ending}", columns=listed(pseudonyms)),
        "lgpd-38": text(f"release_report.law.lgpd-38-{'private' if version.private else 'public'}"),
        "lai-31": text("release_report.law.lai-31-here"),
    }
    rows = [[text(f"release_report.law.{key}"), sentence] for key, sentence in told.items()]
    title = text("release_report.law.title")
    table = Table.of(title, [words("provision"), words("here")], rows, text("release_report.law.note"))
    return Section("law", title, (table,))


def _records(facts: ReleaseFacts) -> int:
    """Of the original."""
    applied = facts.applied
    return applied.rows + applied.suppressed + applied.not_drawn + applied.duplicates + applied.invalid


def _all(names: Iterable[str]) -> str:
    """Every name, however many there are: whoever answers for the release must see each of them once."""
    return ", ".join(map(displayed, names)) or "–"


def _further(facts: ReleaseFacts) -> str:
    """The released columns that are neither quasi nor sensitive, with what they are."""
    named = {*facts.quasi, *facts.sensitive}
    told = [f"{displayed(each.name)} ({each.role})" for each in facts.columns if each.name not in named]
    return ", ".join(told) or "–"


def impact_section(facts: ReleaseFacts) -> Section:
    """What article 38 asks for, as far as it is known. Private."""
    applied, decision = facts.applied, facts.decision
    controls = "; ".join(decision.controls) if decision else ""
    told = {
        "data": text(
            "release_report.impact.data-here",
            quasi=_all(facts.quasi),
            sensitive=_all(facts.sensitive),
            further=_further(facts),
            left_out=_all(facts.left_out),
            untouched=_all(facts.goes_out.untouched),
            records=_records(facts),
        ),
        "collection": text("release_report.impact.collection-here", source=displayed(applied.source, longest=_LONGEST)),
        "security": text(f"release_report.impact.security-{'here' if applied.shuffled else 'in-order'}"),
        "analysis": " ".join([text("release_report.impact.analysis-here"), *decided(facts)]),
        "measures": text("release_report.impact.measures-here", hash=applied.plan_hash),
        "controls": text("release_report.impact.controls-here", controls=displayed(controls, longest=_LONGEST))
        if controls
        else text("release_report.impact.no-controls"),
    }
    rows = [[text(f"release_report.impact.{key}"), sentence] for key, sentence in told.items()]
    title = text("release_report.impact.title")
    about = Prose(text("release_report.impact.about"))
    return Section("impact", title, (about, Table.of(title, [words("asked"), words("here")], rows)))
