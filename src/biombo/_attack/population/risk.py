"""Risk in the population of a table that is a sample."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._attack.distribution import Distribution
from biombo._attack.evidence import Dropped, Evidence
from biombo._attack.population.estimate import PopulationEstimate
from biombo._attack.population.individual_risk import chosen_weight, weight_sums
from biombo._attack.population.sample_groups import check_fraction
from biombo._attack.scope import AttackScope
from biombo._cells import tallied
from biombo._data import Binning, Dataset, as_dataset
from biombo._errors import ColumnError
from biombo._frames import Frame
from biombo._glance import Glance, Result


@dataclass(frozen=True, eq=False, repr=False)
class PopulationRisk(Result):
    """What is to be expected of the population. Made by :func:`population_risk`."""

    quasi: tuple[str, ...]
    rows: int
    """Valid records."""
    dropped: Dropped
    binnings: tuple[Binning, ...]
    weight: str | None
    """The column of weights; none where the sampling fraction was given."""
    estimate: PopulationEstimate
    evidence: Evidence

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        from biombo._attack.as_json import population_as_json

        return population_as_json(self)

    def _glance(self) -> Glance:
        from biombo._attack.glance import of_population

        return of_population(self)

    @property
    def individual_risk(self) -> Distribution:
        """How Benedetti and Franconi's risk is spread over the records."""
        return Distribution.of(self.estimate.individual_risk, self.estimate.sizes)

    @property
    def pitman_risk(self) -> Distribution:
        """How the risk by Pitman's model is spread over the records."""
        return Distribution.of(self.estimate.pitman_risk, self.estimate.sizes)

    def records(self) -> pl.DataFrame:
        """The risk of each valid record, in row order. Personal data: for the private directory only.

        ``row`` (its position in the table, from 0), ``size`` of its group, ``individual_risk`` and ``pitman_risk``.
        """
        self.evidence.data.need_rows()
        row, group = _groups_of_rows(self.evidence)
        estimate = self.estimate
        if self.weight is None:  # then it was made from cells, whose groups have other numbers
            estimate = PopulationEstimate.of(np.bincount(group), estimate.sample.fraction)
        return pl.DataFrame(
            {
                "row": row,
                "size": estimate.sizes[group],
                "individual_risk": estimate.individual_risk[group],
                "pitman_risk": estimate.pitman_risk[group],
            }
        )


def population_risk(
    data: Dataset | Frame,
    quasi: Sequence[str] | None = None,
    *,
    fraction: float | None = None,
    weight: str | None = None,
) -> PopulationRisk:
    """Estimate the risk in the population that ``data`` is a sample of, where nobody has that population.

    Args:
        data: The sample, one record a person: what :func:`biombo.read` gave, or a pandas, Polars or Arrow table.
        quasi: What an adversary knows, all of it together; by default the quasi columns of the schema.
        fraction: The share of the population that was sampled, at random.
        weight: A column that says how many people each record stands for; by default that of the schema.

    >>> from biombo._data import read
    >>> sample = read(pl.DataFrame({"age": [30, 30, 31, 32, 33, 33, 33], "city": list("aabbccc")}))
    >>> found = population_risk(sample, ["age", "city"], fraction=0.2)
    >>> found.estimate.sample_uniques, found.estimate.prosecutor.mean == 4 / 7
    (2, True)
    >>> found.estimate.dankar.model, round(found.estimate.marketer, 2)
    ('snb', 0.24)
    """
    data = as_dataset(data, quasi, weight)
    scope, weight = check_estimate(data, quasi, fraction, weight)
    evidence = Evidence.of(data, scope)
    _check_people(data, evidence)
    return PopulationRisk(
        quasi=scope.quasi,
        rows=evidence.rows,
        dropped=evidence.dropped,
        binnings=evidence.binnings,
        weight=weight,
        estimate=_estimate(data, evidence, fraction, weight),
        evidence=evidence,
    )


def check_estimate(
    data: Dataset, quasi: Sequence[str] | None, fraction: float | None, weight: str | None
) -> tuple[AttackScope, str | None]:
    """Raise whatever can be known by the columns of ``data``; what is known of people, and the column of weights."""
    scope = AttackScope.of(data, quasi, (), 1)
    chosen = chosen_weight(data, scope.quasi, fraction, weight)
    if fraction is not None:
        check_fraction(fraction)
    return scope, chosen


def _estimate(data: Dataset, evidence: Evidence, fraction: float | None, weight: str | None) -> PopulationEstimate:
    if fraction is not None:
        return PopulationEstimate.of(evidence.cells.groups(evidence.scope.quasi).size, fraction)
    assert weight is not None
    row, group = _groups_of_rows(evidence)
    sizes = tallied(group, int(group.max()) + 1, evidence.valid_rows()[1])
    return PopulationEstimate.weighted(sizes, weight_sums(data, weight, row, group, sizes))


def _groups_of_rows(evidence: Evidence) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The positions of the valid rows of codes, and the number of each one's group, from 0 without gaps."""
    number = evidence.row_groups(evidence.scope.quasi)
    row, _ = evidence.valid_rows()
    return row, np.unique(number[row], return_inverse=True)[1]


def _check_people(data: Dataset, evidence: Evidence) -> None:
    """One record a person, where the table names people."""
    person = data.schema.person
    if person is None or person not in data.columns:
        return
    codes = data[person].codes if evidence.keep is None else data[person].codes[evidence.keep]
    people = len(np.unique(codes))
    if people < evidence.rows:
        raise ColumnError("population.repeated", column=person, source=data.label, people=people, rows=evidence.rows)
