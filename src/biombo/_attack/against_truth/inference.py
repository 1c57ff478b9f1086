"""Attribute inference from perturbed data, scored against the original values.

The adversary has the release R and the true values x[Q] of one person x drawn uniformly from those in the release. It
looks them up in R and guesses the most frequent sensitive value there, or that of all of R where nobody has them.

    smf(q)       = the most frequent values of s among r ∈ R with r[Q] = q; among all of R where there are none
    success(x)   = 1/|smf(x[Q])| if the true x[s] ∈ smf(x[Q]), else 0
    posterior    = mean of success(x) over the original records x
    prior        = share of the most frequent true value (document 000, Eq. 1)

Where nothing was perturbed, this is the attack of document 000. Which record of R is whose does not matter.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._attack.against_truth.two_tables import ReleaseAndTruth
from biombo._attack.evidence import Dropped, checked_subset
from biombo._attack.question import Question, joint_name
from biombo._attack.subset_table import strongest
from biombo._data import Binning, Dataset
from biombo._errors import ColumnError, UsageError
from biombo._i18n import text

Successes = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class InferenceAgainstTruth:
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

    def best(self) -> pl.DataFrame:
        """The strongest subset for each number of columns."""
        return strongest(self.subsets, "sensitive", "size")

    def records(self, subset: Sequence[str], sensitive: str | None = None) -> pl.DataFrame:
        """The success against each original record: ``row`` (in the truth), ``success``. Personal: keep it private."""
        outcome = _attacked(self.tables, checked_subset(subset, self.quasi), self._one(sensitive))
        rows = np.flatnonzero(self.tables.targets) - self.tables.first
        return pl.DataFrame({"row": rows, "success": outcome.success})

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
    question = Question.of(released, quasi, sensitive, max_size)
    if not question.sensitive:
        raise UsageError("attack.no-sensitive")
    if not isinstance(truth, Dataset):
        raise UsageError("attack.not-read", type=type(truth).__name__)
    tables = ReleaseAndTruth.of(released, truth, question, link)
    wanted = (*question.sensitive, *([joint_name(question.sensitive)] if len(question.sensitive) > 1 else []))
    priors = {name: _prior(tables, name) for name in wanted}
    subsets = [c for size in range(1, question.max_size + 1) for c in combinations(question.quasi, size)]
    rows = [_row(_attacked(tables, c, name), name, c, priors[name]) for name in wanted for c in subsets]
    return InferenceAgainstTruth(
        quasi=question.quasi,
        sensitive=wanted,
        rows=int(tables.targets.sum()),
        dropped=tables.dropped,
        binnings=tables.binnings,
        priors=priors,
        subsets=pl.DataFrame(rows),
        tables=tables,
    )


@dataclass(frozen=True, eq=False)
class _Outcome:
    success: Successes
    """Per target."""
    groups: int
    """In the release."""
    found: float
    """The share of targets whose group is in the release."""


def _attacked(tables: ReleaseAndTruth, subset: Sequence[str], sensitive: str) -> _Outcome:
    group = tables.groups(subset)
    value = tables.columns[sensitive].codes.astype(np.int64)
    guesses = _guesses(group[tables.released], value[tables.released])
    in_all = _guesses(np.zeros(int(tables.released.sum()), np.int64), value[tables.released]).drop("group")
    targets = pl.DataFrame({"group": group[tables.targets].astype(np.int64), "value": value[tables.targets]})
    scored = (
        targets.join(guesses.select("group").unique().with_columns(found=True), on="group", how="left")
        .join(guesses, on=["group", "value"], how="left")
        .join(in_all.rename({"chance": "chance_in_all"}), on="value", how="left", maintain_order="left")
        .select(
            pl.col("found").fill_null(False),
            success=pl.when("found").then("chance").otherwise("chance_in_all").fill_null(0.0),
        )
    )
    found = scored["found"].to_numpy()
    return _Outcome(scored["success"].to_numpy(), guesses["group"].n_unique(), float(found.mean()))


def _guesses(group: NDArray[np.integer], value: NDArray[np.int64]) -> pl.DataFrame:
    """The most frequent values of each group, and the chance that the adversary names each of them."""
    counted = pl.DataFrame({"group": group.astype(np.int64), "value": value}).group_by("group", "value").len()
    top = counted.filter(pl.col("len") == pl.col("len").max().over("group"))
    return top.select("group", "value", chance=1 / pl.len().over("group"))


def _prior(tables: ReleaseAndTruth, sensitive: str) -> float:
    counts = np.bincount(tables.columns[sensitive].codes[tables.targets])
    return float(counts.max() / counts.sum())


def _row(outcome: _Outcome, sensitive: str, subset: Sequence[str], prior: float) -> dict[str, object]:
    posterior = float(outcome.success.mean())
    return {
        "sensitive": sensitive,
        "size": len(subset),
        "quasi": list(subset),
        "posterior": posterior,
        "leakage": posterior - prior,
        "multiplicative": posterior / prior,
        "groups": outcome.groups,
        "found": outcome.found,
    }
