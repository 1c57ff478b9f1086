"""Do draws follow a distribution? Bounds so wide that a right sampler fails once in a million runs."""

from collections import Counter
from collections.abc import Iterable, Mapping
from math import log, sqrt


def assert_follows(draws: Iterable[object], chances: Mapping[object, float]) -> None:
    """Every frequency lies as near to its chance as Bernstein's inequality allows, for all outcomes at once."""
    counts = Counter(draws)
    n = sum(counts.values())
    assert set(counts) <= {outcome for outcome, chance in chances.items() if chance > 0}
    unlikely = log(2e6 * len(chances))
    for outcome, chance in chances.items():
        allowed = sqrt(2 * n * chance * (1 - chance) * unlikely) + unlikely / 3
        assert abs(counts[outcome] - n * chance) <= allowed, (outcome, counts[outcome], n * chance)
