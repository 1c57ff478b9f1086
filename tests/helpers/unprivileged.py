"""Tests as somebody whom the system can refuse something, also where root runs them."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager

_VERSION = 0x20080522
"""Of what Linux takes and gives: for two halves, the powers in effect, those allowed and those handed on."""


@contextmanager
def unprivileged() -> Iterator[None]:
    """Root stays root by name, and lays down its powers over files for a while."""
    if os.geteuid() != 0:
        yield
        return
    library, header, powers = ctypes.CDLL(None), (ctypes.c_uint32 * 2)(_VERSION, 0), (ctypes.c_uint32 * 6)()
    assert library.capget(header, powers) == 0
    none = (ctypes.c_uint32 * 6)(0, *powers[1:3], 0, *powers[4:])
    assert library.capset(header, none) == 0
    try:
        yield
    finally:
        assert library.capset(header, powers) == 0
