"""Membership of one person: the five cases of Rodrigues (2022), section 3.4.2."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from biombo._attack.evidence import code_of_value
from biombo._attack.members.as_published import AsPublished, as_published
from biombo._attack.members.tables import Repeated, TwoTables
from biombo._attack.scope import AttackScope
from biombo._cells import records_of
from biombo._data import Dataset, as_dataset
from biombo._errors import InputError, UsageError
from biombo._frames import Frame
from biombo._i18n import text

Case = Literal["unique-out", "unique-in", "several-out", "several-one-in", "several-several-in"]
"""n = 1 or more; d = 0, 1 or more."""


@dataclass(frozen=True)
class MembershipTarget:
    """What an adversary learns about one person's being in the sample. Personal: keep it out of public folders."""

    known: Mapping[str, str | None]
    n: int
    """Records of the population that it could be."""
    d: int
    """Records of the sample that it could be."""
    prior: float
    published: AsPublished
    """The measures as Rodrigues (2022) prints them, which are no probabilities."""

    @property
    def case(self) -> Case:
        """Which of the five cases this is."""
        if self.n == 1:
            return "unique-in" if self.d else "unique-out"
        if self.d <= 1:
            return "several-one-in" if self.d else "several-out"
        return "several-several-in"

    @property
    def probability(self) -> float:
        """The chance d/n that the person is in the sample."""
        return self.d / self.n

    @property
    def leakage(self) -> float:
        """How much that is above the prior."""
        return self.probability - self.prior

    def __str__(self) -> str:
        """Which of the cases it is and what follows from it, in the language in use."""
        case = "several-all-in" if 1 < self.n == self.d else self.case
        told = {"n": self.n, "d": self.d, "probability": self.probability, "prior": self.prior}
        return text(f"risk.membership.case.{case}", **told)

    def as_json(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "known": dict(self.known),
            "n": self.n,
            "d": self.d,
            "case": self.case,
            "prior": self.prior,
            "probability": self.probability,
            "leakage": self.leakage,
            "as_published": asdict(self.published),
            "meaning": str(self),
        }


def membership_target(
    sample: Dataset | Frame,
    population: Dataset | Frame,
    known: Mapping[str, str | None],
    *,
    repeated: Repeated = "refuse",
) -> MembershipTarget:
    """What an adversary who knows ``known`` about one person of the population learns from the sample.

    >>> import biombo as bb
    >>> school = bb.samples.school()
    >>> someone = {"state": "SP", "sex": "F", "age": "31-40"}
    >>> found = bb.membership_target(bb.read(school.sample), bb.read(school.population), someone)
    >>> found.n, found.d, found.case, found.probability, found.published.degradation
    (1, 1, 'unique-in', 1.0, 2.5)
    """
    if not known:
        raise UsageError("attack.target-knows-nothing")
    sample, population = as_dataset(sample), as_dataset(population)
    tables = TwoTables.of(sample, population, AttackScope.of(sample, list(known), [], max_size=1), repeated)
    whole = np.ones(tables.rows[0], bool) if tables.keep[0] is None else tables.keep[0].copy()
    part = np.ones(tables.rows[1], bool) if tables.keep[1] is None else tables.keep[1].copy()
    for name, value in known.items():
        code = code_of_value(tables.sample[name], value)
        whole &= tables.population[name].codes == code
        part &= tables.sample[name].codes == code
    n, d = (records_of(len(rows), of, rows) for of, rows in zip(tables.counts, (whole, part), strict=True))
    words = ", ".join(f"{name}={value}" for name, value in known.items())
    if n == 0:
        raise UsageError("membership.stranger", known=words)
    if d > n:
        raise InputError("membership.contradiction", group=words, n=n, d=d)
    return MembershipTarget(
        dict(known), n, d, tables.sampled / tables.people, as_published(n, d, tables.sampled, tables.people)
    )
