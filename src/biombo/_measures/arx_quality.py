"""How ARX tells the quality of a result, for comparing with it."""

from dataclasses import dataclass

import numpy as np

from biombo._cells import Counts, tallied
from biombo._engine import numbered
from biombo._measures.local_costs import LocalCosts
from biombo._measures.marginals import Floats, bits_between


@dataclass(frozen=True)
class ArxQuality:
    """What ARX's analysis of a result shows: from 0, nothing is left, to 1, as it was. ARX's domains are those of
    hierarchies.
    """

    granularity: float
    """1 less the mean share of the domain that cells stand for, stretched after the mean over columns."""
    column_granularity: float
    """The mean over cells of 1 − (values that it stands for − 1) / (values of the domain − 1), suppressed ones 0: it is
    stretched by column, before the mean. A column with a domain of one value does not count."""
    entropy: float
    """1 less the non-uniform entropy that is lost, as a share of all that there was, in all columns together."""
    discernibility: float
    """Where the groups' Σ size² lies between that of the original and that of one group of all. A group at the top of
    every hierarchy counts as suppressed."""
    class_size: float
    """Where the mean size of groups lies between that of the original and all records."""

    @classmethod
    def of(cls, costs: LocalCosts, counts: Counts | None = None) -> "ArxQuality":
        """Of one release, local or global, of a table whose rows are the codes of the columns of ``costs``."""
        records = costs.records
        original = _group_sizes(costs, counts)
        merged = (costs.levels == costs.heights).all(axis=1)
        gone = int(costs.suppressed[0] + costs.sizes[merged].sum())
        stay = costs.sizes[~merged].astype(float)
        alone = 1 / costs.domains
        share = (costs.kept_share[0] + costs.suppressed[0]) / max(1, records)
        telling = costs.domains > 1
        stretched = (share - alone)[telling] / (1 - alone[telling])
        values = [held.sum(axis=0) for held in costs.held]
        whole = sum(bits_between(own, np.full_like(own, records), own) for own in values)
        return cls(
            granularity=_left(float(share.mean()), float(alone.mean()), 1.0),
            column_granularity=_left(float(stretched.sum()), 0.0, len(stretched)),
            entropy=_left(float(costs.column_entropy.sum()), 0.0, whole),
            discernibility=_left(
                float((stay**2).sum()) + float(records) * gone, float((original**2).sum()), float(records) ** 2
            ),
            class_size=_left(records / max(1, len(stay) + (gone > 0)), records / len(original), records),
        )


def _left(lost: float, least: float, most: float) -> float:
    """What is left, where ``lost`` lies between the ``least`` and the ``most`` there can be."""
    return 1.0 if most <= least else float(np.clip(1 - (lost - least) / (most - least), 0, 1))


def _group_sizes(costs: LocalCosts, counts: Counts | None) -> Floats:
    """The sizes of the groups before anything was generalised."""
    group, groups = numbered(
        [column.codes for column in costs.columns], [column.levels.shape[1] for column in costs.columns]
    )
    return tallied(group, groups, counts).astype(float)
