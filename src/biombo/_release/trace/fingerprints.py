"""Keyed fingerprints of records and files, by which a source is recognised as the one that was published.

They are BLAKE2b under a secret of the release, so nobody without the key learns anything from them or can make one. The
64 bits of a record's are enough against change by accident, or by somebody without the key: that another record has the
same happens once in 10¹⁹ comparisons. Whoever holds the key is trusted: the vault is theirs.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from biombo._data import Source, SourceTable, canonical_rows
from biombo._files import reading_from
from biombo._secrets import Key

Fingerprints = NDArray[np.uint64]
"""Those of records, in their order."""

_OF_RECORD, _OF_WHOLE = 8, 32


@dataclass(frozen=True)
class Fingerprinting:
    """Makes the fingerprints of one release."""

    secret: bytes = field(repr=False)

    @classmethod
    def of(cls, key: Key, release: str) -> "Fingerprinting":
        """With the secret that follows from the vault's key for this."""
        return cls(key.derived("fingerprints", release))

    def of_file(self, path: Path) -> str:
        """That of all bytes of a file."""
        with reading_from(path), path.open("rb") as file:
            return hashlib.file_digest(file, lambda: hashlib.blake2b(key=self.secret)).hexdigest()

    def of_records(self, source: Source, columns: Sequence[str]) -> Fingerprints:
        """That of each record, over ``columns``."""
        table = SourceTable((source,), None)
        table.check(columns)
        return np.concatenate(
            [np.zeros(0, np.uint64), *(self.of_rows(batch, label) for label, batch in table.batches(columns))]
        )

    def of_all(self, prints: Iterable[Fingerprints]) -> str:
        """That of all records in their order, from their own."""
        whole = hashlib.blake2b(digest_size=_OF_WHOLE, key=self.secret)
        for some in prints:
            whole.update(some.astype("<u8").tobytes())
        return whole.hexdigest()

    def of_rows(self, batch: pa.RecordBatch, source: str) -> Fingerprints:
        """That of each row."""
        found = [self._of_texts(texts) for texts in canonical_rows(batch, source)]
        return np.concatenate([np.zeros(0, np.uint64), *found])

    def _of_texts(self, texts: pa.Array) -> Fingerprints:
        digests = b"".join(self._digests(texts.cast(pa.large_binary())))
        return np.frombuffer(digests, "<u8").astype(np.uint64)

    def _digests(self, rows: pa.Array) -> Iterator[bytes]:
        for row in rows.to_pylist():
            yield hashlib.blake2b(row, digest_size=_OF_RECORD, key=self.secret).digest()
