"""For whoever works with the data: what the columns mean now, and what the noise guarantees."""

from collections.abc import Iterator

from markupsafe import Markup

from biombo._i18n import text
from biombo._report.blocks import Bullets, Heading, Section, Table
from biombo._report.names import displayed
from biombo._report.release.facts import ColumnFact, ReleaseFacts
from biombo._report.release.lists import listed
from biombo._report.release.version import Version
from biombo._report.words import rich

_LONGEST = 400


def columns_section(facts: ReleaseFacts) -> Section:
    """The columns, and how to read what is in them."""
    rows = [[displayed(each.name), displayed(each.label, longest=160), each.role, _now(each)] for each in facts.columns]
    headings = [Heading(text(f"release.head.{key}"), numeric=False) for key in ("column", "label", "role", "done")]
    title = text("release_report.columns.title")
    table = Table.of(text("release_report.columns.table"), headings, rows)
    return Section("columns", title, (table, Bullets("", tuple(_hints(facts)))))


def noise_section(facts: ReleaseFacts, version: Version) -> Section | None:
    """What the noise guarantees. How many records the person with most of them has is about one person: private."""
    privacy = facts.applied.privacy
    if privacy is None or (privacy.counted is not None and not version.private):
        return None
    sentences = tuple(displayed(sentence, longest=_LONGEST) for sentence in privacy.sentences())
    return Section("noise", text("release_report.residual.noise-title"), (Bullets("", sentences),))


def _now(column: ColumnFact) -> str:
    """What was done to the column, and what its values now look like."""
    done = displayed(column.done, longest=_LONGEST)
    if not column.examples:
        return done
    return f"{done} {text('release_report.columns.examples', values=listed(column.examples))}"


def _hints(facts: ReleaseFacts) -> Iterator[Markup | str]:
    for mark in dict.fromkeys(each.mark for each in facts.columns if each.mark is not None):
        yield rich("release_report.columns.mark", mark=displayed(mark))
    yield text("release_report.columns.missing")
    yield rich("release_report.columns.trace-id")
    if facts.applied.shuffled:
        yield text("release_report.columns.order")
