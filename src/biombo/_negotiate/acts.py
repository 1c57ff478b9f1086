"""What people do in a negotiation, by process (Moraes et al. 2025, section 4.2). *Ours* goes beyond the document."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cached_property
from typing import Any, ClassVar, Final

from biombo._criteria import Sensitivity
from biombo._data import Schema
from biombo._documents import checked_text, limited
from biombo._errors import UsageError
from biombo._hierarchy import Hierarchy
from biombo._negotiate.controls import Way
from biombo._negotiate.facts import NEEDED, Act
from biombo._negotiate.request import DataRequest
from biombo._plan import Generalise, Operation

FEWEST = 2
"""The smallest TG and the smallest QMASG (processes 2 and 7)."""

WEIGHTS = (0.25, 0.5, 1, 2, 4)
"""How much a column may count for a requester. With weights of its own choice it could hold the loss of one column
against that of another ever more exactly, and count the records behind it."""

_LEVEL = limited(FEWEST)
_EPSILON = limited(0, 100, above=True)
_SHARE = limited(0, 1)


NEVER_STOPS: Final = "suppress"
"""What becomes of values that a hierarchy has no place for, where nothing is said."""


def _without_stops(operations: Any) -> Any:
    """Manipulations that never stop at a value: whether a hierarchy has a place for all that occur would tell which do.
    What it has no place for becomes what is at its top.
    """
    if not isinstance(operations, list | tuple):
        return operations
    return tuple(
        replace(each, missing=NEVER_STOPS) if isinstance(each, Generalise) and each.missing == "stop" else each
        for each in operations
    )


def _request_tree(value: DataRequest | Mapping[str, Any]) -> dict[str, Any]:
    return value.to_tree() if isinstance(value, DataRequest) else dict(value)


def _check_public(reason: str) -> None:
    """Raise where a reason is longer than public files have it."""
    checked_text("public_reason", reason, needed=False)


# Process 1


@dataclass(frozen=True)
class Ask(Act):
    """The requester asks for data (process 1)."""

    name: ClassVar[str] = "ask"
    seen_by_requester: ClassVar[bool] = True

    request: Mapping[str, Any]
    settings: str = ""
    """The seal of what the negotiation was begun with: see ``settings.py``."""
    received: str = ""
    """When the request came in, where it waited until its table was found: days count from there."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "request", _request_tree(self.request))
        super().__post_init__()
        _ = self.asked, self.received_at

    @property
    def asked(self) -> DataRequest:
        """The request itself."""
        return DataRequest.from_tree(self.request)

    @property
    def received_at(self) -> datetime | None:
        """When the request came in, where that was before the negotiation began."""
        if not self.received:
            return None
        try:
            moment = datetime.fromisoformat(self.received)
        except ValueError:
            raise UsageError("negotiation.received", value=self.received) from None
        if moment.tzinfo is None:
            raise UsageError("negotiation.received", value=self.received)
        return moment


@dataclass(frozen=True)
class AskForMore(Act):
    """The manager asks for what is missing in the request. *Ours.*"""

    name: ClassVar[str] = "ask-for-more"
    seen_by_requester: ClassVar[bool] = True

    text: str = field(metadata=NEEDED)


@dataclass(frozen=True)
class Supplement(Act):
    """The requester adds it. *Ours.*"""

    name: ClassVar[str] = "supplement"
    seen_by_requester: ClassVar[bool] = True

    text: str = field(metadata=NEEDED)
    attachments: Mapping[str, str] = field(default_factory=dict)
    """By name, the SHA-256 of each."""


@dataclass(frozen=True)
class Extend(Act):
    """The manager takes ten days more (LAI, article 11), with a reason. *Ours.*"""

    name: ClassVar[str] = "extend"
    seen_by_requester: ClassVar[bool] = True

    reason: str = field(metadata=NEEDED)


@dataclass(frozen=True)
class Reject(Act):
    """The manager refuses the request, with a reason; the requester may appeal. *Ours.*"""

    name: ClassVar[str] = "reject"
    seen_by_requester: ClassVar[bool] = True

    reason: str = field(metadata=NEEDED)


@dataclass(frozen=True)
class Appeal(Act):
    """The requester appeals against a refusal. *Ours.*"""

    name: ClassVar[str] = "appeal"
    seen_by_requester: ClassVar[bool] = True

    reason: str = field(metadata=NEEDED)


@dataclass(frozen=True)
class DecideAppeal(Act):
    """Another manager than the one who refused decides on the appeal. *Ours.*"""

    name: ClassVar[str] = "decide-appeal"
    seen_by_requester: ClassVar[bool] = True

    granted: bool
    reason: str = field(metadata=NEEDED)


@dataclass(frozen=True)
class Withdraw(Act):
    """The requester gives up. *Ours.*"""

    name: ClassVar[str] = "withdraw"
    seen_by_requester: ClassVar[bool] = True

    reason: str = ""


@dataclass(frozen=True)
class Message(Act):
    """Somebody writes to the other side, at any time. *Ours.*"""

    name: ClassVar[str] = "message"
    seen_by_requester: ClassVar[bool] = True

    text: str = field(metadata=NEEDED)


@dataclass(frozen=True)
class Note(Act):
    """Something among managers, committee and auditor that the requester does not see. *Ours.*"""

    name: ClassVar[str] = "note"

    text: str = field(metadata=NEEDED)


@dataclass(frozen=True)
class AcceptTerms(Act):
    """The requester accepts the term of responsibility and the licence, named by their hash. *Ours.*"""

    name: ClassVar[str] = "accept-terms"
    seen_by_requester: ClassVar[bool] = True

    terms: str = field(metadata=NEEDED)
    """The SHA-256 of the text."""


# Process 2


@dataclass(frozen=True)
class Prepare(Act):
    """The manager selects records and columns, says what each is, and sets TG, ε and the release model (process 2)."""

    name: ClassVar[str] = "prepare"

    columns: Mapping[str, Any]
    """For each label of the request: the column that has it; ``None`` where it is not available."""
    schema: Mapping[str, Any]
    """What these columns are: roles, types, hierarchies, declared bounds and domains."""
    model: Mapping[str, Any]
    """How the data are released to the requester, by the names of ``biombo publish``: harm, motivation, controls …"""
    k: int | None = field(default=None, metadata=_LEVEL)
    """TG, in the dimensions ``truth`` and ``hybrid``."""
    epsilon: float | None = field(default=None, metadata=_EPSILON)
    """ε of a record over all its noised columns, in the dimensions ``structure`` and ``hybrid``."""
    where: Mapping[str, Any] = field(default_factory=dict)
    """Which records, as the operation ``select-records`` has it; all where it is empty."""
    dates: Mapping[str, Any] = field(default_factory=dict)
    """For dates that are to get noise: the first and the last day that can occur."""
    message: str = ""

    def __post_init__(self) -> None:
        schema = self.schema.with_files_read.to_tree() if isinstance(self.schema, Schema) else self.schema
        object.__setattr__(self, "schema", schema)
        super().__post_init__()
        self.described.refuse_files()

    @cached_property
    def described(self) -> Schema:
        """The schema itself, with columns that nobody asked for and that hierarchies of others are read off."""
        return Schema.from_tree(self.schema)

    @cached_property
    def declared(self) -> Schema:
        """The schema of what was asked for."""
        schema, mapped = self.described, {*self.columns.values()}
        hierarchies = [schema[name].hierarchy for name in schema.columns if name in mapped]
        read = {name for each in hierarchies if each is not None for name in Hierarchy.told(each).reads}
        only_read = {name for name in read - mapped if not schema[name].kept_back}
        return replace(schema, columns={name: each for name, each in schema.columns.items() if name not in only_read})


# Processes 5 and 6, and levels at any time


@dataclass(frozen=True)
class Accept(Act):
    """The requester names the manipulations of quasi columns that it accepts (process 5)."""

    name: ClassVar[str] = "accept"
    seen_by_requester: ClassVar[bool] = True

    manipulations: tuple[Operation, ...]
    max_suppression: float = field(default=0.0, metadata=_SHARE)
    """The share of the records that may be suppressed, at most; none where nothing is said."""
    message: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "manipulations", _without_stops(self.manipulations))
        super().__post_init__()


@dataclass(frozen=True)
class Propose(Act):
    """The requester proposes another level: TG, QMASG or ε. Only the manager can set them."""

    name: ClassVar[str] = "propose"
    seen_by_requester: ClassVar[bool] = True

    k: int | None = field(default=None, metadata=_LEVEL)
    l: int | None = field(default=None, metadata=_LEVEL)  # noqa: E741
    epsilon: float | None = field(default=None, metadata=_EPSILON)
    message: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.k is None and self.l is None and self.epsilon is None:
            raise UsageError("negotiation.no-level")


@dataclass(frozen=True)
class AskForPlans(Act):
    """The requester asks which manipulations would do, changing some columns least (one measurement). *Ours.*"""

    name: ClassVar[str] = "ask-for-plans"
    seen_by_requester: ClassVar[bool] = True

    weights: Mapping[str, Any] = field(default_factory=dict)
    """By column: how much it counts that it is kept, one of ``WEIGHTS``."""
    bounds: Mapping[str, Any] = field(default_factory=dict)
    """By column: the only level, or the lowest and the highest, that a plan may have."""
    max_suppression: float = field(default=0.0, metadata=_SHARE)


@dataclass(frozen=True)
class CarryOut(Act):
    """The manager applies what was accepted, at once with another level where one is named (processes 6 and 11)."""

    name: ClassVar[str] = "carry-out"

    k: int | None = field(default=None, metadata=_LEVEL)
    l: int | None = field(default=None, metadata=_LEVEL)  # noqa: E741
    epsilon: float | None = field(default=None, metadata=_EPSILON)
    message: str = ""


@dataclass(frozen=True)
class Suggest(Act):
    """The manager suggests manipulations, and may offer a level with them (process 6)."""

    name: ClassVar[str] = "suggest"
    seen_by_requester: ClassVar[bool] = True

    manipulations: tuple[Operation, ...] = ()
    k: int | None = field(default=None, metadata=_LEVEL)
    """The TG that the manager would set then."""
    message: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "manipulations", _without_stops(self.manipulations))
        super().__post_init__()
        if not self.manipulations and not self.message:
            raise UsageError("negotiation.empty-suggestion")


@dataclass(frozen=True)
class SetCondition(Act):
    """The manager offers a TG on the condition that what is left in smaller groups is suppressed (process 6)."""

    name: ClassVar[str] = "set-condition"
    seen_by_requester: ClassVar[bool] = True

    k: int = field(metadata=_LEVEL)
    max_suppression: float = field(metadata=_SHARE)
    message: str = ""


@dataclass(frozen=True)
class Answer(Act):
    """The requester answers a condition."""

    name: ClassVar[str] = "answer"
    seen_by_requester: ClassVar[bool] = True

    accepted: bool
    message: str = ""


@dataclass(frozen=True)
class Decline(Act):
    """The manager declines a proposal, or what was accepted, with a reason; the requester goes on."""

    name: ClassVar[str] = "decline"
    seen_by_requester: ClassVar[bool] = True

    reason: str = field(metadata=NEEDED)


@dataclass(frozen=True)
class Override(Act):
    """The manager accepts a risk above the threshold, with a reason. *Ours.*

    The reason stays in the agency. ``public_reason`` goes into the public report: it must name nobody, and nothing that
    few people have.
    """

    name: ClassVar[str] = "override"

    reason: str = field(metadata=NEEDED)
    public_reason: str = ""
    """What the public report says; where it is empty, that the agency keeps the reason."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_public(self.public_reason)


# Processes 7 to 11


@dataclass(frozen=True)
class AskDiversity(Act):
    """The manager sets QMASG (process 7)."""

    name: ClassVar[str] = "ask-diversity"
    seen_by_requester: ClassVar[bool] = True

    l: int = field(metadata=_LEVEL)  # noqa: E741


@dataclass(frozen=True)
class Waive(Act):
    """The manager does without QMASG, with a reason, the values concerned and how sensitive each is (process 7).

    The reason stays in the agency. ``public_reason`` goes into manifest, README and public report: it must name nobody,
    and nothing that few people have.
    """

    name: ClassVar[str] = "waive"

    l: int = field(metadata=_LEVEL)  # noqa: E741
    reason: str = field(metadata=NEEDED)
    values: Mapping[str, Any] = field(default_factory=dict)
    """By sensitive column: each value that occurs in the groups concerned, with ``low``, ``medium`` or ``high``."""
    public_reason: str = ""
    """What public files say; where it is empty, that the agency keeps the reason."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_public(self.public_reason)
        for column, values in self.values.items():
            if not isinstance(values, Mapping):
                raise UsageError("negotiation.waived-values", column=column)

    def sensitivities(self, column: str) -> Mapping[str, Sensitivity]:
        """The values of one column."""
        found: Mapping[str, Sensitivity] = self.values.get(column, {})
        return found


@dataclass(frozen=True)
class GiveSynonyms(Act):
    """The requester gives two or more synonyms for each value of list 9 (process 10)."""

    name: ClassVar[str] = "give-synonyms"
    seen_by_requester: ClassVar[bool] = True

    synonyms: Mapping[str, Any]
    """By sensitive column: for each value its synonyms."""


# Processes 12 to 15


@dataclass(frozen=True)
class SendMetrics(Act):
    """The manager has utility measured and sent (process 12)."""

    name: ClassVar[str] = "send-metrics"
    seen_by_requester: ClassVar[bool] = True


@dataclass(frozen=True)
class Review(Act):
    """The requester takes the data as they are, or wants record protection done anew (process 13)."""

    name: ClassVar[str] = "review"
    seen_by_requester: ClassVar[bool] = True

    accepted: bool
    message: str = ""


@dataclass(frozen=True)
class WriteReport(Act):
    """The manager has the privacy report written, with its release, which nobody gets yet (process 14)."""

    name: ClassVar[str] = "write-report"

    department: str = field(metadata=NEEDED)
    title: str = ""
    accept: Mapping[str, str] = field(default_factory=dict)
    """Columns that go out as they are whatever they tell, each with the reason."""


@dataclass(frozen=True)
class Vote(Act):
    """Somebody of the committee approves the report or not, without seeing the votes of others. *Ours.*"""

    name: ClassVar[str] = "vote"

    approve: bool
    reason: str = field(metadata=NEEDED)


@dataclass(frozen=True)
class MakeAvailable(Act):
    """The manager makes the data available to the requester, and says how (process 15)."""

    name: ClassVar[str] = "make-available"
    seen_by_requester: ClassVar[bool] = True

    way: Way = "download"
    message: str = ""
    """Why it goes this way, where the release model counts on controls that it does not keep."""


@dataclass(frozen=True)
class RecordVisit(Act):
    """The manager writes down that the requester saw the data on site. *Ours.*"""

    name: ClassVar[str] = "record-visit"
    seen_by_requester: ClassVar[bool] = True

    visitor: str = field(metadata=NEEDED)
    day: date
    place: str = field(metadata=NEEDED)
    watched_by: str = field(metadata=NEEDED)
    """Under whose eyes."""
    message: str = ""


@dataclass(frozen=True)
class Revoke(Act):
    """The manager takes the data back, with a reason. *Ours.*"""

    name: ClassVar[str] = "revoke"
    seen_by_requester: ClassVar[bool] = True

    reason: str = field(metadata=NEEDED)


@dataclass(frozen=True)
class Amend(Act):
    """The requester asks for a change: a new negotiation starts from this one. *Ours.*"""

    name: ClassVar[str] = "amend"
    seen_by_requester: ClassVar[bool] = True

    reason: str = field(metadata=NEEDED)


@dataclass(frozen=True)
class Erase(Act):
    """The administrator has events forgotten (LGPD, article 18), with a reason. *Ours.*"""

    name: ClassVar[str] = "erase"

    events: tuple[int, ...]
    reason: str = field(metadata=NEEDED)


ACTS: tuple[type[Act], ...] = (
    Ask,
    AskForMore,
    Supplement,
    Extend,
    Reject,
    Appeal,
    DecideAppeal,
    Withdraw,
    Message,
    Note,
    AcceptTerms,
    Prepare,
    Accept,
    Propose,
    AskForPlans,
    CarryOut,
    Suggest,
    SetCondition,
    Answer,
    Decline,
    Override,
    AskDiversity,
    Waive,
    GiveSynonyms,
    SendMetrics,
    Review,
    WriteReport,
    Vote,
    MakeAvailable,
    RecordVisit,
    Revoke,
    Amend,
    Erase,
)
"""All that people can do."""
