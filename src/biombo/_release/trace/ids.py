"""Trace ids: what a released record is called, so that only its manager can find the original."""

import os
from collections.abc import Callable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._engine import Keys
from biombo._errors import ColumnError

TRACE_ID = "trace_id"
"""The first column of every release."""

BYTES = 16

Ids = NDArray[np.uint8]
"""Trace ids, 16 bytes each."""
Places = NDArray[np.uint64]
"""The places of records in the original table, from 0."""


class Links:
    """Which released record is which one of the original, handed on while the records are written."""

    def __init__(self, keep: Callable[[Ids, Keys], object] | None = None) -> None:
        self._keep = keep
        """Called with the trace ids of some records, in the order of the release, and the engine's keys for them."""

    def named(self, frame: pl.DataFrame, keys: Keys) -> pl.DataFrame:
        """The records of ``frame``, which are in their final order, with a trace id each.

        Ids are drawn once the order is known, from the system's secure source of randomness.
        """
        if TRACE_ID in frame.columns:
            raise ColumnError("release.trace-id-taken", column=TRACE_ID)
        ids = np.frombuffer(os.urandom(BYTES * frame.height), np.uint8).reshape(-1, BYTES)
        if self._keep is not None:
            self._keep(ids, keys)
        return frame.select(written_ids(ids), pl.all())


def written_ids(ids: Ids) -> pl.Series:
    """Trace ids as they stand in a release: 32 hexadecimal digits.

    >>> written_ids(np.arange(16, dtype=np.uint8).reshape(1, 16)).to_list()
    ['000102030405060708090a0b0c0d0e0f']
    """
    raw = pl.Series(TRACE_ID, [row.tobytes() for row in ids], pl.Binary)
    return raw.bin.encode("hex")
