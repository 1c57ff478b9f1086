"""Attribute inference: how often an adversary who knows some quasi columns guesses a sensitive one (Gonze et al. 2024).

The adversary knows the table and the values ``x[Q]`` of one person ``x`` drawn uniformly from it, and guesses the most
frequent sensitive value among the records that share them.

    prior(D)     = max_v |{x ∈ D : x[s] = v}| / |D|                                            (Eq. 1)
    success(x)   = 1/|smf(x)| if x[s] is among the most frequent values smf(x) of x's group, else 0   (Eq. 2)
    posterior(D) = 1/|D| · Σ_x success(x) = Σ over groups of the top count / |D|                (Eq. 3)
    leakage      = posterior − prior; multiplicative: posterior / prior                        (Eq. 4)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._attack.distribution import Distribution
from biombo._attack.evidence import Dropped, Evidence
from biombo._attack.subset_table import flat, one_subset, rows_of_adversaries, strongest
from biombo._cells import SubsetCounts
from biombo._errors import ColumnError, UsageError
from biombo._frames import Framed, FrameKind
from biombo._glance import Glance, Result
from biombo._i18n import text


@dataclass(frozen=True, eq=False)
class Records:
    """The vulnerability of each record to one attack. Personal: keep it out of public folders.

    ``table`` has a row for each valid record, in the table's order: ``row`` (its position in the table, from 0),
    ``vulnerability`` (the top count of its group over the group's size: what the adversary expects) and ``success``
    (Eq. 2: what really happens to this record). The two have the same mean.
    """

    table: pl.DataFrame

    @property
    def vulnerability(self) -> Distribution:
        """How the groups' top/size is spread over the records."""
        return Distribution.of(self.table["vulnerability"].to_numpy())

    @property
    def success(self) -> Distribution:
        """How Eq. 2 is spread over the records."""
        return Distribution.of(self.table["success"].to_numpy())


@dataclass(frozen=True, eq=False, repr=False)
class AttributeInference(Result, Framed):
    """The outcome for every subset of the quasi columns. Made by :func:`biombo.attribute_inference`."""

    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    """What is guessed: each sensitive column, then all together as ``a+b``."""
    rows: int
    """Valid records."""
    dropped: Dropped
    priors: Mapping[str, float]
    entropies: Mapping[str, float]
    """Shannon entropy of each sensitive column, in bits."""
    subsets: pl.DataFrame
    """Per sensitive column and subset: sensitive, size, quasi, posterior, leakage, multiplicative, groups."""
    evidence: Evidence

    @classmethod
    def of(cls, evidence: Evidence, counts: SubsetCounts, named: pl.DataFrame) -> "AttributeInference":
        """Read the attack off a sweep, whose subsets are ``named``."""
        targets = evidence.targets
        priors = {name: int(top) / evidence.rows for name, top in zip(targets, counts.top_of_all, strict=True)}
        tables = [
            _gains(named, name, counts.top[:, place] / evidence.rows, priors[name])
            for place, name in enumerate(targets)
        ]
        return cls(
            quasi=evidence.scope.quasi,
            sensitive=targets,
            rows=evidence.rows,
            dropped=evidence.dropped,
            priors=priors,
            entropies={name: _entropy(evidence, name) for name in targets},
            subsets=pl.concat(tables),
            evidence=evidence,
        )

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        from biombo._attack.as_json import inference_as_json

        return inference_as_json(self)

    def _table(self) -> pl.DataFrame:
        return flat(self.subsets)

    @property
    def _kind(self) -> FrameKind:
        return self.evidence.data.kind

    def _glance(self) -> Glance:
        from biombo._attack.glance import of_inference

        return of_inference(self)

    @property
    def prior(self) -> float:
        """Eq. 1, where one sensitive column is in question."""
        return self.priors[self._one(None)]

    def best(self) -> pl.DataFrame:
        """The strongest subset for each number of columns (Table 2)."""
        return strongest(self.subsets, "sensitive", "size")

    def of_target(self, sensitive: str | None = None) -> pl.DataFrame:
        """The rows of ``subsets`` for one sensitive column."""
        return self.subsets.filter(pl.col("sensitive") == self._one(sensitive))

    def without_each(self) -> pl.DataFrame:
        """The strongest subset when one column is missing (Table 3, whose numbers are posteriors, not leakage)."""
        tables = []
        for column in self.quasi:
            others = self.subsets.filter(~pl.col("quasi").list.contains(column))
            tables.append(strongest(others, "sensitive").with_columns(pl.lit(column).alias("without")))
        columns = ["sensitive", "without", "size", "quasi", "posterior", "leakage", "multiplicative", "groups"]
        order = {name: place for place, name in enumerate(self.sensitive)}
        return pl.concat(tables).sort(pl.col("sensitive").replace_strict(order), maintain_order=True).select(columns)

    def adversaries(self) -> pl.DataFrame:
        """What the adversaries that the schema names gain: adversary, then the columns of ``subsets``."""
        return rows_of_adversaries(self.subsets, self.evidence.adversaries, self._evaluate)

    def distribution(self, subset: Sequence[str], sensitive: str | None = None) -> Distribution:
        """How top/size is spread over the records, for one subset (Fig. 3). Reads cells: cheap at any size."""
        groups = self.evidence.cells.groups(self.evidence.checked(subset), self._one(sensitive))
        return Distribution.of(groups.top / groups.size, groups.size * groups.times)

    def successes(self, subset: Sequence[str], sensitive: str | None = None) -> Distribution:
        """How success(x) of Eq. 2 is spread over the records, for one subset. Reads cells."""
        groups = self.evidence.cells.groups(self.evidence.checked(subset), self._one(sensitive))
        values = np.concatenate([1 / groups.ties, np.zeros(len(groups.size))])
        right = groups.top * groups.ties
        return Distribution.of(values, np.concatenate([right, groups.size - right]) * np.tile(groups.times, 2))

    def records(self, subset: Sequence[str], sensitive: str | None = None) -> Records:
        """The vulnerability of each record, in row order. Personal data: for the private directory only."""
        evidence = self.evidence
        evidence.data.need_rows()
        group = evidence.row_groups(self.evidence.checked(subset))
        pair = evidence.row_groups([*subset, self._one(sensitive)])
        row, _ = evidence.valid_rows()
        group, pair = group[row], pair[row]
        size, count = np.bincount(group), np.bincount(pair)
        group_of_pair = np.zeros(len(count), np.int64)
        group_of_pair[pair] = group
        top = np.zeros(len(size), np.int64)
        np.maximum.at(top, group_of_pair, count)
        is_top = (count == top[group_of_pair]) & (count > 0)
        ties = np.bincount(group_of_pair[is_top], minlength=len(size))
        success = np.where(is_top[pair], 1 / np.maximum(ties[group], 1), 0.0)
        return Records(pl.DataFrame({"row": row, "vulnerability": top[group] / size[group], "success": success}))

    def _evaluate(self, subset: Sequence[str]) -> pl.DataFrame:
        """The rows that ``subsets`` would have for a subset that was not swept."""
        tables = []
        for name in self.sensitive:
            groups = self.evidence.cells.groups(subset, name)
            named, top = one_subset(subset, int(groups.times.sum())), int(groups.top @ groups.times)
            tables.append(_gains(named, name, np.array([top / self.rows]), self.priors[name]))
        return pl.concat(tables)

    def _one(self, sensitive: str | None) -> str:
        if sensitive is None:
            if len(self.sensitive) > 1:
                raise UsageError("attack.which-sensitive", names=", ".join(self.sensitive))
            return self.sensitive[0]
        if sensitive not in self.sensitive:
            raise ColumnError.missing(sensitive, self.sensitive, text("risk.the-sensitive"))
        return sensitive


def _gains(named: pl.DataFrame, sensitive: str, posterior: NDArray[np.float64], prior: float) -> pl.DataFrame:
    """The subsets of ``named`` with what the adversary gains about one sensitive column."""
    return named.select(
        pl.lit(sensitive).alias("sensitive"),
        "size",
        "quasi",
        pl.Series("posterior", posterior),
        pl.Series("leakage", posterior - prior),
        pl.Series("multiplicative", posterior / prior),
        "groups",
    )


def _entropy(evidence: Evidence, column: str) -> float:
    counts, values = evidence.spectrum(column)  # in their order, so that the sum is the same whoever counted
    shares = counts / evidence.rows
    return float(-(values * shares * np.log2(shares)).sum()) + 0.0
