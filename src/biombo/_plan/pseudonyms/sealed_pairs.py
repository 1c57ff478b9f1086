"""Pairs of texts in sealed files, in random order: where one stood among the others would tell whose it is."""

from collections.abc import Mapping
from typing import Any, BinaryIO

import pyarrow as pa

from biombo._engine import Randomness
from biombo._errors import BiomboError
from biombo._secrets import LARGEST, SealedFile, Sealing


def seal_pairs(
    file: BinaryIO, pairs: Mapping[str, str], says: Mapping[str, Any], secret: bytes, random: Randomness
) -> None:
    """Write ``pairs`` in random order (PDPC 2018, 9.13), sealed, after a line with what the file ``says``."""
    order = random.order(len(pairs))
    arrays = [pa.array(texts, pa.large_string()).take(order) for texts in (pairs.keys(), pairs.values())]
    sink = pa.BufferOutputStream()
    batch = pa.RecordBatch.from_arrays(arrays, ["pseudonym", "value"])
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    content = sink.getvalue()
    sealing = Sealing(file, says, secret)
    for start in range(0, content.size, LARGEST):
        sealing.add(content[start : start + LARGEST].to_pybytes())
    sealing.close()


def opened_pairs(file: SealedFile, secret: bytes, damaged: BiomboError) -> dict[str, str]:
    """The pairs in ``file``. Raises ``damaged`` where it is, or is sealed with another secret."""
    content = b"".join(file.chunks(secret, damaged))
    first, second = pa.ipc.open_stream(content).read_all().columns
    return dict(zip(first.to_pylist(), second.to_pylist(), strict=True))
