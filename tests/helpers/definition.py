"""Attribute inference by its definition, slow and obvious."""

from collections import Counter, defaultdict
from collections.abc import Sequence

Row = tuple[object, ...]


def slow_posterior(rows: Sequence[Row], quasi: Sequence[int], sensitive: int) -> float:
    """Eq. 3 of Gonze et al. (2024) by its definition: the mean of success(x) over the records (Eq. 2)."""
    groups: defaultdict[Row, Counter[object]] = defaultdict(Counter)
    for row in rows:
        groups[tuple(row[column] for column in quasi)][row[sensitive]] += 1
    total = 0.0
    for row in rows:
        counts = groups[tuple(row[column] for column in quasi)]
        most_frequent = [value for value, count in counts.items() if count == max(counts.values())]
        total += 1 / len(most_frequent) if row[sensitive] in most_frequent else 0
    return total / len(rows)
