"""The ε that draws of a mechanism prove it to have, at least."""

from collections.abc import Sequence
from math import log

import numpy as np

from biombo._plan.privacy import highest_chance, lowest_chance, telling_event


def lower_bound(both: Sequence[np.ndarray]) -> float:
    """ε is at least this, at 99%, by whole numbers that were drawn of two tables which differ by one person: half of
    the draws choose an event, the others bound its chances.
    """
    low = min(each.min() for each in both)
    size = int(max(each.max() for each in both) - low + 1)
    counts = [[np.bincount(part - low, minlength=size) for part in np.split(each, 2)] for each in both]
    event, likelier = telling_event(counts[0][0], counts[1][0])
    draws = len(both[0]) // 2
    seen, other = (int(counts[side][1][event].sum()) for side in (likelier, 1 - likelier))
    lowest, highest = lowest_chance(seen, draws, 0.005), highest_chance(other, draws, 0.005)
    return log(lowest / highest) if lowest > highest else 0.0
