"""Charts of a negotiation, drawn as in reports, once for as long as nothing changes."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from biombo._i18n import language, text
from biombo._report import GivenUp, drawn, trade_off


def frontier(offers: Sequence[Any], best: Sequence[Mapping[str, Any]]) -> Any:
    """What each offer gives up beside the best that can be had; none where no offer can be drawn."""
    placed = tuple(
        GivenUp(each.measured.records_below / each.measured.records, each.measured.loss_at_k, str(each.number))
        for each in offers
        if each.measured.loss_at_k is not None and each.measured.records
    )
    found = tuple(GivenUp(each["suppressed"], each["loss"]) for each in best)
    return _frontier(placed, found, language()) if placed else None


@lru_cache(maxsize=128)
def _frontier(offers: tuple[GivenUp, ...], best: tuple[GivenUp, ...], code: str) -> Any:
    del code  # another language is another picture
    last = offers[-1]
    chart = trade_off(
        offers, best, text("portal.frontier.records"), text("portal.frontier.detail"), text("portal.frontier.best")
    )
    described = text(
        "portal.frontier.description", number=last.name, records=last.records, detail=last.detail, offers=len(offers)
    )
    return drawn(chart, text("portal.frontier.title"), described)
