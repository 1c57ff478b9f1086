"""Probabilities as they were written."""

from fractions import Fraction


def exactly(probability: float) -> Fraction:
    """The decimal number that was written, not the binary one that is nearest to it.

    >>> exactly(0.1)
    Fraction(1, 10)
    """
    return Fraction(str(probability))
