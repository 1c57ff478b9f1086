"""A risk as one HTML file that needs nothing else: no network, no other file, no script."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from biombo._attack import Membership, MembershipByPart, Risk, RiskByPart
from biombo._criteria import SMALLEST
from biombo._i18n import text
from biombo._report.blocks import Section
from biombo._report.html import Masthead, ReportPart, parts_of, piece, rendered, write_page
from biombo._report.members.section import members_by_part, members_section
from biombo._report.members.summary import with_members
from biombo._report.risk.identity import identity_by_part, identity_section
from biombo._report.risk.inference import inference_by_part, inference_sections
from biombo._report.risk.method import method
from biombo._report.risk.records import found_members, is_enough, large_parts, records_section
from biombo._report.risk.summary import Summary, summary, summary_of_parts
from biombo._report.wording import Names


def write_report(
    risk: Risk | RiskByPart,
    path: str | Path,
    *,
    source: str,
    title: str | None = None,
    labels: Mapping[str, str] | None = None,
    made_at: datetime | None = None,
    membership: Membership | MembershipByPart | None = None,
) -> Path:
    """Write :func:`render_report`'s page to ``path``, whole or not at all; as a PDF where it is called so."""
    page = render_report(risk, source=source, title=title, labels=labels, made_at=made_at, membership=membership)
    return write_page(path, page)


def render_report(
    risk: Risk | RiskByPart,
    *,
    source: str,
    title: str | None = None,
    labels: Mapping[str, str] | None = None,
    made_at: datetime | None = None,
    membership: Membership | MembershipByPart | None = None,
) -> str:
    """The report on ``risk`` as one HTML page, in the language in use.

    It shows nothing on single people: no row, no value of a quasi or sensitive column, nothing on a part of fewer than
    ten records or a sample of fewer than ten people.

    Args:
        risk: The outcome of :func:`biombo.risk` or :func:`biombo.risk_by_part`.
        source: Where the rows came from, in words.
        title: The heading; by default it names the source.
        labels: What columns are called, where it is not by their own name.
        made_at: When the risk was measured; by default now.
        membership: The outcome of :func:`biombo.membership` or, with parts, of :func:`biombo.membership_by_part`, where
            the table is a sample of a population.
    """
    names = Names.of(risk, labels or {}, _quasi_of(membership))
    outcomes = [risk] if isinstance(risk, Risk) else list(risk.parts.values())
    first, sections = _one_table(risk, names) if isinstance(risk, Risk) else _parts(risk, names)
    whole = membership if isinstance(membership, Membership) else None
    members = found_members(whole) if whole and first else None
    if membership and first:
        *attacks, records = sections
        if isinstance(membership, MembershipByPart):
            told = members_by_part(membership, names)
        else:
            told = members_section(members, names)
        sections = [*attacks, told, records]
    if members and first:
        first = with_members(first, members, names)
    return rendered(
        "report.html.j2",
        masthead=Masthead.of(source, title, made_at, kicker="report.page.kicker", question="report.page.title"),
        summary=first,
        sections=sections,
        smallest=SMALLEST,
        method=method(outcomes, members, names),
    )


def risk_parts(risk: Risk, *, labels: Mapping[str, str] | None = None) -> tuple[ReportPart, ...]:
    """What the report on one table tells, for a page of somebody else: the summary, then section by section; nothing
    where the table is too small. The arguments are those of :func:`render_report`.
    """
    names = Names.of(risk, labels or {}, ())
    first, sections = _one_table(risk, names)
    if first is None:
        return ()
    opening = piece("summary_part.html.j2", "summary", summary=first)
    return (ReportPart("summary", text("report.summary.title"), opening), *parts_of(sections))


def _quasi_of(membership: Membership | MembershipByPart | None) -> tuple[str, ...]:
    """The columns that an adversary may know about people of the population."""
    if isinstance(membership, MembershipByPart):
        return next(iter(membership.parts.values())).quasi
    return membership.quasi if membership else ()


def _one_table(risk: Risk, names: Names) -> tuple[Summary | None, list[Section]]:
    """What there is to say; nothing where the table is too small."""
    if not is_enough(risk):
        return None, []
    attack = risk.attribute_inference
    guesses = inference_sections(attack, names) if attack else ()
    return summary(risk, names), [
        *guesses,
        identity_section(risk.reidentification, names),
        records_section(risk, names),
    ]


def _parts(risk: RiskByPart, names: Names) -> tuple[Summary | None, list[Section]]:
    """What there is to say; nothing where all parts are too small."""
    large = large_parts(risk)
    if not large.parts:
        return None, []
    attacks = large.attribute_inference
    guesses = inference_by_part(attacks, names) if attacks else ()
    identity = identity_by_part(large.reidentification, names)
    return summary_of_parts(large, names), [*guesses, identity, records_section(large, names)]
