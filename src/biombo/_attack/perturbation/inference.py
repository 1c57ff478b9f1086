"""Attribute inference from perturbed data, scored against the original values.

The adversary has the release R and the true values x[Q] of one person x drawn uniformly from those in the release. It
looks them up in R and guesses the most frequent sensitive value there, or that of all of R where nobody has them.

    smf(q)       = the most frequent values of s among r ∈ R with r[Q] = q; among all of R where there are none
    success(x)   = 1/|smf(x[Q])| if the true x[s] ∈ smf(x[Q]), else 0
    posterior    = mean of success(x) over the original records x
    prior        = share of the most frequent true value (Gonze et al. 2024, Eq. 1)

Where nothing was perturbed, this is the attack of Gonze et al. (2024). Which record of R is whose does not matter.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import polars as pl

from biombo._attack.evidence import Dropped, checked_subset
from biombo._attack.perturbation.guesses import Guessed, guessed
from biombo._attack.perturbation.tables import ReleaseAndTruth
from biombo._attack.scope import AttackScope, joint_name
from biombo._attack.subset_table import flat, strongest
from biombo._data import Binning, Dataset
from biombo._errors import ColumnError, UsageError
from biombo._frames import Framed, FrameKind
from biombo._glance import Glance, Glanced
from biombo._i18n import text


@dataclass(frozen=True, eq=False, repr=False)
class InferenceAgainstTruth(Glanced, Framed):
    """The outcome for every subset of the quasi columns. Made by :func:`biombo.attribute_inference` with ``truth``."""

    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    """What is guessed: each sensitive column, then all together as ``a+b``."""
    rows: int
    """Original records that are attacked."""
    dropped: tuple[Dropped, Dropped]
    """Rows left out of the release and of the truth because of an invalid value."""
    binnings: tuple[Binning, ...]
    priors: Mapping[str, float]
    subsets: pl.DataFrame
    """Per sensitive column and subset: sensitive, size, quasi, posterior, leakage (below 0 where the noise misleads),
    multiplicative, groups of the release, and found: the share of people whose values occur in the release."""
    tables: ReleaseAndTruth

    @property
    def prior(self) -> float:
        """Eq. 1, where one sensitive column is in question."""
        return self.priors[self._one(None)]

    def _table(self) -> pl.DataFrame:
        return flat(self.subsets)

    @property
    def _kind(self) -> FrameKind:
        return self.tables.data[0].kind

    def _glance(self) -> Glance:
        from biombo._attack.glance import of_inference

        return of_inference(self)

    def best(self) -> pl.DataFrame:
        """The strongest subset for each number of columns."""
        return strongest(self.subsets, "sensitive", "size")

    def records(self, subset: Sequence[str], sensitive: str | None = None) -> pl.DataFrame:
        """The success against each original record: ``row`` (in the truth), ``success``. Personal: keep it private."""
        for data in self.tables.data:
            data.need_rows()
        outcome = _attacked(self.tables, checked_subset(subset, self.quasi), self._one(sensitive))
        rows = np.flatnonzero(self.tables.targets) - self.tables.first
        return pl.DataFrame({"row": rows, "success": outcome.success})

    def posterior(self, subset: Sequence[str], sensitive: str | None = None) -> float:
        """How often the guess is right by one subset, whether or not it is among ``subsets``."""
        outcome = _attacked(self.tables, checked_subset(subset, self.quasi), self._one(sensitive))
        return self.tables.mean(outcome.success)

    def _one(self, sensitive: str | None) -> str:
        if sensitive is None and len(self.sensitive) > 1:
            raise UsageError("attack.which-sensitive", names=", ".join(self.sensitive))
        name = self.sensitive[0] if sensitive is None else sensitive
        if name not in self.sensitive:
            raise ColumnError.missing(name, self.sensitive, text("risk.the-sensitive"))
        return name


def infer_against_truth(
    released: Dataset,
    truth: Dataset,
    quasi: Sequence[str] | None,
    sensitive: Sequence[str] | str | None,
    max_size: int | None,
    link: str | None,
) -> InferenceAgainstTruth:
    """See :func:`biombo.attribute_inference`."""
    scope = AttackScope.of(released, quasi, sensitive, max_size)
    if not scope.sensitive:
        raise UsageError("attack.no-sensitive")
    if not isinstance(truth, Dataset):
        raise UsageError("attack.not-read", type=type(truth).__name__)
    tables = ReleaseAndTruth.of(released, truth, scope, link)
    wanted = (*scope.sensitive, *([joint_name(scope.sensitive)] if len(scope.sensitive) > 1 else []))
    priors = {name: _prior(tables, name) for name in wanted}
    subsets = [c for size in range(1, scope.max_size + 1) for c in combinations(scope.quasi, size)]
    rows = [_row(tables, name, c, priors[name]) for name in wanted for c in subsets]
    return InferenceAgainstTruth(
        quasi=scope.quasi,
        sensitive=wanted,
        rows=tables.attacked,
        dropped=tables.dropped,
        binnings=tables.binnings,
        priors=priors,
        subsets=pl.DataFrame(rows),
        tables=tables,
    )


def _attacked(tables: ReleaseAndTruth, subset: Sequence[str], sensitive: str) -> Guessed:
    group, value = tables.groups(subset), tables.columns[sensitive]
    return guessed(group, value, tables.released, tables.targets, tables.counts)


def _prior(tables: ReleaseAndTruth, sensitive: str) -> float:
    column = tables.columns[sensitive]
    counts = tables.counted(column.codes, column.cardinality, tables.targets)
    return float(counts.max() / counts.sum())


def _row(tables: ReleaseAndTruth, sensitive: str, subset: Sequence[str], prior: float) -> dict[str, object]:
    outcome = _attacked(tables, subset, sensitive)
    posterior = tables.mean(outcome.success)
    return {
        "sensitive": sensitive,
        "size": len(subset),
        "quasi": list(subset),
        "posterior": posterior,
        "leakage": posterior - prior,
        "multiplicative": posterior / prior,
        "groups": outcome.groups,
        "found": tables.mean(outcome.found),
    }
