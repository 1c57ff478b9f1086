"""How a requested release was negotiated, and for whom: for the agency alone."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from biombo._files import PRIVATE
from biombo._i18n import integer, text
from biombo._plan import short
from biombo._report.blocks import Block, Heading, Prose, Section, Table
from biombo._report.html import Masthead, rendered, write_page
from biombo._report.release.facts import OfferFact, RequestedFact
from biombo._report.wording import displayed, moment, percentage, rich

_LONGEST = 1_000
"""So much of a text is shown; the chain of events has all of it."""


def requested_section(requested: RequestedFact) -> Section:
    """Who asked for what, what was offered, waived and voted, and all that was said."""
    return Section("requested", _text("title"), tuple(_blocks(requested)))


def render_dialogue(requested: RequestedFact, name: str, *, made_at: datetime | None = None) -> str:
    """The section as a private page of its own, in the language in use.

    A committee votes once the report stands, so that only a page that is made afterwards has its votes.

    Args:
        requested: The negotiation.
        name: What the release is called.
        made_at: When; by default now.
    """
    kicker, question = "release_report.requested.kicker", "release_report.requested.question"
    masthead = Masthead.of(name, None, made_at, kicker=kicker, question=question)
    notice, section = rich("release_report.requested.private"), requested_section(requested)
    return rendered("dialogue.html.j2", masthead=masthead, notice=notice, section=section, sections=())


def write_dialogue(requested: RequestedFact, path: str | Path, name: str, *, made_at: datetime | None = None) -> Path:
    """Write :func:`render_dialogue`'s page for the user alone; as a PDF where it is called so. Gives the path."""
    return write_page(path, render_dialogue(requested, name, made_at=made_at), PRIVATE)


def _blocks(requested: RequestedFact) -> Iterator[Block]:
    yield Prose(_text("about"))
    yield _table("who", ["entry", "value"], list(_who(requested)))
    if requested.offers:
        yield _offers(requested.offers)
    asked = [[str(offer.number), what, who] for offer in requested.offers for what, who in offer.asked]
    if asked:
        yield _table("asked", ["offer", "what", "by"], asked)
    if requested.waived:
        rows = [[each.what, each.who, each.reason, "; ".join(each.values)] for each in requested.waived]
        yield _table("waived", ["what", "by", "reason", "values"], rows)
    if requested.votes:
        voted = [[each.who, _vote(approved=each.approved), each.reason] for each in requested.votes]
        yield _table("votes", ["by", "vote", "reason"], voted)
    said = [[str(each.process), moment(each.at), each.who, each.what] for each in requested.steps]
    yield _table("steps", ["process", "when", "by", "what"], said, _text("steps-note"))


def _who(requested: RequestedFact) -> Iterator[list[str]]:
    yield from ([name, value] for name, value in requested.requester)
    yield [_text("purpose"), requested.purpose]
    yield [_text("department"), requested.department]


def _offers(offers: Sequence[OfferFact]) -> Table:
    headings = [
        _head("offer", numeric=False),
        *map(_head, ("k", "l", "epsilon", "groups-below", "singled-out", "lost")),
        _head("posterior", numeric=False),
        _head("allowed", numeric=False),
    ]
    return Table.of(_text("offers"), headings, [list(_offer(each)) for each in offers], _text("offers-note"))


def _offer(offer: OfferFact) -> Iterator[str]:
    yield str(offer.number)
    yield from ("–" if level is None else integer(level) for level in (offer.k, offer.l))
    yield "–" if offer.epsilon is None else short(offer.epsilon, 9)
    yield from map(integer, (offer.groups_below, offer.singled_out, offer.lost))
    yield "; ".join(f"{displayed(name)}: {percentage(share)}" for name, share in offer.posterior.items()) or "–"
    yield _text({True: "allowed", False: "not-allowed", None: "undecided"}[offer.allowed])


def _vote(*, approved: bool) -> str:
    return _text("approved" if approved else "not-approved")


def _table(name: str, heads: Sequence[str], rows: Sequence[Sequence[str]], note: str = "") -> Table:
    """A table of words."""
    cells = [list(map(_shown, row)) for row in rows]
    return Table.of(_text(name), [_head(head, numeric=False) for head in heads], cells, note)


def _shown(written: str) -> str:
    """On one line, cut where it is long."""
    line = " ".join(written.split())
    return displayed(line, longest=_LONGEST) if line else "–"


def _head(key: str, *, numeric: bool = True) -> Heading:
    return Heading(_text(f"head.{key}"), numeric)


def _text(key: str) -> str:
    return text(f"release_report.requested.{key}")
