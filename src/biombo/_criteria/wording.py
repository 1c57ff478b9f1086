"""Numbers as people read them."""

from decimal import Decimal
from math import isinf

from biombo._i18n import number


def shown(value: float) -> str:
    """A number with as many decimals as it was given with, in the language in use.

    >>> shown(0.125), shown(5), shown(2.0)
    ('0.125', '5', '2')
    """
    exact = Decimal(repr(value)).normalize()
    exponent = exact.as_tuple().exponent
    return number(value, max(0, -exponent) if isinstance(exponent, int) else 0)


def rounded(value: float) -> str:
    """A number that was found, to four decimals at most.

    >>> rounded(2 / 3), rounded(3.0)
    ('0.6667', '3')
    """
    return "∞" if isinf(value) else shown(round(value, 4))
