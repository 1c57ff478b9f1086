"""The measures of Samarati and Sweeney (1998) and of the field, whatever was generalised how."""

from abc import ABC, abstractmethod
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from biombo._measures.marginals import Floats
from biombo._measures.suppression_factor import SuppressionFactor

Integers = NDArray[np.int64]


class ReleaseCosts(ABC):
    """What releases of one table cost; every number is by release, and so is the first place of every array."""

    suppressed: Integers
    """Records that are dropped."""
    groups: Integers | Floats
    """Groups kept."""
    squares: Floats
    """Σ size² over kept groups."""
    suppressed_share: Floats
    """Per column: Σ over suppressed records of the share of the domain under the value that they would have."""
    weights: Floats
    """Per column: how much it counts; what matters is their proportion."""
    factor: SuppressionFactor
    """How much suppression weighs against generalisation, in loss and entropy."""

    @property
    @abstractmethod
    def records(self) -> int:
        """How many records there were."""

    @property
    @abstractmethod
    def domains(self) -> Floats:
        """Per column: how many values its loss is told over."""

    @property
    @abstractmethod
    def relative_levels(self) -> Floats:
        """Per column: the mean of level/height over kept records."""

    @property
    @abstractmethod
    def kept_share(self) -> Floats:
        """Per column: Σ over kept records of the share of the domain under their value."""

    @property
    @abstractmethod
    def column_entropy(self) -> Floats:
        """Per column: the non-uniform entropy that is lost, in bits."""

    @property
    def completeness(self) -> Floats:
        """The share of records that stay (Samarati and Sweeney 1998)."""
        return 1 - self.suppressed / max(1, self.records)

    @property
    def imprecision(self) -> Floats:
        """The mean of level/height over columns and records, a suppressed record counting 1."""
        kept = self.completeness[:, None]
        return mean_over_columns(kept * self.relative_levels + (1 - kept), self.weights)

    @cached_property
    def column_loss(self) -> Floats:
        """Per column: the mean share of the domain that a value stands for, from 0 (itself) to 1 (anything).

        A domain of one value is lost with suppressed records alone: no level tells less than another.
        """
        records, suppressed = self.records, self.suppressed[:, None]
        alone = self.factor.generalised * records / self.domains
        beyond = self.factor.suppressed * (suppressed - self.suppressed_share)
        lost = self.factor.generalised * self.kept_share + self.suppressed_share + beyond - alone
        by_share = lost / np.where(alone < records, records - alone, 1)
        return np.clip(np.where(alone < records, by_share, suppressed / max(1, records)), 0, 1)

    @property
    def loss(self) -> Floats:
        """The columns' losses as a geometric mean: Π (1 + L)^(1/m) − 1."""
        return np.asarray(np.exp(mean_over_columns(np.log1p(self.column_loss), self.weights)) - 1)

    @property
    def granularity(self) -> Floats:
        """1 less the arithmetic mean of the columns' losses."""
        return 1 - self.mean_loss

    @property
    def mean_loss(self) -> Floats:
        """The arithmetic mean of the columns' losses."""
        return mean_over_columns(self.column_loss, self.weights)

    @property
    def maximum_loss(self) -> Floats:
        """The largest of the columns' losses, each times its weight over the largest weight."""
        return np.asarray((self.column_loss * (self.weights / self.weights.max())).max(axis=1))

    @property
    def entropy(self) -> Floats:
        """Non-uniform entropy in bits, summed over columns; suppressed records lose their generalised value as well."""
        return np.asarray(self.column_entropy @ self.weights)

    @property
    def discernibility(self) -> Floats:
        """Σ size² over groups, a suppressed record counting as many as there are records."""
        return self.squares + float(self.records) * self.suppressed

    @property
    def class_size(self) -> Floats:
        """Records per group, all suppressed ones being one group."""
        return self.records / np.maximum(self.groups + (self.suppressed > 0), 1)


def mean_over_columns(per_column: Floats, weights: Floats) -> Floats:
    """The mean of numbers by column, by release."""
    return np.asarray(per_column @ weights / weights.sum())
