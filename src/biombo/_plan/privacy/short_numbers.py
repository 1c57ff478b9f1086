"""Numbers for sentences: as few digits as tell enough."""

from decimal import Decimal

from biombo._i18n import number

_WRITTEN_OUT = 1e6


def short(value: float, digits: int = 3) -> str:
    """``value`` to ``digits`` digits, in the language in use; the power of ten alone where it is very large.

    >>> short(8294.3), short(0.50), short(7.12e53)
    ('8,290', '0.5', '10^53')
    """
    rounded = Decimal(f"{value:.{digits}g}")
    if abs(rounded) >= _WRITTEN_OUT:
        return f"10^{rounded.adjusted()}"
    decimals = -int(rounded.normalize().as_tuple().exponent)
    return number(float(rounded), max(0, decimals))
