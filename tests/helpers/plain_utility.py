"""What a release lost, by definitions, value by value, slow and obvious."""

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import product
from math import sqrt
from statistics import fmean


def share(values: Sequence[Hashable], value: Hashable) -> float:
    return sum(each == value for each in values) / len(values)


def total_variation(before: Sequence[Hashable], after: Sequence[Hashable]) -> float:
    return sum(abs(share(before, value) - share(after, value)) for value in {*before, *after}) / 2


def hellinger(before: Sequence[Hashable], after: Sequence[Hashable]) -> float:
    values = {*before, *after}
    return sqrt(sum((sqrt(share(before, value)) - sqrt(share(after, value))) ** 2 for value in values) / 2)


def earth_movers(before: Sequence[float], after: Sequence[float]) -> float:
    """Each table repeated until both are equally long; then the smallest moves to the smallest, and so on."""
    longer, shorter = sorted(before * len(after)), sorted(after * len(before))
    return fmean(abs(x - y) for x, y in zip(longer, shorter, strict=True))


def chi_squared(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Σ (observed − expected)² / expected over all combinations of values."""
    n, rows, columns = len(first), Counter(first), Counter(second)
    seen = Counter(zip(first, second, strict=True))
    return sum(
        (seen[r, c] - rows[r] * columns[c] / n) ** 2 / (rows[r] * columns[c] / n) for r, c in product(rows, columns)
    )


def cramers_v(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    n, r, k = len(first), len(set(first)), len(set(second))
    if n < 2:
        return 0.0
    phi2 = max(0.0, chi_squared(first, second) / n - (r - 1) * (k - 1) / (n - 1))
    smaller = min(r - (r - 1) ** 2 / (n - 1), k - (k - 1) ** 2 / (n - 1)) - 1
    return min(1.0, sqrt(phi2 / smaller)) if smaller > 1e-9 else 0.0


def correlation_ratio(groups: Sequence[Hashable], numbers: Sequence[float]) -> float:
    """In fractions: with floating point equal numbers may differ from their mean."""
    exact = [Fraction(x) for x in numbers]
    mean = Fraction(sum(exact), len(exact))
    total = sum((x - mean) ** 2 for x in exact)
    members = {group: [x for g, x in zip(groups, exact, strict=True) if g == group] for group in groups}
    between = sum(len(each) * (sum(each) / len(each) - mean) ** 2 for each in members.values())
    return sqrt(between / total) if total else 0.0
