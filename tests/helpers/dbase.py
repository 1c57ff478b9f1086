"""Writes small made-up dBase files, plain and compressed, byte by byte."""

import struct
import zlib
from collections.abc import Sequence

Field = tuple[str, str, int]
"""Name, type letter, width."""


def dbf(
    fields: Sequence[Field],
    rows: Sequence[Sequence[bytes]],
    *,
    deleted: Sequence[int] = (),
    code_page: int = 3,
    terminator: bytes = b"\r",
    end: bytes = b"\x1a",
) -> bytes:
    """A dBase III file; fields are padded with spaces, numbers on the left."""
    length = 32 + 32 * len(fields) + 1
    record_length = 1 + sum(width for _, _, width in fields)
    start = struct.pack("<B3BIHH17xB2x", 3, 124, 1, 31, len(rows), length, record_length, code_page)
    descriptors = b"".join(
        struct.pack("<11sc4xBB14x", name.encode("cp1252"), kind.encode(), width, 0) for name, kind, width in fields
    )
    records = b"".join(
        (b"*" if place in deleted else b" ")
        + b"".join(
            cell.rjust(width) if kind in "NF" else cell.ljust(width)
            for cell, (_, kind, width) in zip(row, fields, strict=True)
        )
        for place, row in enumerate(rows)
    )
    return start + descriptors + terminator + records + end


def dbc(unpacked: bytes, *, checksum: int | None = None) -> bytes:
    """``unpacked`` as DATASUS compresses it, though without making it any smaller."""
    length = struct.unpack_from("<H", unpacked, 8)[0]
    checksum = zlib.crc32(unpacked) if checksum is None else checksum
    return unpacked[:length] + struct.pack("<I", checksum) + imploded(unpacked[length:])


def imploded(data: bytes) -> bytes:
    """``data`` in PKWARE's format, as literals only: a 0 bit and eight bits each, lowest first."""
    bits = "".join("0" + f"{byte:08b}"[::-1] for byte in data) + "1" + "0000000" + "11111111"
    bits += "0" * (-len(bits) % 8)
    return b"\x00\x06" + bytes(int(bits[place : place + 8][::-1], 2) for place in range(0, len(bits), 8))
