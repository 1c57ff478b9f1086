"""Limits of suppression as people read them."""

from decimal import Decimal

from biombo._criteria import shown
from biombo._i18n import text


def at_most(limit: float) -> str:
    """A share with as many decimals as it was given with.

    >>> at_most(0.02), at_most(0.005)
    ('at most 2%', 'at most 0.5%')
    """
    return text("search.at-most", share=_percent(limit))


def bound(limit: float) -> str:
    """The same in a few letters, for a chart or a heading.

    >>> bound(0.07)
    '≤ 7%'
    """
    return f"≤ {_percent(limit)}"


def _percent(limit: float) -> str:
    return f"{shown(float(Decimal(str(limit)) * 100))}%"
