"""Which pseudonyms were given before, in a sealed file beside the key: none of them is given to anybody else."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from biombo._errors import InputError, UsageError
from biombo._files import PRIVATE, in_sentences, is_file, replacing
from biombo._secrets import LARGEST, Key, Keys, SealedFile, Sealing

SUFFIX = ".used"
"""What the name of the record has after that of the key's file."""

_MARK, _VERSION = "biombo-used-pseudonyms", 1


@dataclass(eq=False)
class UsedPseudonyms:
    """The pseudonyms that are never to be given again, by the key whose record they are in (PDPC 2018, 9.6).

    What a run gives is noted at once, for its other columns too, and kept once its result is: another run that gave one
    of them meanwhile makes it stop.
    """

    keys: Keys = field(default_factory=Keys)
    _taken: dict[str, set[str]] = field(default_factory=dict)
    _before: dict[str, frozenset[str]] = field(default_factory=dict)

    def taken(self, key_id: str) -> set[str]:
        """All that were given under this key; whoever gives one more adds it."""
        if key_id not in self._taken:
            self._before[key_id] = recorded(self.keys.file_of(key_id), self.keys[key_id])
            self._taken[key_id] = set(self._before[key_id])
        return self._taken[key_id]

    def keep(self) -> None:
        """Write down what was given, for good. Raises where another run has given some of it meanwhile."""
        for key_id, taken in self._taken.items():
            given, key, file = taken - self._before[key_id], self.keys[key_id], self.keys.file_of(key_id)
            with _held(file):
                known = recorded(file, key)
                if not known.isdisjoint(given):
                    raise UsageError("pseudonyms.given-meanwhile", path=str(record_of(file)))
                write_record(file, key, known | given)
            self._before[key_id] = frozenset(taken)


def record_of(key_file: Path) -> Path:
    """Where the record of a key is kept."""
    return key_file.with_name(key_file.name + SUFFIX)


def recorded(key_file: Path, key: Key) -> frozenset[str]:
    """The pseudonyms in the record of ``key``; none where none was begun."""
    path = record_of(key_file)
    if not is_file(path):
        return frozenset()
    damaged, file = InputError("pseudonyms.damaged-record", path=str(path), key_id=key.id), SealedFile.at(path)
    if file is None or file.says.get(_MARK) != _VERSION:
        raise damaged
    content = b"".join(file.chunks(_secret(key), damaged)).decode()
    return frozenset(content.split("\n") if content else ())


def write_record(key_file: Path, key: Key, pseudonyms: frozenset[str]) -> None:
    """Write the record anew, sorted, so that it does not tell which were given together."""
    content = "\n".join(sorted(pseudonyms)).encode()
    with replacing(record_of(key_file), mode=PRIVATE) as file:
        sealing = Sealing(file, {_MARK: _VERSION, "key": key.id}, _secret(key))
        for start in range(0, len(content), LARGEST):
            sealing.add(content[start : start + LARGEST])
        sealing.close()


def _secret(key: Key) -> bytes:
    return key.derived("used pseudonyms")


@contextmanager
def _held(key_file: Path) -> Iterator[None]:
    """Nobody else writes to the record meanwhile."""
    from fcntl import LOCK_EX, flock

    with in_sentences(key_file):
        descriptor = os.open(key_file, os.O_RDONLY)
    try:
        flock(descriptor, LOCK_EX)
        yield
    finally:
        os.close(descriptor)
