"""What would bring a risk down to its threshold."""

from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING, get_args

from biombo._hierarchy import exact
from biombo._i18n import text
from biombo._plan import short
from biombo._release.decision.models import ControlledRelease
from biombo._release.decision.scenarios import ControlLevel

if TYPE_CHECKING:
    from biombo._release.decision.decision import Decision

_LEVELS: tuple[ControlLevel, ...] = get_args(ControlLevel)


@dataclass(frozen=True)
class StrongerControls:
    """More controls around the same data."""

    level: ControlLevel
    """The lowest level that passes."""

    def __str__(self) -> str:
        return text("decision.change.controls", level=text(f"decision.level.{self.level}"))


@dataclass(frozen=True)
class LargerGroups:
    """More generalisation or suppression under the same controls."""

    k: int
    """The smallest k that passes."""

    def __str__(self) -> str:
        return text("decision.change.groups", k=self.k)


@dataclass(frozen=True)
class MoreNoise:
    """More noise, or more generalisation before it, under the same controls, where no k is claimed."""

    surest: float
    """The highest chance of the surest guess that passes."""

    def __str__(self) -> str:
        return text("decision.change.noise", surest=short(self.surest))


Change = StrongerControls | LargerGroups | MoreNoise


def changes_that_pass(decision: "Decision") -> tuple[Change, ...]:
    """Each single change by which the risk would not exceed the threshold, the cheapest first; none is needed below it.

    Stronger controls come first because they take nothing away from the data. They help where controls are counted and
    the other two scenarios pass by themselves.
    """
    if decision.passes:
        return ()
    highest = exact(decision.threshold) / exact(decision.attempt)
    by_data = MoreNoise(float(highest)) if decision.smallest_group is None else LargerGroups(ceil(1 / highest))
    return (*_by_controls(decision), by_data)


def cheapest_change(decision: "Decision") -> Change | None:
    """The cheapest single change by which the risk would not exceed the threshold; none where it does not.

    >>> from biombo import Decision, PublicRelease
    >>> print(cheapest_change(Decision(PublicRelease(harm="high"), smallest_group=10)))
    groups of at least 100 (k = 100)
    """
    return next(iter(changes_that_pass(decision)), None)


def _by_controls(decision: "Decision") -> tuple[StrongerControls, ...]:
    model = decision.model
    if not isinstance(model, ControlledRelease) or model.insider.own_probability is not None:
        return ()
    for level in _LEVELS[_LEVELS.index(model.insider.control_level) + 1 :]:
        stronger = replace(model, insider=replace(model.insider, control_level=level))
        if replace(decision, model=stronger).passes:
            return (StrongerControls(level),)
    return ()
