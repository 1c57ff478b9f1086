"""Values in an order: neighbours are merged, then the merged ones."""

from collections import Counter
from collections.abc import Sequence

from biombo._errors import UsageError
from biombo._hierarchy.table import TableHierarchy

_BETWEEN = " … "


def by_order(values: Sequence[str], every: int) -> TableHierarchy:
    """Groups of ``every`` n neighbours at level 1, n·n at level 2, … until there is one."""
    if every < 2:
        raise UsageError("hierarchy.every", every=every)
    if isinstance(values, str) or len(values) < 2:
        raise UsageError("hierarchy.order-values")
    for value, times in Counter(values).items():
        if times > 1:
            raise UsageError("hierarchy.order-repeated", value=value)
        if _BETWEEN in value:
            raise UsageError("hierarchy.order-mark", value=value)
    sizes = [every]
    while sizes[-1] < len(values):
        sizes.append(sizes[-1] * every)
    return TableHierarchy(
        {value: tuple(_label(values, place, size) for size in sizes) for place, value in enumerate(values)}
    )


def _label(values: Sequence[str], place: int, size: int) -> str:
    first = place - place % size
    last = min(first + size, len(values)) - 1
    return values[first] if first == last else f"{values[first]}{_BETWEEN}{values[last]}"
