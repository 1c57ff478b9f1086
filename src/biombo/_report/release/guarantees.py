"""What is guaranteed, to whom, and on what condition: never more than was checked."""

from collections.abc import Iterator

from biombo._criteria import SensitiveCriterion
from biombo._i18n import text
from biombo._report.blocks import Table
from biombo._report.names import displayed
from biombo._report.release.facts import ReleaseFacts
from biombo._report.release.headings import words
from biombo._report.release.lists import sets_listed

_LONGEST = 300


def guarantees(facts: ReleaseFacts) -> Table:
    """A row for each promise; what is not promised comes last."""
    title = text("release_report.guarantee.title")
    headings = [words("whom"), words("promise"), words("condition")]
    return Table.of(title, headings, list(_rows(facts)))


def _rows(facts: ReleaseFacts) -> Iterator[list[str]]:
    if facts.smallest_group is not None:
        yield _row("people", "people-group", "knows-set" if facts.sets else "knows", facts)
    limits = [str(each) for each in facts.plan.criteria if isinstance(each, SensitiveCriterion)]
    if limits:
        promise = text("release_report.guarantee.people-limits", limits=displayed("; ".join(limits), longest=_LONGEST))
        yield [text("release_report.guarantee.people"), promise, text("release_report.guarantee.knows")]
    yield _row("recipients", "recipients-checked", "key", facts)
    yield _row("nobody", "nobody-more", "none", facts)


def _row(whom: str, promise: str, condition: str, facts: ReleaseFacts) -> list[str]:
    promised = text(f"release_report.guarantee.{promise}", group=facts.smallest_group or 0)
    on = text(f"release_report.guarantee.{condition}", sets=sets_listed(facts.sets))
    return [text(f"release_report.guarantee.{whom}"), promised, on]
