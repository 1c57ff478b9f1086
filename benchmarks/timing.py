"""How long things take, on machines that are never quiet."""

import statistics
import time
from collections.abc import Callable


def median_seconds(run: Callable[[], object], repeat: int) -> float:
    """The median time of ``repeat`` runs."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times)
