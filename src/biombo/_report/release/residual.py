"""What risk is left, on what assumptions, and when to look again."""

from collections.abc import Iterator
from datetime import date

from biombo._i18n import text
from biombo._report.blocks import Block, Bullets, Section, Table
from biombo._report.names import displayed
from biombo._report.release.facts import ReleaseFacts
from biombo._report.release.guarantees import guarantees
from biombo._report.release.headings import words
from biombo._report.release.lists import listed
from biombo._report.release.version import Version

_LONGEST = 1_000


def residual_section(facts: ReleaseFacts, version: Version) -> Section:
    """The decision, the assumptions, the review, and in private what was done in each step."""
    return Section("residual", text("release_report.residual.title"), tuple(_blocks(facts, version)))


def review(facts: ReleaseFacts) -> str:
    """When to look at the risk again."""
    if facts.review is None:
        return text("release_report.opening.no-review")
    return text("release_report.opening.review", day=_day(facts.review))


def decided(facts: ReleaseFacts) -> tuple[str, ...]:
    """What was decided, for everybody."""
    if facts.decision is None:
        return (text("release_report.opening.not-decided"),)
    return tuple(displayed(sentence, longest=_LONGEST) for sentence in facts.decision.outcome)


def protected(facts: ReleaseFacts) -> tuple[str, ...]:
    """That people are protected by noise alone, or not at all, where it is so."""
    if facts.goes_out.protection == "criteria":
        return ()
    reason = displayed(facts.goes_out.unprotected, longest=_LONGEST) if facts.goes_out.unprotected else ""
    return (text(f"release_report.opening.{facts.goes_out.protection}", reason=reason),)


def accepted(facts: ReleaseFacts) -> tuple[str, ...]:
    """Columns that go out as they are by somebody's word, with the reason."""
    return tuple(
        text("release_report.opening.accepted", column=displayed(column), reason=displayed(reason, longest=_LONGEST))
        for column, reason in facts.goes_out.accepted.items()
    )


def _day(when: date) -> str:
    month = text(f"report.month.m{when.month}")
    return text("release_report.opening.day", day=when.day, month=month, year=when.year)


def _blocks(facts: ReleaseFacts, version: Version) -> Iterator[Block]:
    outcome = (*protected(facts), *decided(facts), *_grounds(facts, version), *accepted(facts), review(facts))
    yield Bullets(text("release_report.opening.decision"), outcome)
    yield guarantees(facts)
    yield Bullets(text("release_report.residual.assumptions-title"), tuple(_assumptions(facts)))
    if version.private:
        if facts.goes_out.findings:
            yield Bullets(text("release_report.residual.findings-title"), facts.goes_out.findings)
        yield from _operations(facts)
        yield from _steps(facts)


def _grounds(facts: ReleaseFacts, version: Version) -> Iterator[str]:
    if facts.decision is not None and version.private:
        yield from (displayed(sentence, longest=_LONGEST) for sentence in facts.decision.grounds)


def _assumptions(facts: ReleaseFacts) -> Iterator[str]:
    yield text("release_report.residual.assumption-known", columns=listed(facts.quasi))
    yield text(f"release_report.residual.assumption-{'person' if facts.person is None else 'persons'}")
    yield text("release_report.residual.assumption-combine")
    yield text("release_report.residual.assumption-source")
    if facts.applied.shuffled:
        yield text("release_report.residual.assumption-random")


def _operations(facts: ReleaseFacts) -> Iterator[Table]:
    if facts.operations:
        alike: dict[tuple[str, str], list[str]] = {}
        for each in facts.operations:
            alike.setdefault((each.done, each.leaks), []).extend(each.columns or facts.quasi)
        rows = [[listed(columns), done, leaks] for (done, leaks), columns in alike.items()]
        headings = [words("on"), words("operation"), words("leaks")]
        yield Table.of(text("release_report.residual.leaks-title"), headings, rows)


def _steps(facts: ReleaseFacts) -> Iterator[Table]:
    if facts.decision is not None:
        rows = [[each.title, each.status, displayed(each.sentence, longest=_LONGEST)] for each in facts.decision.steps]
        headings = [words("step"), words("status"), words("did")]
        title = text("release_report.residual.steps-title")
        yield Table.of(title, headings, rows, text("release_report.residual.steps"))
