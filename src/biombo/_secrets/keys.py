"""Keys: what only the manager of the data holds, and where they are kept. No plan, log, report or error shows one."""

import hmac
import json
import os
import re
import secrets
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from shlex import quote
from typing import Self

from biombo._errors import InputError, UsageError
from biombo._files import PRIVATE, is_there, reading_from, write_whole
from biombo._i18n import text
from biombo._watch import warn

_BYTES = 32
_MARK = "biombo-key-1"
_ID_OF = b"biombo: the id of a key"
_WRITTEN = re.compile(
    rf"{_MARK} (?P<id>key-[0-9a-f]{{16}}) (review=(?P<review>\d{{4}}-\d\d-\d\d) )?"
    rf"(?P<secret>[0-9a-f]{{{2 * _BYTES}}})\s*"
)

KEYRING = "keyring:"
"""What the name of a key in the system's keyring begins with."""

_SERVICE = "biombo"
_MOST_READ = 1 << 10
_OF_OTHERS = 0o077


@dataclass(frozen=True)
class Key:
    """A secret of 32 random bytes. Plans name it by its ``id``, from which nobody can tell the secret.

    >>> key = Key.new()
    >>> Key.read(key.written()) == key, key.id.startswith("key-")
    (True, True)
    """

    secret: bytes = field(repr=False)
    review: date | None = field(default=None, compare=False)
    """The day by which somebody is to look whether its ciphers are still held to be safe (PDPC 2018, 9.10)."""

    @classmethod
    def new(cls, review: date | None = None) -> Self:
        """A key that was never there before."""
        return cls(secrets.token_bytes(_BYTES), review)

    @property
    def id(self) -> str:
        """What the key is called: the first bytes of an HMAC under it."""
        return f"key-{hmac.digest(self.secret, _ID_OF, 'sha256')[:8].hex()}"

    def __repr__(self) -> str:
        return f"Key({self.id})"

    @property
    def overdue(self) -> bool:
        """Has the day passed by which its ciphers were to be reviewed?"""
        return self.review is not None and self.review < date.today()

    def written(self) -> str:
        """The key as it is kept: for a key file or a keyring, and nowhere else."""
        review = "" if self.review is None else f"review={self.review} "
        return f"{_MARK} {self.id} {review}{self.secret.hex()}\n"

    @classmethod
    def read(cls, written: str) -> "Key | None":
        """The key that is kept as ``written``; none where that is damaged or something else."""
        found = _WRITTEN.fullmatch(written)
        if found is None:
            return None
        try:
            review = None if found["review"] is None else date.fromisoformat(found["review"])
        except ValueError:
            return None
        key = cls(bytes.fromhex(found["secret"]), review)
        return key if key.id == found["id"] else None

    def derived(self, *purpose: str | None) -> bytes:
        """32 bytes for one purpose, which tell nothing about those for another (HKDF-SHA256, RFC 5869)."""
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        info = json.dumps(["biombo", *purpose], ensure_ascii=False).encode()
        return HKDF(algorithm=SHA256(), length=_BYTES, salt=None, info=info).derive(self.secret)


class Keys:
    """The keys at hand while a plan is carried out.

    >>> key = Key.new()
    >>> Keys([key])[key.id] == key
    True
    """

    def __init__(self, keys: Iterable[Key] = (), files: Mapping[str, Path] | None = None) -> None:
        self._by_id: Mapping[str, Key] = {key.id: key for key in keys}
        self._files = files or {}

    def __contains__(self, key_id: str) -> bool:
        return key_id in self._by_id

    def __iter__(self) -> Iterator[Key]:
        return iter(self._by_id.values())

    def __getitem__(self, key_id: str) -> Key:
        """The key of this id. Raises where it is not at hand, before anything is done without it."""
        if key_id in self._by_id:
            return self._by_id[key_id]
        if self._by_id:
            raise UsageError("keys.wrong", needed=key_id, given=", ".join(self._by_id))
        raise UsageError("keys.missing", needed=key_id)

    def file_of(self, key_id: str) -> Path:
        """The file that this key is in, beside which is kept what belongs to it. Raises where it is in none."""
        self[key_id]
        if key_id not in self._files:
            raise UsageError("keys.not-in-file", key_id=key_id)
        return self._files[key_id]


KeyPlace = Key | str | Path
"""A key, the file that it is in, or ``keyring:NAME``."""


def new_key(place: str | Path, *, review: date | None = None) -> str:
    """Make a key, keep it in the file ``place`` (or ``keyring:NAME``), and give its id, for plans to name.

    Nobody can undo what was done with a key that is lost; keep a copy where only those may go who may undo it. Its
    ciphers are to be reviewed by the day ``review``, which is in a year where none is given.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = new_key(f"{folder}/research.key")
    ...     key_id(f"{folder}/research.key") == made
    True
    """
    key = Key.new(in_a_year(date.today()) if review is None else review)
    keep_key(key, place)
    return key.id


def keep_key(key: Key, place: str | Path) -> None:
    """Put a new key to ``place``, where there must be none."""
    if (name := _keyring_name(place)) is not None:
        _put_into_keyring(name, key)
        return
    if is_there(place):
        raise UsageError("keys.exists", path=str(place))
    write_whole(place, key.written(), mode=PRIVATE)


def in_a_year(day: date) -> date:
    """The same day of the next year.

    >>> in_a_year(date(2024, 2, 29))
    datetime.date(2025, 2, 28)
    """
    return day.replace(year=day.year + 1, day=28 if (day.month, day.day) == (2, 29) else day.day)


def set_review(place: str | Path, review: date) -> str:
    """Keep with the key at ``place`` that its ciphers are to be reviewed by the day ``review``; gives its id.

    Nothing else of the key changes, and neither do the pseudonyms that it gives.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = new_key(f"{folder}/research.key")
    ...     same = set_review(f"{folder}/research.key", date(2999, 1, 31))
    ...     same == made, str(load_key(f"{folder}/research.key").review)
    (True, '2999-01-31')
    """
    key = replace(_kept(place), review=review)
    if (name := _keyring_name(place)) is not None:
        _put_into_keyring(name, key, over=True)
    else:
        write_whole(place, key.written(), mode=PRIVATE)
    return key.id


def key_id(place: KeyPlace) -> str:
    """The id of the key that is kept at ``place``: what plans name it by."""
    return load_key(place).id


def load_keys(places: KeyPlace | Iterable[KeyPlace] | None) -> Keys:
    """The keys kept at ``places``, one or several."""
    if places is None:
        return Keys()
    each = [places] if isinstance(places, Key | str | Path) else list(places)
    keys = [load_key(place) for place in each]
    files = {key.id: file for place, key in zip(each, keys, strict=True) if (file := key_file(place)) is not None}
    return Keys(keys, files)


def load_key(place: KeyPlace) -> Key:
    """The key that is kept at ``place``; a warning says so where the review of its ciphers is overdue."""
    key = place if isinstance(place, Key) else _kept(place)
    if key.overdue:
        warn(text("keys.overdue", id=key.id, review=key.review))
    return key


def _kept(place: str | Path) -> Key:
    name = _keyring_name(place)
    written = _in_file(Path(place)) if name is None else _in_keyring(name)
    key = Key.read(written)
    if key is None:
        raise InputError("keys.damaged", place=str(place))
    return key


def key_file(place: KeyPlace) -> Path | None:
    """The file that a key is kept in; none for one in the keyring or at hand."""
    return None if isinstance(place, Key) or _keyring_name(place) is not None else Path(place)


def _keyring_name(place: str | Path) -> str | None:
    if not str(place).startswith(KEYRING):
        return None
    name = str(place).removeprefix(KEYRING)
    if not name:
        raise UsageError("keys.no-name")
    return name


def _in_file(path: Path) -> str:
    with reading_from(path), path.open("rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        content = file.read(_MOST_READ)
    if os.name == "posix" and stat.S_IMODE(mode) & _OF_OTHERS:
        raise InputError("keys.open-to-others", path=str(path))
    return content.decode("ascii", "replace")


def _in_keyring(name: str) -> str:
    from keyring import get_password
    from keyring.errors import KeyringError

    try:
        written = get_password(_SERVICE, name)
    except KeyringError:
        raise InputError("keys.no-keyring") from None
    if written is None:
        raise InputError("keys.not-in-keyring", name=name, quoted=quote(f"{KEYRING}{name}"))
    return written


def _put_into_keyring(name: str, key: Key, *, over: bool = False) -> None:
    from keyring import get_password, set_password
    from keyring.errors import KeyringError

    try:
        if not over and get_password(_SERVICE, name) is not None:
            raise UsageError("keys.in-keyring-already", name=name)
        set_password(_SERVICE, name, key.written())
    except KeyringError:
        raise InputError("keys.no-keyring") from None
