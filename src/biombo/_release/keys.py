"""The keys of a release: the one that signs, and the one that seals the vault."""

from dataclasses import dataclass
from pathlib import Path

from biombo._files import PRIVATE, write_whole
from biombo._secrets import Key, KeyPlace, load_key

RELEASE_KEY = "release.key"
"""A key that was made for one release, in its private folder."""


@dataclass(frozen=True)
class ReleaseKeys:
    """Both keys, which may be the same."""

    signing: Key
    vault: Key

    @classmethod
    def of(cls, private: Path, signing: KeyPlace | None, vault: KeyPlace | None) -> "ReleaseKeys":
        """The keys that are given, and a new one in the private folder for what none is given for."""
        given = [None if place is None else load_key(place) for place in (signing, vault)]
        if None not in given:
            return cls(*filter(None, given))
        new = Key.new()
        write_whole(private / RELEASE_KEY, new.written(), mode=PRIVATE)
        return cls(*(each or new for each in given))
