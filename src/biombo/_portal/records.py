"""Chains of negotiations as pages read them: once for as long as nothing was added to them."""

from functools import lru_cache
from pathlib import Path

from biombo._negotiate import NegotiationRecord
from biombo._portal.models import Case

_MOST_KEPT = 256
Stamp = tuple[int, int, int]


def record_of(case: Case) -> NegotiationRecord:
    """What is written of a negotiation now. Whether it is whole is another question: :func:`verified_record`."""
    folder = Path(case.folder)
    return _read(case.folder, tuple(_stamp(folder / name) for name in NegotiationRecord.FILES))


def verified_record(case: Case) -> NegotiationRecord:
    """The same, read anew: whoever verifies it looks at what lies there."""
    return NegotiationRecord.read(case.folder)


@lru_cache(maxsize=_MOST_KEPT)
def _read(folder: str, stamps: tuple[Stamp | None, ...]) -> NegotiationRecord:
    del stamps  # another stamp is another record
    return NegotiationRecord.read(folder)


def _stamp(path: Path) -> Stamp | None:
    """What changes with every event, and where the file is put in the place of another."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
