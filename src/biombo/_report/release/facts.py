"""What the reports of a release are made of: plain facts, the same for all readers and both versions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

from biombo._attack import RiskFindings
from biombo._criteria import Disclosure
from biombo._measures import ConstantColumn
from biombo._plan import Applied, Plan
from biombo._utility import Measures, Prediction, Utility


@dataclass(frozen=True)
class CriterionFact:
    """A criterion that the release meets, in words."""

    criterion: str
    quasi: tuple[str, ...]
    """The columns that groups are made by."""
    achieved: str
    checked_by: str
    """Who can check it."""


@dataclass(frozen=True)
class ValueFact:
    """A value that somebody accepted for a criterion to be waived, in words. Private."""

    value: str
    sensitivity: str
    records: int
    """Of groups that fail, those that have it."""


@dataclass(frozen=True)
class WaivedDetail:
    """What only the publisher knows of a criterion that was waived."""

    sentence: str
    """How far it fails, who accepted that, and why."""
    accepted_by: str
    column: str
    values: tuple[ValueFact, ...]


@dataclass(frozen=True)
class WaivedFact:
    """A criterion that was waived, in words: it is never told as met."""

    criterion: str
    quasi: tuple[str, ...]
    """The columns that groups are made by."""
    reason: str
    values: tuple[str, ...]
    """Of the values that were accepted, those that everybody may know."""
    further: bool
    """Are there others?"""
    detail: WaivedDetail | None
    """None in what is for everybody."""


@dataclass(frozen=True)
class ColumnFact:
    """A column of the release, in words."""

    name: str
    label: str
    role: str
    done: str
    """What was done to it."""
    mark: str | None
    """What stands for its values in masked records."""
    examples: tuple[str, ...]
    """What its values now look like, where they were made less precise."""
    names: str = ""
    """What its codes mean, where they are few."""


@dataclass(frozen=True)
class OperationFact:
    """Something that was done to the table, in words."""

    done: str
    columns: tuple[str, ...]
    leaks: str
    """What can still be told from the result."""


@dataclass(frozen=True)
class StepFact:
    """One of the ten steps of PDPC (2018), in words."""

    title: str
    status: str
    sentence: str


@dataclass(frozen=True)
class PublicationStep:
    """One of the six steps of publishing, in words that tell nothing about people."""

    number: int
    title: str
    sentence: str


@dataclass(frozen=True)
class DecisionFact:
    """Whether the risk was accepted, in words."""

    outcome: tuple[str, ...]
    """To whom the data are released, and whether the risk was accepted: for everybody."""
    grounds: tuple[str, ...]
    """How likely an attempt is, the risk beside its threshold, and what follows: private."""
    controls: tuple[str, ...]
    """What is in place around the data: private."""
    steps: tuple[StepFact, ...]


@dataclass(frozen=True)
class GoesOut:
    """Which columns are released as they are, and by whose word; what protects the people."""

    protection: Literal["criteria", "without-k", "by-measured-risk", "unprotected"]
    unprotected: str | None
    """Why people are not protected, where it is so."""
    untouched: tuple[str, ...]
    """Columns that go out as they are."""
    constant: tuple[str, ...]
    """Columns that say the same of everybody."""
    accepted: Mapping[str, str]
    """Columns that go out as they are whatever they tell, and why."""
    findings: tuple[str, ...]
    """What such columns tell, in words: private."""


@dataclass(frozen=True)
class DialogueStep:
    """Something that was said or done in a negotiation, in words."""

    process: int
    """Of the fifteen of Moraes et al. (2025)."""
    at: datetime
    who: str
    """Name and role."""
    what: str
    """In one sentence."""


@dataclass(frozen=True)
class OfferFact:
    """One round of a negotiation: its levels, and what was measured of it."""

    number: int
    k: int | None
    """TG; none where groups mean nothing."""
    l: int | None  # noqa: E741
    """QMASG; none where it was not asked for."""
    epsilon: float | None
    groups_below: int
    """Groups of fewer than TG people, before any are suppressed."""
    singled_out: int
    lost: int
    """Records that are suppressed."""
    posterior: Mapping[str, float]
    """By sensitive column: how often its value is guessed by whoever knows all quasi columns."""
    allowed: bool | None
    """Does the risk decision allow it? None where nothing can be decided."""
    asked: tuple[tuple[str, str], ...] = ()
    """For each operation that somebody asked for: what, and who."""


@dataclass(frozen=True)
class DialogueWaiver:
    """A level that the manager does without, in words."""

    what: str
    who: str
    reason: str
    values: tuple[str, ...]
    """The values concerned, each with how sensitive it is."""


@dataclass(frozen=True)
class DialogueVote:
    """How somebody of the committee voted."""

    who: str
    approved: bool
    reason: str


@dataclass(frozen=True)
class RequestedFact:
    """How a release was negotiated, and for whom. Personal data: for the private report alone."""

    requester: tuple[tuple[str, str], ...]
    """What is known of who asked: what it is called, and what was said."""
    department: str
    """Of the agency, which answers for the release."""
    purpose: str
    steps: tuple[DialogueStep, ...]
    offers: tuple[OfferFact, ...] = ()
    waived: tuple[DialogueWaiver, ...] = ()
    votes: tuple[DialogueVote, ...] = ()


@dataclass(frozen=True)
class NoisedFact:
    """A release that claims no k, because quasi columns were noised."""

    columns: tuple[str, ...]
    """These columns."""
    alone: int
    """Records that are alone with their values in the release: private where they are few."""
    told_alone: int | None
    """The same as everybody may know it; none where these are too few people."""
    alone_and_true: int
    """Of these, the ones whose values are still true: private."""


@dataclass(frozen=True, eq=False)
class ReleaseFacts:
    """All that is known of a release. It holds private numbers; which of them are shown, each report decides."""

    name: str
    made_at: datetime
    plan: Plan
    applied: Applied
    rule: Disclosure
    """What may be told in public."""
    smallest_group: int | None
    """The people in the smallest group, where the plan asks for k-anonymity."""
    told: Mapping[str, int | None]
    """Numbers of records by kind as everybody may know them; none where they are about too few people."""
    noised: NoisedFact | None
    """None where no quasi column was noised."""
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    sets: tuple[tuple[str, ...], ...]
    """The sets of columns that k-anonymity was asked for, where it was not for all of them together."""
    perturbed: tuple[str, ...]
    """Columns whose values were drawn or exchanged."""
    person: str | None
    """The column that people are counted by."""
    left_out: tuple[str, ...]
    """Columns of the original that are not released: private, since nobody may have decided on some of them."""
    columns: tuple[ColumnFact, ...]
    operations: tuple[OperationFact, ...]
    """What was done, in order."""
    criteria: tuple[CriterionFact, ...]
    attested: tuple[tuple[str, str], ...]
    """What else the publisher claims and only the original can show, with its value, as the manifest tells it."""
    before: RiskFindings | None
    """What adversaries gain from the original; none where that cannot be measured, as without quasi columns."""
    own: RiskFindings | None
    """As ``before``, over the originals of the released records alone: what may be told in public."""
    after: RiskFindings | None
    """What they gain from the release."""
    utility: Utility | None
    measures: Measures | None
    """How much detail was lost, suppressed records included."""
    own_measures: Measures | None
    """The same over the released records beside their own originals: what may be told in public."""
    not_compared: str
    """Why there is no utility, where it is so."""
    constant: tuple[ConstantColumn, ...]
    """Columns that the plan changes and that tell nothing any more, by the released records alone."""
    goes_out: GoesOut
    predicted: Prediction | None
    """None where no column was named to be predicted."""
    decision: DecisionFact | None
    """None where no release model was given."""
    review: date | None
    """When the risk is to be looked at again."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """What people call columns."""
    waived: tuple[WaivedFact, ...] = ()
    """Criteria that need not be met, by somebody's word."""
    title: str | None = None
    """What the release is called, where it is not as its folder."""
    steps: tuple[PublicationStep, ...] = ()
    """What was done, step by step."""
    requested: RequestedFact | None = None
    """How it was negotiated: private. None where nobody asked for it."""
    keys: Mapping[str, date | None] = field(default_factory=dict)
    """By the id of each key, by when its ciphers are to be reviewed: private."""
