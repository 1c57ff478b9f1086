"""Names of columns in cells and sentences, of which there may be many."""

from collections.abc import Sequence

from biombo._i18n import text
from biombo._report.names import displayed

MOST = 40
"""So many names are listed; of more, only the number is told."""


def sets_listed(sets: Sequence[Sequence[str]]) -> str:
    """Sets of names for a sentence.

    >>> sets_listed([["age", "sex"], ["town"]])
    'age, sex; town'
    """
    return "; ".join(map(listed, sets))


def listed(names: Sequence[str]) -> str:
    """Names for a cell, each cut where it is long; a dash where there are none.

    >>> listed(["age", "sex"]), listed([])
    ('age, sex', '–')
    """
    shown = ", ".join(map(displayed, names[:MOST])) or "–"
    more = len(names) - MOST
    return text("release_report.names.and-more", names=shown, more=more) if more > 0 else shown
