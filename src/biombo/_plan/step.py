"""What is done to the batches of one pass over a table's rows."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Rows = NDArray[np.bool_]
"""A yes or no for each row."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Some rows on their way through a plan."""

    table: pa.RecordBatch
    suppressed: Rows
    """Rows that will not come out. They stay until the end because criteria compare with all records that went in."""


class Step(ABC):
    """Does one thing to each batch of a pass, in the order of the rows."""

    @abstractmethod
    def __call__(self, batch: Batch) -> Batch:
        """The batch afterwards."""

    def finish(self) -> None:  # noqa: B027 - most steps have nothing to say at the end
        """Raise what can only be told once every batch was seen."""
