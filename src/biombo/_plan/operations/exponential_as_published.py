"""The exponential mechanism as in Moraes et al. (2025): weighted by the data's own frequencies, without a guarantee."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from biombo._data import Role, written
from biombo._engine import Change
from biombo._plan.operations.mechanism import EPSILON, refuse_epsilon
from biombo._plan.operations.operation import CountingOperation, Seen
from biombo._plan.privacy.channel import Channel
from biombo._plan.privacy.redrawn import Redrawn


@dataclass(frozen=True)
class ExponentialAsPublished(CountingOperation):
    """Release for every record a value that occurs in ``column``, with a probability ∝ exp(ε f / 2).

    f is the value's share of the records. **It guarantees nothing**: the values and their frequencies are those of the
    data, looked at once for every record. It is there to reproduce Moraes et al. (2025); :class:`Exponential` is sound.

    >>> ExponentialAsPublished("city", 1).to_tree()
    {'exponential-as-published': {'column': 'city', 'epsilon': 1}}
    """

    name: ClassVar[str] = "exponential-as-published"
    roles: ClassVar[tuple[Role, ...]] = ("quasi", "sensitive", "other")
    truthful: ClassVar[bool] = False
    reversible: ClassVar[bool] = False
    repeatable: ClassVar[bool] = False
    noisy: ClassVar[bool] = True
    leaks: ClassVar[str] = "privacy.leaks.exponential-as-published"

    column: str
    epsilon: float = field(metadata=EPSILON)

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_epsilon(self, self.column, self.epsilon)

    def decide(self, seen: Seen) -> Change:
        """Every record gets a value by the same weights: those of the records that come out."""
        column = seen.data[self.column]
        counts = np.zeros(column.cardinality, np.int64)
        np.add.at(counts, column.codes[~seen.out], seen.counts[~seen.out])
        shares = counts / max(1, counts.sum())
        values = written(column.values).to_list()
        weights = np.where(counts > 0, np.exp(self.epsilon * shares / 2), 0.0)
        rows = np.broadcast_to(weights, (len(values),) * 2)
        return Redrawn(self.column, Channel(tuple(values), rows))
