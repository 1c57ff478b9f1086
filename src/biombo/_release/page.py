"""The reports of a release as HTML pages: a public one, and a private one with everything."""

from collections.abc import Iterator, Sequence

from biombo._criteria import Criterion
from biombo._i18n import integer, text
from biombo._plan import Applied
from biombo._release.claims import Claim
from biombo._release.decision import Decision
from biombo._release.dictionary import Dictionary
from biombo._report.blocks import Block, Heading, Prose, Section, Table
from biombo._report.masthead import Masthead
from biombo._report.names import displayed
from biombo._report.rendering import rendered
from biombo._report.words import rich

_LONGEST = 160


def public_page(name: str, claims: Sequence[Claim], dictionary: Dictionary, decision: Decision | None) -> str:
    """What everybody may know of the release ``name``: nothing on fewer people than its k."""
    return _page(name, "public", [_what_holds(claims), _columns(dictionary), *_decided(decision), _checking()])


def private_page(
    name: str, applied: Applied, claims: Sequence[Claim], dictionary: Dictionary, decision: Decision | None
) -> str:
    """The same with the exact numbers and what the noise guarantees."""
    sections = [_records(applied), _what_holds(claims), _columns(dictionary), *_decided(decision), *_privacy(applied)]
    return _page(name, "private", sections)


def _page(name: str, kind: str, sections: Sequence[Section]) -> str:
    masthead = Masthead.of(
        name, None, None, kicker=f"release.page.{kind}-kicker", question=f"release.page.{kind}-title"
    )
    return rendered("base.html.j2", masthead=masthead, sections=sections)


def _records(applied: Applied) -> Section:
    counts = {
        "released": applied.rows,
        "masked": applied.masked,
        "masked-further": applied.masked_further,
        "suppressed": applied.suppressed,
        "unhidden": applied.unhidden,
        "not-drawn": applied.not_drawn,
        "duplicates": applied.duplicates,
    }
    rows = [[text(f"release.count.{name}"), integer(count)] for name, count in counts.items()]
    headings = [_words("records"), Heading(text("release.head.number"))]
    table = Table.of(text("release.page.records"), headings, rows)
    source = Prose(rich("release.page.source", source=displayed(applied.source, longest=_LONGEST)))
    return Section("records", text("release.page.records"), (source, table))


def _what_holds(claims: Sequence[Claim]) -> Section:
    released = next(claim.value for claim in claims if claim.name == "records-released")
    blocks: list[Block] = [Prose(rich("release.page.released", records=released))]
    rows = [list(_criterion(claim)) for claim in claims if claim.name == "criterion"]
    if rows:
        headings = [_words("criterion"), _words("achieved"), _words("kind")]
        note = text("release.page.kinds")
        blocks.append(Table.of(text("release.page.holds"), headings, rows, note))
    return Section("holds", text("release.page.holds"), tuple(blocks))


def _criterion(claim: Claim) -> Iterator[str]:
    criterion = Criterion.from_tree(claim.about["criterion"])
    yield displayed(f"{criterion} ({', '.join(claim.about['quasi'])})", longest=_LONGEST)
    yield "–" if claim.value is None else criterion.worded_value(claim.value)
    yield text(f"release.kind.{claim.kind}")


def _columns(dictionary: Dictionary) -> Section:
    rows = [
        [
            displayed(entry.column),
            displayed(entry.label, longest=_LONGEST),
            text(f"release.role.{entry.role}"),
            displayed(" ".join(entry.done), longest=2 * _LONGEST) if entry.done else "–",
        ]
        for entry in dictionary.entries
    ]
    headings = [_words("column"), _words("label"), _words("role"), _words("done")]
    return Section("columns", text("release.page.columns"), (Table.of(text("release.page.columns"), headings, rows),))


def _decided(decision: Decision | None) -> Iterator[Section]:
    if decision is not None:
        blocks = tuple(Prose(displayed(sentence, longest=10 * _LONGEST)) for sentence in decision.sentences())
        yield Section("decision", text("release.page.decision"), blocks)


def _privacy(applied: Applied) -> Iterator[Section]:
    if applied.privacy is not None:
        blocks = tuple(Prose(sentence) for sentence in applied.privacy.sentences())
        yield Section("privacy", text("release.page.privacy"), blocks)


def _checking() -> Section:
    return Section("checking", text("release.page.checking"), (Prose(rich("release.page.how")),))


def _words(key: str) -> Heading:
    return Heading(text(f"release.head.{key}"), numeric=False)
