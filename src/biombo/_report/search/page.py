"""A search as one HTML file: the best plan in plain words, what it costs, and the pictures behind the choice."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from markupsafe import Markup

from biombo._files import PRIVATE
from biombo._report.blocks import Section
from biombo._report.html import Masthead, ReportPart, parts_of, rendered, write_page
from biombo._report.search.frontier import against_k_section, refuse_other, trade_off_section
from biombo._report.search.lattice import lattice_section
from biombo._report.search.local import LocalSubject, local_limits, local_sections, local_summary, minimality_section
from biombo._report.search.minimal import minimal_section
from biombo._report.search.plans import frequencies_section, obstacles_section, plans_section
from biombo._report.search.subject import Subject
from biombo._report.search.summary import plan_summary
from biombo._report.search.trees import trees_section
from biombo._report.wording import rich
from biombo._search import Explanation, Frontier, JointResult, LocalResult, SearchResult


def write_search_report(
    found: SearchResult | JointResult | LocalResult,
    path: str | Path,
    *,
    source: str,
    title: str | None = None,
    labels: Mapping[str, str] | None = None,
    made_at: datetime | None = None,
    frontier: Frontier | None = None,
    explanations: Sequence[Explanation] = (),
) -> Path:
    """Write :func:`render_search_report`'s page to ``path``, whole or not at all, readable by the user alone; as a PDF
    where it is called so.
    """
    page = render_search_report(
        found,
        source=source,
        title=title,
        labels=labels,
        made_at=made_at,
        frontier=frontier,
        explanations=explanations,
    )
    return write_page(path, page, PRIVATE)


def render_search_report(
    found: SearchResult | JointResult | LocalResult,
    *,
    source: str,
    title: str | None = None,
    labels: Mapping[str, str] | None = None,
    made_at: datetime | None = None,
    frontier: Frontier | None = None,
    explanations: Sequence[Explanation] = (),
) -> str:
    """The report on a search as one HTML page, in the language in use. It is private: it shows values and small counts.

    Args:
        found: The outcome of :func:`biombo.search`.
        source: Where the rows came from, in words.
        title: The heading; by default it names the source.
        labels: What columns are called, where it is not by their own name.
        made_at: When the search was made; by default now.
        frontier: The outcome of :func:`biombo.frontier` for the same columns and policy.
        explanations: What stands in the way, for each set of quasi columns.
    """
    masthead = Masthead.of(source, title, made_at, kicker="report.search.kicker", question="report.search.question")
    if isinstance(found, LocalResult):
        return _local_report(LocalSubject.of(found, labels or {}), masthead, frontier)
    subject = Subject.of(found, labels or {})
    if frontier is not None:
        refuse_other(frontier, subject)
    return rendered(
        "search.html.j2",
        masthead=masthead,
        summary=plan_summary(subject),
        sections=list(_sections(subject, frontier, explanations)),
        limits=list(limits(subject)),
        method="search",
    )


def _local_report(subject: LocalSubject, masthead: Masthead, frontier: Frontier | None) -> str:
    return rendered(
        "search.html.j2",
        masthead=masthead,
        summary=local_summary(subject),
        sections=list(local_sections(frontier)),
        limits=list(local_limits(subject)),
        method="local",
    )


def search_parts(
    found: SearchResult | JointResult | LocalResult,
    *,
    place: int = 0,
    labels: Mapping[str, str] | None = None,
    frontier: Frontier | None = None,
    explanations: Sequence[Explanation] = (),
) -> tuple[ReportPart, ...]:
    """What one chooses a plan by, for a page of somebody else: the frontier, the lattice, what stands in the way; of
    local recoding what it keeps beside global plans, and what its levels tell. It is private, as the report is.

    Args:
        found: The outcome of :func:`biombo.search`.
        place: Which of the plans is marked in the charts, from 0: the one that somebody chose.
        labels: As for :func:`render_search_report`, as are the others.
        frontier: The same.
        explanations: The same.
    """
    if isinstance(found, LocalResult):
        return parts_of([*local_sections(frontier), *minimality_section(LocalSubject.of(found, labels or {}))])
    subject = Subject.of(found, labels or {}, place)
    sections = []
    if frontier is not None:
        refuse_other(frontier, subject)
        sections.append(trade_off_section(frontier, subject))
    obstacles = [obstacles_section(explanations, subject)] if explanations else []
    return parts_of([*sections, lattice_section(subject), *obstacles])


def _sections(subject: Subject, frontier: Frontier | None, explanations: Sequence[Explanation]) -> Iterator[Section]:
    if subject.found:
        yield plans_section(subject)
    if explanations:
        yield obstacles_section(explanations, subject)
    if frontier is not None:
        yield trade_off_section(frontier, subject)
        if losses := against_k_section(frontier, subject):
            yield losses
        if minimal := minimal_section(frontier, subject):
            yield minimal
    yield frequencies_section(subject)
    yield lattice_section(subject)
    yield trees_section(subject)


def limits(subject: Subject) -> Iterator[Markup]:
    """What the plan does not promise."""
    yield rich("report.search.limit.shared")
    yield rich("report.limit.columns")
    yield rich("plan.leaks.generalise")
    yield rich("plan.leaks.suppress-groups")
    if subject.found.dropped is not None:
        yield rich("plan.leaks.drop-invalid")
    if not subject.counts_people:
        yield rich("report.limit.person")
