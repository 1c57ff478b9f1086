"""The steps of the guided way, and which of them a request has answered already."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from biombo._requests import PublishRequest

Step = Literal["file", "columns", "people", "recipients", "protection", "result", "publish"]
STEPS: tuple[Step, ...] = get_args(Step)

UNSAID = (None, (), "")
"""What stands in a request where nothing was answered."""


def answered(request: "PublishRequest", step: Step) -> bool:
    """Does the request say all that this step asks? The others look at what came of it, and are always asked.

    >>> from biombo import PublishRequest
    >>> [step for step in STEPS if answered(PublishRequest(files=["people.csv"], k=10, harm="high"), step)]
    ['file', 'protection']
    """
    return step in _ANSWERED and _ANSWERED[step](request)


def _for_whom(request: "PublishRequest") -> bool:
    """How well known recipients guard the data may stay unsaid, and counts as not at all."""
    from biombo._requests import NEEDED_CONDITIONS, register_address

    needed = ["harm", *(NEEDED_CONDITIONS if request.release_model == "controlled" else ())]
    if register_address(request.register) is not None:
        needed += ["department", "review", *(["recipient"] if request.release_model == "controlled" else ())]
    return request.release_model is not None and all(getattr(request, name) not in UNSAID for name in needed)


def _columns(request: "PublishRequest") -> bool:
    """A schema without anything that others may know leaves nothing to protect."""
    from biombo._data import Schema

    return request.schema is not None and bool(Schema.load(request.schema).quasi)


def _must_hold(request: "PublishRequest") -> bool:
    from biombo._data import Schema

    return request.k is not None and (request.l is not None or not Schema.load(request.schema).sensitive)


_ANSWERED: "dict[Step, Callable[[PublishRequest], bool]]" = {
    "file": lambda request: bool(request.files),
    "columns": _columns,
    "recipients": _for_whom,
    "protection": _must_hold,
}
