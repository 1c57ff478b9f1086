"""The class that every criterion derives from."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Rule
from biombo._criteria.checks import check_column, checked_quasi
from biombo._criteria.wording import rounded
from biombo._documents import Named, Where
from biombo._i18n import text

Scope = Literal["group", "table"]
"""Whether every group must meet a criterion, or the table as a whole."""


@dataclass(frozen=True)
class Criterion(ABC):
    """What a published table must satisfy. A *group* is the records that share the values of the quasi columns.

    >>> from biombo._criteria import KAnonymity
    >>> Criterion.from_tree({"k-anonymity": {"k": 5}}) == KAnonymity(5)
    True
    """

    name: ClassVar[str]
    """What it is called in a plan."""

    @property
    @abstractmethod
    def quasi(self) -> Sequence[str] | None:
        """The quasi columns that it is about; ``None``: all that are used."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "quasi", checked_quasi(self.name, self.quasi))

    @property
    def scope(self) -> Scope:
        """Whether every group must meet it, or the table as a whole."""
        return "group"

    @property
    def lowest_is_worst(self) -> bool:
        """Is a group worse the lower its value, as with k and l, or the higher?"""
        return False

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
        check_column(self.name, self.column)

    @abstractmethod
    def rule(self, target: int, prior: float) -> Rule:
        """What the kernel checks in each group, for the column at place ``target`` whose prior is ``prior``."""

    def measured(self, values: NDArray[np.float64], prior: float) -> NDArray[np.float64]:  # noqa: ARG002
        """The kernel's values, one for each group, in the unit of the criterion."""
        return values

    def _about(self) -> str:
        return text("criteria.about", column=self.column) if self.column else ""


def _kinds() -> Mapping[str, type[Criterion]]:
    from biombo._criteria.kinds import KINDS  # the criteria derive from these classes

    return KINDS


IN_DOCUMENTS = Named(_kinds, shape="criteria.shape", within="criteria.in-criterion")
"""How criteria stand in documents."""

IN_DOCUMENTS.register(Criterion)
