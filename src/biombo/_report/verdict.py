"""What the terminal says of a result in the end: the headline of its report as plain lines, at most five."""

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from biombo._attack import Findings, Membership, MembershipByPart, Part, PopulationRisk, Risk, RiskByPart
from biombo._files import without_folders
from biombo._i18n import text
from biombo._report.risk.headline import PartsHeadline, most_exposed, risk_headline
from biombo._report.risk.records import found_members, large_parts
from biombo._report.risk.summary import steps_of_parts, what_matters
from biombo._report.search.local import LocalSubject, local_lines
from biombo._report.search.subject import Subject
from biombo._report.search.summary import examples, guarantees, lead, measured
from biombo._report.wording import Names, certainty, displayed, rich
from biombo._search import Explanation, JointResult, LocalResult, SearchResult, proof

LINES = 5
"""More are for the report. Those that matter most come first: a narrow terminal may not have room for all."""


def plain_lines(sentences: Iterator[Markup | str]) -> list[str]:
    """Sentences of a page without its marks, a line for each, those that matter most.

    >>> plain_lines(iter([Markup("<strong>93 of 100</strong> records &amp; more.")]))
    ['93 of 100 records & more.']
    """
    lines = (each.striptags() if isinstance(each, Markup) else each for each in sentences)
    return [line for line in lines if line][:LINES]


def risk_verdict(
    risk: Risk | RiskByPart,
    *,
    source: str,
    labels: Mapping[str, str] | None = None,
    membership: Membership | MembershipByPart | None = None,
    estimate: PopulationRisk | None = None,
) -> list[str]:
    """How exposed people are, in at most five lines: the fewest facts that make it bad, and where to start.

    Args:
        risk: The outcome of :func:`biombo.risk` or :func:`biombo.risk_by_part`.
        source: What the table is called; folders are left out.
        labels: What columns are called, where it is not by their own name.
        membership: The outcome of :func:`biombo.membership` or :func:`biombo.membership_by_part`, where the table is a
            sample of a population: that was asked for, so it comes first.
        estimate: What a sample suggests about a population that nobody has.

    >>> import biombo as bb
    >>> data = bb.read(bb.samples.clinic())
    >>> for line in risk_verdict(bb.risk(data, ["age", "city"], "disease"), source="clinic.csv")[:2]:
    ...     print(line)
    clinic.csv: 12 records used (100.0% of the rows).
    No combination of the 2 columns singles anybody out.
    """
    members = _by_part(membership)
    names = Names.of(risk, labels or {}, [name for each in members.values() for name in each.quasi])
    return plain_lines(
        _on_parts(risk, source, names, members)
        if isinstance(risk, RiskByPart)
        else _on_table(risk, source, names, members, estimate)
    )


def _by_part(membership: Membership | MembershipByPart | None) -> dict[Part, Membership]:
    """By part, or for the whole: the subsets by which enough people are found; parts without any are left out."""
    if membership is None:
        return {}
    parts = membership.parts if isinstance(membership, MembershipByPart) else {(): membership}
    return {part: found for part, each in parts.items() if (found := found_members(each))}


def _members(members: Mapping[Part, Membership]) -> Iterator[Markup]:
    """How sure an adversary can be of who is in the sample, in the part where that is most."""
    if not members:
        return
    found = {part: Findings.of_membership(each) for part, each in members.items()}
    part = max(found, key=lambda each: found[each].posterior)
    yield rich(
        "risk.membership.verdict-part" if part else "risk.membership.verdict",
        part=displayed(", ".join(value or "–" for value in part)),
        posterior=certainty(found[part].posterior),
        prior=certainty(found[part].prior),
    )


def _on_table(
    risk: Risk,
    source: str,
    names: Names,
    members: Mapping[Part, Membership],
    estimate: PopulationRisk | None,
) -> Iterator[Markup | str]:
    kept = risk.rows / (risk.rows + risk.dropped.rows)
    yield text("risk.records", label=displayed(without_folders(source)), rows=risk.rows, kept=kept)
    yield from _members(members)
    yield from risk_headline(risk, names).sentences
    if estimate and estimate.estimate.dankar.share is not None:
        yield text("risk.estimate.verdict", share=estimate.estimate.dankar.share)
    yield what_matters(_strongest(risk), names)


def _strongest(risk: Risk) -> Findings:
    """The attack that the headline is about."""
    attack = risk.attribute_inference
    if attack is None:
        return Findings.of_reidentification(risk.reidentification)
    findings = {target: Findings.of_inference(attack, target) for target in attack.sensitive}
    return findings[most_exposed(attack, findings)]


def _on_parts(
    risk: RiskByPart, source: str, names: Names, members: Mapping[Part, Membership]
) -> Iterator[Markup | str]:
    by = displayed(", ".join(risk.by))
    yield text("risk.parts.intro", label=displayed(without_folders(source)), parts=len(risk.parts), by=by)
    yield from _members(members)
    large = large_parts(risk)
    if large.parts:
        headline = PartsHeadline.of(large)
        yield from headline.sentences(names)
        yield next(steps_of_parts(headline, names))


def search_verdict(
    found: SearchResult | JointResult | LocalResult,
    *,
    source: str,
    labels: Mapping[str, str] | None = None,
    explanations: tuple[Explanation, ...] = (),
) -> list[str]:
    """What to do to the table, in at most five lines: the best plan, what then holds and what is proved; where there
    is none, what would help.

    Args:
        found: The outcome of :func:`biombo.search`.
        source: What the table is called; folders are left out.
        labels: What columns are called, where it is not by their own name.
        explanations: What stands in the way, where no plan was found.
    """
    if isinstance(found, LocalResult):
        return plain_lines(local_lines(LocalSubject.of(found, labels or {}), without_folders(source)))
    subject = Subject.of(found, labels or {})
    return plain_lines(_on_search(subject, without_folders(source), explanations))


def _on_search(subject: Subject, source: str, explanations: tuple[Explanation, ...]) -> Iterator[Markup | str]:
    plan = subject.chosen
    if plan is None:
        yield text("search.asked", source=displayed(source), rows=subject.records)
        for explanation in explanations:
            yield from advice_lines(explanation, subject.records)
    else:
        yield Markup(" ").join(lead(plan, subject))
        if not subject.found.optimal:  # a narrow terminal must not leave it out
            yield proof(subject.found)
        yield examples(plan, subject)
        yield " ".join(each.striptags() for each in guarantees(subject))
    if plan is None or subject.found.optimal:
        yield proof(subject.found)
    if plan is not None:
        yield measured(plan, subject)


def advice_lines(explanation: Explanation, rows: int) -> Iterator[str]:
    """What would help where something stands in the way."""
    if step := explanation.cheapest:
        told = {"level": displayed(step.level_label), "helped": step.helped, "loss": step.loss}
        yield text("search.explain.step", column=displayed(step.column), **told)
    must = explanation.must_change
    if must is not None and len(must.columns) > 1:
        key = "must-change" if must.proved else "can-change"
        yield text(f"search.explain.{key}", columns=", ".join(map(displayed, must.columns)))
    if least := explanation.least_suppressed:
        yield text("search.explain.least", suppressed=least, share=least / rows)
