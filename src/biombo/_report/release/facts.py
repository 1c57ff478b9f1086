"""What the reports of a release are made of: plain facts, the same for all readers and both versions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

from biombo._attack import RiskFindings
from biombo._criteria import Disclosure
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


@dataclass(frozen=True)
class OperationFact:
    """Something that was done to the table, in words."""

    done: str
    columns: tuple[str, ...]
    leaks: str
    """What can still be told from the result."""


@dataclass(frozen=True)
class StepFact:
    """One of the ten steps of document 003, in words."""

    title: str
    status: str
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

    protection: Literal["criteria", "without-k", "unprotected"]
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
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    sets: tuple[tuple[str, ...], ...]
    """The sets of columns that k-anonymity was asked for, where it was not for all of them together."""
    perturbed: tuple[str, ...]
    """Columns whose values were drawn or exchanged."""
    person: str | None
    """The column that people are counted by."""
    left_out: tuple[str, ...]
    """Columns of the original that are not released."""
    columns: tuple[ColumnFact, ...]
    operations: tuple[OperationFact, ...]
    """What was done, in order."""
    criteria: tuple[CriterionFact, ...]
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
    goes_out: GoesOut
    predicted: Prediction | None
    """None where no column was named to be predicted."""
    decision: DecisionFact | None
    """None where no release model was given."""
    review: date | None
    """When the risk is to be looked at again."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """What people call columns."""
