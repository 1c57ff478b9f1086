"""Re-identification in perturbed data: does the record that an adversary picks belong to the person?

The adversary has the release R and the true values x[Q] of one person x drawn uniformly from those in the release. It
picks one of the records with these values, or any record of R where nobody has them.

    match(x)     = the r ∈ R with r[Q] = x[Q]; all of R where there are none
    success(x)   = 1/|match(x)| if the person's own record is in match(x), else 0
    posterior    = mean of success(x) over the original records x
    prior        = 1/|R|

Where nothing was perturbed, this is re-identification in the table itself: groups / records.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._attack.evidence import Dropped, checked_subset
from biombo._attack.perturbation.tables import ReleaseAndTruth
from biombo._attack.scope import AttackScope
from biombo._attack.subset_table import flat, strongest
from biombo._data import Dataset, written
from biombo._errors import UsageError
from biombo._frames import Framed, FrameKind
from biombo._glance import Glance, Glanced

Successes = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class IdentityAgainstTruth(Glanced, Framed):
    """The outcome for every subset of the quasi columns. Made by :func:`biombo.reidentification` with ``truth``."""

    quasi: tuple[str, ...]
    rows: int
    """Original records that are attacked."""
    dropped: tuple[Dropped, Dropped]
    """Rows left out of the release and of the truth because of an invalid value."""
    prior: float
    subsets: pl.DataFrame
    """Per subset: size, quasi, posterior, groups of the release, and found: the share of people whose values occur in
    the release."""
    tables: ReleaseAndTruth
    own: NDArray[np.int64]
    """Per original record attacked: the row of the release that is its own; or per tuple of both tables."""

    def _table(self) -> pl.DataFrame:
        return flat(self.subsets)

    @property
    def _kind(self) -> FrameKind:
        return self.tables.data[0].kind

    def _glance(self) -> Glance:
        from biombo._attack.glance import of_identity_against_truth

        return of_identity_against_truth(self)

    def best(self) -> pl.DataFrame:
        """The strongest subset for each number of columns."""
        return strongest(self.subsets, "size")

    def posterior(self, subset: Sequence[str]) -> float:
        """How often the record that is picked is the person's own, by one subset."""
        return self.tables.mean(_attacked(self.tables, self.own, checked_subset(subset, self.quasi)).success)

    def records(self, subset: Sequence[str]) -> pl.DataFrame:
        """The success against each original record: ``row`` (in the truth), ``success``. Personal: keep it private."""
        for data in self.tables.data:
            data.need_rows()
        outcome = _attacked(self.tables, self.own, checked_subset(subset, self.quasi))
        rows = np.flatnonzero(self.tables.targets) - self.tables.first
        return pl.DataFrame({"row": rows, "success": outcome.success})


def reidentify_against_truth(
    released: Dataset, truth: Dataset, quasi: Sequence[str] | None, max_size: int | None, link: str | None
) -> IdentityAgainstTruth:
    """See :func:`biombo.reidentification`."""
    scope = AttackScope.of(released, quasi, [], max_size)
    if not isinstance(truth, Dataset):
        raise UsageError("attack.not-read", type=type(truth).__name__)
    if released.counts is None or released.counts is not truth.counts:  # tuples of both tables say who is who
        for data in (released, truth):
            data.need_rows()
    tables = ReleaseAndTruth.of(released, truth, scope, link)
    own = _own_rows(released, truth, link)[tables.targets[tables.first :]]
    subsets = [c for size in range(1, scope.max_size + 1) for c in combinations(scope.quasi, size)]
    return IdentityAgainstTruth(
        quasi=scope.quasi,
        rows=tables.attacked,
        dropped=tables.dropped,
        prior=1 / tables.in_release,
        subsets=pl.DataFrame([_row(tables, own, subset) for subset in subsets]),
        tables=tables,
        own=own,
    )


def _own_rows(released: Dataset, truth: Dataset, link: str | None) -> NDArray[np.int64]:
    """Per original row: the row of the same person in the release, -1 where there is none."""
    if link is None:
        return np.arange(truth.rows)
    places = pl.DataFrame({"id": written(released[link].decoded()), "own": np.arange(released.rows)})
    people = pl.DataFrame({"id": written(truth[link].decoded())})
    own = people.join(places, on="id", how="left", maintain_order="left")["own"].fill_null(-1)
    return own.to_numpy().astype(np.int64)


@dataclass(frozen=True, eq=False)
class _Outcome:
    success: Successes
    """Per target: the chance that the record picked is the person's own."""
    groups: int
    """In the release."""
    found: float
    """The share of targets whose group is in the release."""


def _attacked(tables: ReleaseAndTruth, own: NDArray[np.int64], subset: Sequence[str]) -> _Outcome:
    group = tables.groups(subset)
    size = tables.counted(group.codes, group.cardinality, tables.released)
    matches = size[group.codes[tables.targets]]
    found = matches > 0
    is_own = tables.released[own] & (group.codes[own] == group.codes[tables.targets])
    anyone = tables.released[own] / tables.in_release
    success = np.where(found, is_own / np.maximum(matches, 1), anyone)
    return _Outcome(success, int((size > 0).sum()), tables.mean(found))


def _row(tables: ReleaseAndTruth, own: NDArray[np.int64], subset: Sequence[str]) -> dict[str, object]:
    outcome = _attacked(tables, own, subset)
    return {
        "size": len(subset),
        "quasi": list(subset),
        "posterior": tables.mean(outcome.success),
        "groups": outcome.groups,
        "found": outcome.found,
    }
