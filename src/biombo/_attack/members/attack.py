"""Membership: does a published sample tell who was asked? (Rodrigues 2022)

One person has one record in the population D; S is a sample of D. The adversary knows D and the quasi columns of one
person, of whom n records of D and d records of S have the same values.

    prior     = |S|/|D|
    d/n       = the chance that this person is in S: each of the n is as likely to be one of the d
    posterior = mean of d/n over the people of S = Σ_i d_i/|S| · d_i/n_i
    worst     = highest d/n

The mean of d/n over the people of D is always the prior, so it says nothing. As a guess "in" or "out" about a person
drawn from D (Bayes vulnerability; the secret is the membership bit, what is observed is the person's group):

    Bayes prior     = max(p, 1 − p), p = |S|/|D|
    Bayes posterior = Σ_i max(d_i, n_i − d_i)/|D|

which counts groups that the sample lacks as well: there, "out" is always right.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from biombo._attack.distribution import Distribution
from biombo._attack.evidence import checked_subset
from biombo._attack.members.tables import Repeated, TwoTables
from biombo._attack.scope import AttackScope
from biombo._attack.subset_table import flat, rows_of_subset, strongest, subset_names
from biombo._cells import MembershipCounts
from biombo._data import Dataset, as_dataset
from biombo._errors import InputError
from biombo._frames import Frame, Framed, FrameKind
from biombo._glance import Glance, Result
from biombo._watch import advance_share, instead


@dataclass(frozen=True, eq=False, repr=False)
class Membership(Result, Framed):
    """The outcome for every subset of the quasi columns. Made by :func:`biombo.membership`."""

    quasi: tuple[str, ...]
    people: int
    """People in the population."""
    sampled: int
    """People in the sample."""
    prior: float
    bayes_prior: float
    subsets: pl.DataFrame
    """Per subset: size, quasi, posterior, leakage, multiplicative, worst, certain (people of S with d = n),
    bayes_posterior, bayes_leakage, found, not_found (n = 0: left out of the means), absent (people of D in groups that
    S lacks), unique (d = 1), unique_found, unique_both (n = d = 1: re-identified), and expected_degradation, which is
    Rodrigues's measure as published."""
    tables: TwoTables

    @classmethod
    def of(cls, tables: TwoTables, counts: MembershipCounts) -> "Membership":
        """Read the attack off a sweep."""
        _refuse_contradictions(tables, counts)
        prior = tables.sampled / tables.people
        bayes_prior = max(prior, 1 - prior)
        with np.errstate(invalid="ignore"):
            posterior = counts.share / counts.found
        right = counts.right / tables.people
        subsets = pl.DataFrame(
            {
                "size": counts.members.sum(axis=1),
                "quasi": subset_names(tables.scope.quasi, counts.members),
                "posterior": posterior,
                "leakage": posterior - prior,
                "multiplicative": posterior / prior,
                "worst": counts.worst,
                "certain": counts.certain,
                "bayes_posterior": right,
                "bayes_leakage": right - bayes_prior,
                "found": counts.found,
                "not_found": counts.not_found,
                "absent": counts.absent,
                "unique": counts.unique,
                "unique_found": counts.unique_found,
                "unique_both": counts.unique_both,
                "expected_degradation": counts.published / tables.sampled / prior,
            },
            nan_to_null=True,
        )
        return cls(tables.scope.quasi, tables.people, tables.sampled, prior, bayes_prior, subsets, tables)

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        from biombo._attack.as_json import membership_as_json

        return membership_as_json(self)

    def _table(self) -> pl.DataFrame:
        return flat(self.subsets)

    @property
    def _kind(self) -> FrameKind:
        return self.tables.data.kind

    def _glance(self) -> Glance:
        from biombo._attack.glance import of_membership

        return of_membership(self)

    def best(self) -> pl.DataFrame:
        """The most telling subset for each number of columns."""
        return strongest(self.subsets, "size")

    def subset(self, columns: Sequence[str]) -> dict[str, object]:
        """The numbers of one subset that was swept."""
        return rows_of_subset(self.subsets, checked_subset(columns, self.quasi)).row(0, named=True)

    def distribution(self, columns: Sequence[str]) -> Distribution:
        """How d/n is spread over the people of the sample whose group is in the population."""
        groups = self.tables.cells.groups(checked_subset(columns, self.quasi))
        found = groups.n > 0
        return Distribution.of(groups.d[found] / groups.n[found], groups.d[found])


def membership(
    sample: Dataset | Frame,
    population: Dataset | Frame,
    quasi: Sequence[str] | None = None,
    max_size: int | None = None,
    *,
    repeated: Repeated = "refuse",
    progress: Callable[[float], object] | None = None,
) -> Membership:
    """What a sample tells about who is in it, for every subset of the quasi columns.

    Args:
        sample: The sample that is to be published: what :func:`biombo.read` gave, or a pandas, Polars or Arrow table.
        population: The table it was drawn from, known to the adversary. Columns that have another name or coding there
            are mapped in the sample's schema (``population:``).
        quasi: What the adversary may know, by the sample's names; by default its schema's quasi columns.
        max_size: The largest number of quasi columns to combine; by default all.
        repeated: Where a schema names the ``person``: refuse people with several records, or count each once.
        progress: Called now and then with the share of the work done.

    >>> import biombo as bb
    >>> school = bb.samples.school()
    >>> found = bb.membership(bb.read(school.sample), bb.read(school.population), ["state", "sex", "age"])
    >>> round(found.prior, 4), round(found.subsets["posterior"][-1], 4)
    (0.4, 0.7083)
    """
    sample, population = as_dataset(sample), as_dataset(population)
    scope = AttackScope.of(sample, quasi, [], max_size)
    tables = TwoTables.of(sample, population, scope, repeated)
    return Membership.of(tables, tables.cells.sweep(scope.max_size, instead(progress, advance_share)))


def _refuse_contradictions(tables: TwoTables, counts: MembershipCounts) -> None:
    """More people in a group of the sample than in the population's, which has them: it is no sample of it."""
    broken = np.flatnonzero(counts.contradictions)
    if not len(broken):
        return
    subset = [name for name, member in zip(tables.scope.quasi, counts.members[broken[-1]], strict=True) if member]
    groups = tables.cells.groups(subset)
    place = int(np.flatnonzero((groups.d > groups.n) & (groups.n > 0))[0])
    raise InputError(
        "membership.contradiction",
        group=tables.described(subset, groups.codes[place].tolist()),
        n=int(groups.n[place]),
        d=int(groups.d[place]),
    )
