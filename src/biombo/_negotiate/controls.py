"""How the data are made available (process 15), and which technical controls that keeps (PDPC 2018, section 18).

Queries through a curator would be a way of their own: it is added here, and whatever asks for a way finds it.
"""

from collections.abc import Collection, Mapping
from typing import Literal, get_args

from biombo._release import TECHNICAL_CONTROLS

Way = Literal["download", "encrypted", "view-only", "on-site"]
"""A file by a link that expires; an encrypted archive, whose password goes another way; pages to look at; a place to
come to."""

WAYS: tuple[Way, ...] = get_args(Way)
HANDED_OVER: tuple[Way, ...] = ("download", "encrypted")
"""Ways by which the requester holds the data afterwards."""

_ALL_KEEP = ("revocable-access", "limited-recipients")
_KEPT: Mapping[Way, tuple[str, ...]] = {
    "download": _ALL_KEEP,
    "encrypted": _ALL_KEEP,
    "view-only": (*_ALL_KEEP, "view-only"),
    "on-site": (*_ALL_KEEP, "on-site"),
}
_NOT_BY_DELIVERY = ("subset", "physical")
"""What the plan and the people keep, whichever way the data go."""


def unkept(controls: Collection[str], way: Way) -> tuple[str, ...]:
    """The controls that a release model counts on and that this way does not keep.

    >>> unkept(("limited-recipients", "view-only"), "download")
    ('view-only',)
    """
    asked = [each for each in TECHNICAL_CONTROLS if each in controls and each not in _NOT_BY_DELIVERY]
    return tuple(each for each in asked if each not in _KEPT[way])
