"""l-diversity: nobody's group agrees on the sensitive value.

With r₁ ≥ r₂ ≥ … ≥ rₘ the counts of the m sensitive values in a group of n records (Machanavajjhala et al. 2007):

    distinct:          m ≥ l
    entropy:           −Σ rᵢ/n · log(rᵢ/n) ≥ log l
    recursive (c, l):  r₁ < c · (rₗ + rₗ₊₁ + … + rₘ)
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log2
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Rule
from biombo._criteria.base import Evidence, SensitiveCriterion
from biombo._criteria.plain_groups import PlainGroups
from biombo._criteria.wording import rounded, shown
from biombo._documents import COLUMNS, check_limit, check_whole, checked, limited
from biombo._errors import UsageError
from biombo._i18n import text

Diversity = Literal["distinct", "entropy", "recursive"]


@dataclass(frozen=True)
class LDiversity(SensitiveCriterion):
    """Every group has at least ``l`` sensitive values, well spread as ``kind`` says.

    >>> print(LDiversity(2, kind="recursive", c=3, column="disease"))
    recursive (c, l)-diversity with c = 3 and l = 2, for disease
    """

    name: ClassVar[str] = "l-diversity"
    evidence: ClassVar[Evidence] = "released"

    l: float = field(metadata=limited(1, above=True))  # noqa: E741 - as everybody calls it
    """How many values; for ``entropy`` any number above 1, else a whole one of at least 2."""
    kind: Diversity = "distinct"
    """``distinct``: so many different ones; ``entropy``: as hard to guess as so many equally frequent ones;
    ``recursive``: the most frequent one less than ``c`` times the ``l``-th and all rarer ones together."""
    c: float | None = field(default=None, metadata=limited(0, above=True))
    """For ``recursive`` only: above 0."""
    column: str | None = None
    """The sensitive column; ``None``: every one that is used."""
    quasi: Sequence[str] | None = field(default=None, metadata=COLUMNS)
    """The quasi columns that it is about; ``None``: all that are used."""

    def __post_init__(self) -> None:
        super().__post_init__()
        checked(Diversity, "kind", self.kind)
        if self.kind == "entropy":
            check_limit(self, "l")
        else:
            check_whole("l", self.l, least=2)
        if self.kind == "recursive":
            check_limit(self, "c")
        elif self.c is not None:
            raise UsageError("criteria.c-unused", kind=self.kind)

    @property
    def lowest_is_worst(self) -> bool:
        """Diversity can be too low; the ratio r₁ / (rₗ + … + rₘ) of ``recursive`` too high."""
        return self.kind != "recursive"

    def monotonic(self, *, suppression: bool) -> bool:
        """Always without suppression; with it, only ``distinct``."""
        return not suppression or self.kind == "distinct"

    def rule(self, target: int, prior: float) -> Rule:  # noqa: ARG002
        """What the kernel checks in each group."""
        if self.kind == "recursive" and self.c is not None:
            return Rule(target, "recursive", self.c, tail=int(self.l))
        return Rule(target, self.kind, log2(self.l) if self.kind == "entropy" else self.l)

    def measured(self, values: NDArray[np.float64], prior: float) -> NDArray[np.float64]:  # noqa: ARG002
        """Entropies as the number of equally frequent values with the same entropy, so that they compare with l."""
        return np.exp2(values) if self.kind == "entropy" else values

    def counted(self, groups: PlainGroups, sensitive: Sequence[str]) -> float | None:
        """For ``distinct``: the fewest values in a group."""
        if self.kind != "distinct":
            return None
        return min(groups.fewest_values(column) for column in self.about(sensitive))

    def worded_value(self, value: float) -> str:
        """The worst value found, in the language in use."""
        if self.kind == "recursive":
            return text("criteria.achieved.recursive", value=rounded(value))
        return super().worded_value(value)

    def _worded(self) -> str:
        return text(f"criteria.l-diversity.{self.kind}", l=shown(self.l), c=shown(self.c or 0))
