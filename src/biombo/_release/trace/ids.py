"""Trace ids: what a released record is called, so that only its manager can find the original."""

import os
from collections.abc import Iterable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._engine import Origins
from biombo._errors import ColumnError

TRACE_ID = "trace_id"
"""The first column of every release."""

BYTES = 16

Ids = NDArray[np.uint8]
"""Trace ids, 16 bytes each."""
RawIds = NDArray[np.bytes_]
"""The same, one after the other."""

LINK = np.dtype([("id", f"S{BYTES}"), ("place", "<u8"), ("fingerprint", "<u8")])
"""Which released record is which one of the original, and how to recognise that."""


def named(frame: pl.DataFrame, origins: Origins) -> tuple[pl.DataFrame, bytes]:
    """The records of ``frame``, which are in their final order, with a trace id each, and the links to keep.

    Ids are drawn once the order is known, from the system's secure source of randomness.
    """
    if TRACE_ID in frame.columns:
        raise ColumnError("release.trace-id-taken", column=TRACE_ID)
    ids = np.frombuffer(os.urandom(BYTES * frame.height), np.uint8).reshape(-1, BYTES)
    links = np.zeros(frame.height, LINK)
    links["id"] = ids.reshape(-1).view(f"S{BYTES}")
    links["place"] = origins.places
    if origins.prints is not None:
        links["fingerprint"] = origins.prints
    return frame.select(written_ids(ids), pl.all()), links.tobytes()


def written_ids(ids: Ids) -> pl.Series:
    """Trace ids as they stand in a release: 32 hexadecimal digits.

    >>> written_ids(np.arange(16, dtype=np.uint8).reshape(1, 16)).to_list()
    ['000102030405060708090a0b0c0d0e0f']
    """
    raw = pl.Series(TRACE_ID, [row.tobytes() for row in ids], pl.Binary)
    return raw.bin.encode("hex")


def raw_id(trace_id: str) -> bytes | None:
    """The bytes of a trace id; nothing where it is none."""
    try:
        raw = bytes.fromhex(trace_id)
    except ValueError:
        return None
    return raw if len(raw) == BYTES else None


def raw_ids(raw: Iterable[bytes]) -> RawIds:
    """The bytes of trace ids together."""
    return np.array(list(raw), f"S{BYTES}")


def bytes_of(ids: RawIds) -> Ids:
    """Trace ids byte by byte."""
    return np.ascontiguousarray(ids).view(np.uint8).reshape(-1, BYTES)
