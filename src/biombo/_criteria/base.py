"""What every criterion says of itself."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Counts, Rule
from biombo._criteria.plain_groups import PlainGroups
from biombo._criteria.targets import Ask, Targets
from biombo._criteria.whole_table import Floats, KeptGroups, shares
from biombo._criteria.wording import rounded
from biombo._data import Dataset
from biombo._documents import Named, ValueKind, Where, check_column, check_limit, checked_columns, register
from biombo._errors import ColumnError, UsageError
from biombo._i18n import text

Scope = Literal["group", "table"]
"""Whether every group must meet a criterion, or the table as a whole."""

Evidence = Literal["released", "original"]
"""What it takes to find out whether a criterion is met: the released records, or others as well."""


@dataclass(frozen=True)
class Criterion(ABC):
    """What a published table must satisfy. A *group* is the records that share the values of the quasi columns.

    >>> from biombo._criteria import KAnonymity
    >>> Criterion.from_tree({"k-anonymity": {"k": 5}}) == KAnonymity(5)
    True
    """

    name: ClassVar[str]
    """What it is called in a plan."""
    evidence: ClassVar[Evidence]
    """``released``: whoever has the release can recompute or refute that it is met, and by how far. ``original``: it
    compares groups with records that are not released, or estimates what depends on how many people these are, so it
    can only be believed, and how far it is met is not told.
    """

    @property
    @abstractmethod
    def quasi(self) -> Sequence[str] | None:
        """The quasi columns that it is about; ``None``: all that are used."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "quasi", checked_columns("quasi", self.quasi))

    @property
    def scope(self) -> Scope:
        """Whether every group must meet it, or the table as a whole."""
        return "group"

    @property
    def lowest_is_worst(self) -> bool:
        """Is a group worse the lower its value, as with k and l, or the higher?"""
        return False

    @property
    def group_size(self) -> int | None:
        """The fewest people that it asks of each group; nothing where it is not about how many there are."""
        return None

    @property
    def can_fail(self) -> bool:
        """Are there tables that do not meet it? A bound that everything keeps protects nobody."""
        return True

    @property
    def against_population(self) -> bool:
        """Is it about a table of the population, which must be at hand?"""
        return False

    @property
    def counts_members(self) -> bool:
        """Is it about how many share a group, which says nothing where values of quasi columns are drawn?"""
        return (self.group_size or 1) > 1

    def about(self, sensitive: Sequence[str]) -> tuple[str, ...]:  # noqa: ARG002
        """The sensitive columns that it is about, of those that are used; none where it is about groups alone."""
        return ()

    def check(self, data: Dataset, sensitive: Sequence[str]) -> None:  # noqa: B027  # most have nothing to refuse
        """Raise where it cannot be asked of a table with such columns; no row is looked at."""

    @abstractmethod
    def asks(self, targets: Targets) -> list[Ask]:
        """What the kernel checks in each group, for each column that it is about."""

    def measured(self, values: NDArray[np.float64], prior: float) -> NDArray[np.float64]:  # noqa: ARG002
        """The kernel's values, one for each group, in the unit of the criterion."""
        return values

    def of_members(self, members: Counts, prior: float) -> Floats:  # noqa: ARG002
        """How many are in each group, in the unit of a criterion that asks about that."""
        return members.astype(np.float64)

    def of_presence(self, chances: Floats) -> Floats:
        """How likely people of the population who look like each group are in it, in the unit of a criterion that asks
        about that.
        """
        return chances

    def of_table(self, kept: KeptGroups, target: int | None) -> Floats:
        """By table: what a table-level criterion bounds, as it is compared with the bound."""
        raise NotImplementedError

    def of_sample(self, kept: KeptGroups, share: float) -> Floats:
        """By table: the same, where it is estimated and such a ``share`` of the population was sampled."""
        raise NotImplementedError

    def surely_holds(self, kept: KeptGroups) -> NDArray[np.bool_]:
        """By table: is a table-level criterion met for a reason that is told sooner than how far?"""
        return np.zeros(len(kept.records), bool)

    @property
    def by_sizes(self) -> bool:
        """Does it take the sizes of all groups to say how the table stands to it?"""
        return False

    def counted(self, groups: PlainGroups, sensitive: Sequence[str]) -> float | None:  # noqa: ARG002
        """The worst value, counted plainly from the definition; nothing where that takes more than counting."""
        return None

    @abstractmethod
    def monotonic(self, *, suppression: bool) -> bool:
        """Does a table that meets it still do so when a quasi column is generalised?

        With ``suppression``, groups that fail are removed, and the question is whether no more records are than before.
        """

    def to_tree(self) -> dict[str, Any]:
        """The criterion as plain values for YAML or JSON, without what is as by default.

        >>> from biombo._criteria import TCloseness
        >>> TCloseness(0.2, kind="ordered", column="income").to_tree()
        {'t-closeness': {'t': 0.2, 'kind': 'ordered', 'column': 'income'}}
        """
        return IN_DOCUMENTS.plain(self)

    @staticmethod
    def from_tree(tree: Any) -> "Criterion":
        """The criterion that plain values describe."""
        criterion: Criterion = IN_DOCUMENTS.read(tree, Where())
        return criterion

    @abstractmethod
    def _worded(self) -> str:
        """What is asked, without the columns that it is asked of."""

    def worded_value(self, value: float) -> str:
        """The worst value found, in the language in use."""
        return text(f"criteria.achieved.{self.name}", value=rounded(value))

    def _about(self) -> str:
        """The sensitive column that it is asked of, if it names one."""
        return ""

    def __str__(self) -> str:
        """What is asked, in the language in use."""
        by = text("criteria.by", quasi=", ".join(self.quasi)) if self.quasi else ""
        return self._worded() + self._about() + by


@dataclass(frozen=True)
class SensitiveCriterion(Criterion):
    """A criterion on what a group says about a sensitive column."""

    @property
    @abstractmethod
    def column(self) -> str | None:
        """The sensitive column; ``None``: every one that is used."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_column("column", self.column)

    def about(self, sensitive: Sequence[str]) -> tuple[str, ...]:
        """The column that it names, or all of ``sensitive``."""
        return tuple(sensitive) if self.column is None else (self.column,)

    def check(self, data: Dataset, sensitive: Sequence[str]) -> None:
        """Raise where no column is sensitive, or the one that it is about is missing or names the person."""
        columns = self.about(sensitive)
        if not columns:
            raise UsageError("criteria.no-sensitive", criterion=self)
        for name in columns:
            refuse_person(data, name)

    def asks(self, targets: Targets) -> list[Ask]:
        """A rule for each column that it is about."""
        self.check(targets.data, targets.sensitive)
        columns = self.about(targets.sensitive)
        return [self._ask(targets, self._place(targets, name), name) for name in columns]

    @abstractmethod
    def rule(self, target: int, prior: float) -> Rule:
        """What the kernel checks in each group, for the column at place ``target`` whose prior is ``prior``."""

    def _place(self, targets: Targets, column: str) -> int:
        """The place of ``column`` among the targets."""
        return targets.place(column)

    def _ask(self, targets: Targets, place: int, column: str) -> Ask:
        prior = targets.prior(column)
        return Ask(self, self.rule(place, prior), column, prior)

    def _about(self) -> str:
        return text("criteria.about", column=self.column) if self.column else ""


@dataclass(frozen=True)
class GuessCriterion(SensitiveCriterion):
    """A bound on how often the adversary of Gonze et al. (2024) guesses the sensitive value right.

    It knows a person's group and says the group's most frequent value, so it is right about that value's share of the
    group, and about Σ top counts / records of the table.
    """

    @property
    @abstractmethod
    def over(self) -> Scope:
        """Whether the bound is for every group or for the table as a whole."""

    @property
    def scope(self) -> Scope:
        """Whether every group must meet it, or the table as a whole."""
        return self.over

    def monotonic(self, *, suppression: bool) -> bool:
        """Without suppression only."""
        return not suppression

    @abstractmethod
    def highest(self, prior: float) -> float:
        """The highest share of right guesses allowed where ``prior`` is right beforehand."""

    def rule(self, target: int, prior: float) -> Rule:
        """What the kernel checks in each group."""
        return Rule(target, "top-share", self.highest(prior))

    def of_table(self, kept: KeptGroups, target: int | None) -> Floats:
        """The share of records that are guessed right."""
        assert kept.tops is not None
        return shares(kept.tops[:, target], kept.records)

    def _ask(self, targets: Targets, place: int, column: str) -> Ask:
        ask = super()._ask(targets, place, column)
        return ask.over_table(place, self.highest(ask.prior)) if self.over == "table" else ask


class IdentityCriterion(Criterion):
    """A bound on whom an adversary finds in the table as a whole, or finds missing from it."""

    max: float
    """The highest share allowed: a field of the criteria that derive from this."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_limit(self, "max")

    @property
    def scope(self) -> Scope:
        """The table as a whole."""
        return "table"

    @property
    def can_fail(self) -> bool:
        """No share is above 1."""
        return self.max < 1

    @property
    def counts_members(self) -> bool:
        """It is about how many share a group."""
        return True

    def monotonic(self, *, suppression: bool) -> bool:
        """Without suppression only: the share is one of the records that are kept."""
        return not suppression

    def asks(self, targets: Targets) -> list[Ask]:
        """A bound on the table."""
        return [targets.members(self).over_table(None, self.max)]


def refuse_person(data: Dataset, column: str) -> None:
    """Refuse a column that does not exist, or that names the person."""
    data[column]
    if column == data.schema.person:
        raise ColumnError("attack.person", column=column)


def _kinds() -> Mapping[str, type[Criterion]]:
    from biombo._criteria.kinds import KINDS  # the criteria derive from these classes

    return KINDS


IN_DOCUMENTS = Named(_kinds, shape="criteria.shape", within="criteria.in-criterion")
"""How criteria stand in documents."""

IN_DOCUMENTS.register(Criterion)


def _waivable() -> Mapping[str, type[Criterion]]:
    return {name: kind for name, kind in _kinds().items() if issubclass(kind, SensitiveCriterion)}


register(
    SensitiveCriterion,
    ValueKind(
        IN_DOCUMENTS.read,
        IN_DOCUMENTS.plain,
        IN_DOCUMENTS.canonical,
        replace(IN_DOCUMENTS, kinds=_waivable).schema,
        refusal="criteria.not-waivable",
    ),
)
