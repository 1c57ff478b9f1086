"""What may be asked for, each with what it would mean for this table: measured, before anybody decides."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING

from biombo._data import Dataset
from biombo._errors import UsageError
from biombo._hierarchy import exact
from biombo._search import RankedPlan, frontier
from biombo._watch import begin

if TYPE_CHECKING:
    from biombo._release import ReleaseModel
    from biombo._requests import PublishRequest

USUAL = 10
"""The size of groups that is proposed where the risk allows it."""

DIVERSE = 2
"""How many different sensitive values are proposed for each group."""

_SIZES = (2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
_OFFERED = 3


@dataclass(frozen=True)
class Hidden:
    """The records that do not go out as the others do, because too few are like them."""

    masked: int = 0
    dropped: int = 0
    """Where masking would not have been enough."""

    @property
    def records(self) -> int:
        """All of them."""
        return self.masked + self.dropped


@dataclass(frozen=True, eq=False)
class GroupSize:
    """What groups of at least ``k`` would mean."""

    k: int
    records: int
    best: RankedPlan | None
    """The best plan; none where nothing within the limits does."""
    hidden: Hidden = Hidden()
    """What publishing it does to records."""

    @property
    def share(self) -> float:
        """The share of records that would be masked or dropped."""
        return self.hidden.records / max(1, self.records)

    @property
    def constant(self) -> tuple[str, ...]:
        """The columns that would say the same of everybody, or nearly."""
        return () if self.best is None else tuple(each.column for each in self.best.constant)


def hidden_by(plan: RankedPlan, request: "PublishRequest", data: Dataset) -> Hidden | None:
    """What publishing ``plan`` as ``request`` says would do to records: decided by the same rules, the masked among
    themselves included. None where it would be refused.
    """
    from biombo._plan import SuppressionError
    from biombo._release import fates_ahead

    try:
        fates = fates_ahead(plan, data, request.small_groups)
    except SuppressionError:
        return None
    return Hidden(fates["masked"], fates["suppressed"])


def least_group(model: "ReleaseModel | None") -> int:
    """The smallest groups by which the risk of such a release is acceptable; two where nobody decides on that.

    >>> from biombo import PublicRelease
    >>> least_group(PublicRelease(harm="medium")), least_group(PublicRelease(harm="high"))
    (10, 100)
    """
    return 2 if model is None else max(2, ceil(exact(model.attempt) / exact(model.threshold)))


def group_sizes(request: "PublishRequest", data: Dataset, least: int = 2) -> tuple[GroupSize, ...]:
    """Some sizes from ``least`` on, the usual one among them where it is not smaller, and the one that ``request`` asks
    for; each with its best plan under what it asks for besides.
    """
    usual = max(USUAL, least)
    above = [size for size in _SIZES if size > usual]
    below = [size for size in _SIZES if least <= size < usual]
    asked = [] if request.k is None else [request.k]
    return _measured(request, data, sorted({least, *below[-1:], usual, *above[: _OFFERED - 1], *asked}))


def diversity(request: "PublishRequest", data: Dataset) -> GroupSize:
    """What it would mean if each group also had as many different values of every sensitive column as ``request`` asks
    for, or two.
    """
    if request.k is None:
        raise UsageError("request.no-k")
    return _measured(replace(request, l=request.l or DIVERSE), data, [request.k])[0]


def _measured(request: "PublishRequest", data: Dataset, sizes: Sequence[int]) -> tuple[GroupSize, ...]:
    begin("searching")
    request = replace(request, k=None)
    possible = [k for k in sizes if k <= data.records]
    if not possible:
        return tuple(GroupSize(k, data.records, None) for k in sizes)
    limit = request.max_suppression
    found = frontier(
        data, request.criteria, ks=possible, limits=[limit], **request.question, seconds=request.time_limit
    )
    best = {k: found.at(k, limit).best for k in found.ks}
    return tuple(_size(k, best.get(k), request, data) for k in sizes)


def _size(k: int, best: RankedPlan | None, request: "PublishRequest", data: Dataset) -> GroupSize:
    hidden = None if best is None else hidden_by(best, request, data)
    return GroupSize(k, data.records, None) if hidden is None else GroupSize(k, data.records, best, hidden)
