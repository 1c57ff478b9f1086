"""Keyed fingerprints of records and files, by which a source is recognised as the one that was published.

They are BLAKE2b under a secret of the release, so nobody without the key learns anything from them or can make one. The
64 bits of a record's are enough against change by accident, or by somebody without the key: that another record has the
same happens once in 10¹⁹ comparisons. Whoever holds the key is trusted: the vault is theirs.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
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

    def of_records(
        self, source: Source, columns: Sequence[str], seen: Callable[[int], object] | None = None
    ) -> Fingerprints:
        """That of each record, over ``columns``; ``seen`` is called now and then with the number of records so far."""
        table, rows = SourceTable((source,), None), 0
        table.check(columns)
        found = []
        for label, batch in table.batches(columns):
            found += [self._of_rows(texts) for texts in canonical_rows(batch, label)]
            rows += batch.num_rows
            if seen is not None:
                seen(rows)
        return np.concatenate([np.zeros(0, np.uint64), *found])

    def of_all(self, records: Fingerprints) -> str:
        """That of all records in their order, from their own."""
        whole = hashlib.blake2b(records.astype("<u8").tobytes(), digest_size=_OF_WHOLE, key=self.secret)
        return whole.hexdigest()

    def _of_rows(self, texts: pa.Array) -> Fingerprints:
        digests = b"".join(self._digests(texts.cast(pa.large_binary())))
        return np.frombuffer(digests, "<u8").astype(np.uint64)

    def _digests(self, rows: pa.Array) -> Iterator[bytes]:
        for row in rows.to_pylist():
            yield hashlib.blake2b(row, digest_size=_OF_RECORD, key=self.secret).digest()
