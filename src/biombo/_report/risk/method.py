"""The last section: what was assumed, how it was computed, and what it does not say."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from markupsafe import Markup

from biombo._attack import Membership, Risk
from biombo._criteria import SMALLEST
from biombo._data import Binning
from biombo._i18n import number, text
from biombo._report.blocks import Table, words
from biombo._report.members.summary import MembersMethod, members_method
from biombo._report.risk.records import is_enough, known
from biombo._report.wording import Names, rich

LIMITS = ("guarantee", "columns", "person", "sample", "small")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True)
class Method:
    """What the template does not know by itself."""

    guesses: bool
    """Was a sensitive column guessed?"""
    known: Markup
    members: MembersMethod | None
    """Where it was asked who is in a sample."""
    intervals: Table | None
    limits: tuple[Markup, ...]


def method(outcomes: Sequence[Risk], members: Membership | None, names: Names) -> Method:
    """How the outcomes came about."""
    return Method(
        guesses=outcomes[0].attribute_inference is not None,
        known=known(outcomes[0].reidentification.evidence.scope, names),
        members=members_method(members, names) if members else None,
        intervals=intervals_table([risk for risk in outcomes if is_enough(risk)], names),
        limits=tuple(rich(f"report.limit.{limit}", smallest=SMALLEST) for limit in LIMITS),
    )


def intervals_table(outcomes: Sequence[Risk], names: Names) -> Table | None:
    """A row for each continuous column; nothing where there is none."""
    columns = dict.fromkeys(b.column for risk in outcomes for b in risk.reidentification.evidence.binnings)
    if not columns:
        return None
    rows = [[names.columns[column], _intervals(column, outcomes)] for column in columns]
    return Table.of(text("report.intervals.title"), [words("column"), words("intervals")], rows)


def _intervals(column: str, outcomes: Sequence[Risk]) -> str:
    found = {b for risk in outcomes for b in risk.reidentification.evidence.binnings if b.column == column}
    if len(found) > 1:
        return text("report.intervals.by-part")
    binning = found.pop()
    intervals = binning.intervals
    if binning.kind == "each-value":
        return text("report.intervals.each-value")
    edges = _written(binning, outcomes[0])
    if binning.kind == "equal-width":
        return text("report.intervals.equal-width", intervals=intervals, low=edges[0], high=edges[-1])
    if outcomes[0].rows < SMALLEST * intervals:
        return text("report.intervals.small", intervals=intervals)
    return text("report.intervals.equal-frequency", intervals=intervals, edges="; ".join(edges[1:-1]))


def _written(binning: Binning, risk: Risk) -> list[str]:
    """The edges in words: of dates they are days since 1970, which only the labels of the intervals tell."""
    labels = risk.reidentification.evidence.columns[binning.column].values
    if any(_DATE.search(label or "") for label in labels):
        return [(date(1970, 1, 1) + timedelta(days=edge)).isoformat() for edge in binning.edges]
    return [_number(edge) for edge in binning.edges]


def _number(value: float) -> str:
    """As many digits as the number needs, six at most after the point."""
    shown = number(value, 6)
    return shown.rstrip("0").rstrip(".,")
