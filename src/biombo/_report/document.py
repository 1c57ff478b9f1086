"""A plain document in the look of the reports: numbered clauses under titles, and places to sign."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup, escape

from biombo._files import PRIVATE
from biombo._report.html import Masthead, rendered, write_page
from biombo._report.wording import displayed


@dataclass(frozen=True)
class Clause:
    """A part of a document with its own title."""

    title: str
    paragraphs: tuple[str, ...] = ()
    entries: tuple[tuple[str, str], ...] = ()
    """Values by what they are called."""
    items: tuple[str, ...] = ()
    """Sentences that are referred to by their numbers."""


@dataclass(frozen=True)
class PlainDocument:
    """What a document says. Every text in it is one line, whatever somebody wrote."""

    kicker: str
    """Whose document it is."""
    title: str
    notice: str
    """Who may read it."""
    clauses: tuple[Clause, ...]
    signatures: tuple[tuple[str, str], ...] = ()
    """What is to be signed or filled in by hand, and by whom where that is known."""

    @property
    def shown(self) -> "PlainDocument":
        """The same with every text as it is read: on one line, without invisible characters."""
        return PlainDocument(
            kicker=_line(self.kicker),
            title=_line(self.title),
            notice=_line(self.notice),
            clauses=tuple(map(_shown, self.clauses)),
            signatures=_pairs(self.signatures),
        )

    def text(self) -> str:
        """The document as plain text. Who writes into an entry cannot make it look like another part."""
        return "\n".join(_lines(self.shown)) + "\n"


def render_document(document: PlainDocument, *, mark: str, footer: str) -> str:
    """The document as one HTML page, in the language in use.

    Args:
        document: What it says.
        mark: The line below the title, such as a hash by which others refer to it.
        footer: What stands below.
    """
    shown = document.shown
    masthead = Masthead(shown.kicker, shown.title, "", mark, Markup(escape(footer)))
    return rendered("document.html.j2", masthead=masthead, document=shown, sections=())


def write_document(path: str | Path, page: str) -> Path:
    """Write the page of a document for the user alone, whole or not at all, as a PDF where it is called so."""
    return write_page(path, page, PRIVATE)


def _lines(document: PlainDocument) -> Iterator[str]:
    yield from (document.kicker, document.title, "", document.notice)
    for number, clause in enumerate(document.clauses, start=1):
        yield from ("", f"{number}. {clause.title}")
        yield from clause.paragraphs
        yield from _entries(clause.entries)
        yield from (f"{number}.{place} {item}" for place, item in enumerate(clause.items, start=1))
    yield ""
    yield from _entries(document.signatures)


def _entries(entries: tuple[tuple[str, str], ...]) -> Iterator[str]:
    """A name and its value stand on lines of their own, so that neither can pass for a part of the other."""
    for name, value in entries:
        yield from (name, f"    {value}")


def _shown(clause: Clause) -> Clause:
    return Clause(
        title=_line(clause.title),
        paragraphs=tuple(map(_line, clause.paragraphs)),
        entries=_pairs(clause.entries),
        items=tuple(map(_line, clause.items)),
    )


def _pairs(pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple((_line(name), _line(value) if value else "") for name, value in pairs)


def _line(written: str) -> str:
    line = " ".join(written.split())
    return displayed(line, longest=max(1, len(line)))
