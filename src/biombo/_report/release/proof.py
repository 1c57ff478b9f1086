"""What holds, who can check it and how, and what became of the records."""

from biombo._i18n import integer, text
from biombo._report.blocks import Block, Heading, Prose, Section, Table
from biombo._report.names import displayed
from biombo._report.release.facts import ReleaseFacts
from biombo._report.release.lists import listed
from biombo._report.release.version import Version
from biombo._report.words import rich

_LONGEST = 300
_COUNTS = {
    "released": "rows",
    "masked": "masked",
    "masked-further": "masked_further",
    "suppressed": "suppressed",
    "unhidden": "unhidden",
    "not-drawn": "not_drawn",
    "duplicates": "duplicates",
    "invalid": "invalid",
}
"""Texts of the catalogue, and the numbers that they go with."""


def proof_section(facts: ReleaseFacts, version: Version) -> Section:
    """The criteria, in private the exact numbers of records, and the command that checks."""
    blocks: list[Block] = []
    if facts.criteria:
        blocks.append(_criteria(facts))
    if version.private:
        blocks += [Prose(rich("release_report.proof.source", source=_source(facts))), _records(facts)]
    blocks.append(Prose(rich("release_report.proof.how")))
    return Section("proof", text("release_report.proof.title"), tuple(blocks))


def _source(facts: ReleaseFacts) -> str:
    return displayed(facts.applied.source, longest=_LONGEST)


def _criteria(facts: ReleaseFacts) -> Table:
    headings = [_head(key, numeric=False) for key in ("criterion", "achieved", "kind")]
    rows = [
        [f"{displayed(each.criterion, longest=_LONGEST)} ({listed(each.quasi)})", each.achieved, each.checked_by]
        for each in facts.criteria
    ]
    return Table.of(text("release_report.proof.holds"), headings, rows, text("release_report.proof.kinds"))


def _records(facts: ReleaseFacts) -> Table:
    rows = [[text(f"release.count.{key}"), integer(getattr(facts.applied, number))] for key, number in _COUNTS.items()]
    return Table.of(text("release_report.proof.records"), [_head("records", numeric=False), _head("number")], rows)


def _head(key: str, *, numeric: bool = True) -> Heading:
    return Heading(text(f"release.head.{key}"), numeric)
