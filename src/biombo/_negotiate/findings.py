"""What the system finds or does by rule, and what the requester is shown of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from biombo._criteria import WHOLE_PERCENTS
from biombo._negotiate.facts import Fact


@dataclass(frozen=True)
class Prepared(Fact):
    """What the requester is told of the preparation (process 2)."""

    name: ClassVar[str] = "prepared"
    seen_by_requester: ClassVar[bool] = True

    columns: Mapping[str, Any]
    """For each label the name of its column; ``None`` where it is not available."""
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    k: int | None = None
    epsilon: float | None = None
    message: str = ""


@dataclass(frozen=True)
class OriginFound(Fact):
    """The original records behind the release from which the request starts (process 2)."""

    name: ClassVar[str] = "origin-found"

    release: str
    records: int
    of: int
    """Records of the source."""


@dataclass(frozen=True)
class LevelsSet(Fact):
    """The levels of protection, once the manager has set one anew."""

    name: ClassVar[str] = "levels-set"
    seen_by_requester: ClassVar[bool] = True

    k: int | None = None
    l: int | None = None  # noqa: E741
    epsilon: float | None = None
    message: str = ""


@dataclass(frozen=True)
class Offered(Fact):
    """A round: a plan with its levels, as it was measured (see ``offer.py``)."""

    name: ClassVar[str] = "offered"

    offer: Mapping[str, Any]


@dataclass(frozen=True)
class RecordsChecked(Fact):
    """Whether all groups reach TG, and what stands in the way (process 3)."""

    name: ClassVar[str] = "records-checked"

    holds: bool
    obstacles: tuple[Any, ...] = ()
    """For each quasi column alone, and for all together: groups below TG, the records in them, records singled out."""
    noised: bool = False
    """Do the groups that are left below TG get noise (hybrid, after a round)?"""


@dataclass(frozen=True)
class BlockingSent(Fact):
    """List 4 as the requester reads it: see ``safe.py``."""

    name: ClassVar[str] = "blocking-sent"
    seen_by_requester: ClassVar[bool] = True

    obstacles: tuple[Any, ...]
    precision: int = WHOLE_PERCENTS
    """How exactly its shares are told, so that they can be written so."""


@dataclass(frozen=True)
class RecordsProtected(Fact):
    """That record protection is reached, for the requester; ``how`` says by what."""

    name: ClassVar[str] = "records-protected"
    seen_by_requester: ClassVar[bool] = True

    how: str
    """``groups``: all groups reach TG. ``noise``: by noise, whatever groups people are in."""
    still_unique: Mapping[str, Any] = field(default_factory=dict)
    """With noise: how many records may still be unique, as the requester may know it."""
    precision: int = WHOLE_PERCENTS
    """How exactly its shares are told, so that they can be written so."""


@dataclass(frozen=True)
class ValuesChecked(Fact):
    """Whether every group has QMASG different values, words that mean the same counted once (process 8)."""

    name: ClassVar[str] = "values-checked"

    holds: bool
    literal_holds: bool
    """Would it hold if every synonym counted as a value?"""
    columns: Mapping[str, Any] = field(default_factory=dict)
    """By sensitive column: groups that fail, records in them, and each value there with its people."""
    noised: bool = False
    """Do the values of groups that still fail get noise (structure, and hybrid after a round)?"""
    silent: bool = False
    """Does the requester not learn what was found, because another check of values was told before?"""


@dataclass(frozen=True)
class ValuesSent(Fact):
    """List 9 as the requester reads it: values only, by column, none that fewer than TG people have."""

    name: ClassVar[str] = "values-sent"
    seen_by_requester: ClassVar[bool] = True

    values: Mapping[str, Any]


@dataclass(frozen=True)
class ValuesProtected(Fact):
    """That attribute protection is reached or waived, for the requester."""

    name: ClassVar[str] = "values-protected"
    seen_by_requester: ClassVar[bool] = True

    how: str
    """``values``: QMASG is met. ``waived``: the manager does without it. ``noise``: failing groups got noise.
    ``untold``: one of these."""


@dataclass(frozen=True)
class PlansFound(Fact):
    """What a search found under the requester's bounds: exact."""

    name: ClassVar[str] = "plans-found"

    plans: tuple[Any, ...]


@dataclass(frozen=True)
class PlansSent(Fact):
    """The same as the requester reads it: levels by column, and rounded shares."""

    name: ClassVar[str] = "plans-sent"
    seen_by_requester: ClassVar[bool] = True

    plans: tuple[Any, ...]


@dataclass(frozen=True)
class MetricsMeasured(Fact):
    """What the offer in force lost, exactly (process 12)."""

    name: ClassVar[str] = "metrics-measured"

    metrics: Mapping[str, Any]


@dataclass(frozen=True)
class MetricsSent(Fact):
    """The same as the requester reads it."""

    name: ClassVar[str] = "metrics-sent"
    seen_by_requester: ClassVar[bool] = True

    metrics: Mapping[str, Any]
    precision: int = WHOLE_PERCENTS
    """How exactly its shares are told, so that they can be written so."""


@dataclass(frozen=True)
class JointRiskMeasured(Fact):
    """What this release tells together with one that it starts from or amends, before anybody gets it."""

    name: ClassVar[str] = "joint-risk-measured"

    joint: Mapping[str, Any]


@dataclass(frozen=True)
class ReportWritten(Fact):
    """The release and its reports stand, in the private folder of the negotiation (process 14)."""

    name: ClassVar[str] = "report-written"

    release: str
    manifest_hash: str
    plan_hash: str
    decision: Mapping[str, Any] = field(default_factory=dict)
    asks_committee: bool = False
    beside: tuple[str, ...] = ()
    """The negotiations, by their folders, whose releases it was measured beside, since they amend each other."""
    epsilon_in_all: float | None = None
    """ε with that of these releases."""


@dataclass(frozen=True)
class VotesCounted(Fact):
    """What the committee decided, once all votes are in."""

    name: ClassVar[str] = "votes-counted"
    seen_by_requester: ClassVar[bool] = True

    approved: bool


@dataclass(frozen=True)
class Expired(Fact):
    """Nobody answered until the day that was set."""

    name: ClassVar[str] = "expired"
    seen_by_requester: ClassVar[bool] = True

    due: str


FINDINGS: tuple[type[Fact], ...] = (
    Prepared,
    OriginFound,
    LevelsSet,
    Offered,
    RecordsChecked,
    BlockingSent,
    RecordsProtected,
    ValuesChecked,
    ValuesSent,
    ValuesProtected,
    PlansFound,
    PlansSent,
    MetricsMeasured,
    MetricsSent,
    JointRiskMeasured,
    ReportWritten,
    VotesCounted,
    Expired,
)
"""All that the system says."""
