"""Trace ids: what a released record is called, so that only its manager can find the original."""

import os
from collections.abc import Callable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._engine import Writer
from biombo._errors import ColumnError
from biombo._plan import PLACE

TRACE_ID = "trace_id"
"""The first column of every release."""

BYTES = 16

Ids = NDArray[np.uint8]
"""Trace ids, 16 bytes each."""
Places = NDArray[np.uint64]
"""The places of records in the original table, from 0."""


class Links:
    """Which released record comes from which place, handed on while the records are written."""

    def __init__(self, keep: Callable[[Ids, Places], object] | None = None) -> None:
        self._keep = keep
        """Called with the trace ids of some records, in the order of the release, and the places they come from."""
        self._places: list[Places] = []

    def writer(self, onward: Writer) -> Writer:
        """A writer that gives each record its trace id, and hands it on without its place."""
        return _Naming(onward, self)

    def add(self, ids: Ids, places: Places) -> None:
        """Take in some records."""
        self._places.append(places)
        if self._keep is not None:
            self._keep(ids, places)

    @property
    def places(self) -> Places:
        """The places that all released records come from, in the order of the release."""
        return np.concatenate([np.zeros(0, np.uint64), *self._places])


class _Naming(Writer):
    """Ids are drawn once the records are in their final order, from the system's secure source of randomness."""

    def __init__(self, onward: Writer, links: Links) -> None:
        self._onward = onward
        self._links = links

    def write(self, frame: pl.DataFrame) -> None:
        if TRACE_ID in frame.columns:
            raise ColumnError("release.trace-id-taken", column=TRACE_ID)
        ids = np.frombuffer(os.urandom(BYTES * frame.height), np.uint8).reshape(-1, BYTES)
        self._links.add(ids, frame[PLACE].to_numpy())
        self._onward.write(frame.select(written_ids(ids), pl.exclude(PLACE)))


def written_ids(ids: Ids) -> pl.Series:
    """Trace ids as they stand in a release: 32 hexadecimal digits.

    >>> written_ids(np.arange(16, dtype=np.uint8).reshape(1, 16)).to_list()
    ['000102030405060708090a0b0c0d0e0f']
    """
    raw = pl.Series(TRACE_ID, [row.tobytes() for row in ids], pl.Binary)
    return raw.bin.encode("hex")
