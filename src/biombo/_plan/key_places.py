"""Where keys are kept: in files that only their owner may read, or in the system's keyring."""

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from biombo._errors import InputError, UsageError, system_reason
from biombo._files import PRIVATE, write_whole
from biombo._plan.keys import Key, Keys

KEYRING = "keyring:"
"""What the name of a key in the system's keyring begins with."""

_SERVICE = "biombo"
_MOST_READ = 1 << 10
_OF_OTHERS = 0o077

KeyPlace = Key | str | Path
"""A key, the file that it is in, or ``keyring:NAME``."""


def new_key(place: str | Path) -> str:
    """Make a key, keep it in the file ``place`` (or ``keyring:NAME``), and give its id, for plans to name.

    Nobody can undo what was done with a key that is lost; keep a copy where only those may go who may undo it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = new_key(f"{folder}/research.key")
    ...     key_id(f"{folder}/research.key") == made
    True
    """
    key = Key.new()
    if (name := _keyring_name(place)) is not None:
        _put_into_keyring(name, key)
    else:
        if Path(place).exists():
            raise UsageError("keys.exists", path=str(place))
        write_whole(place, key.written(), mode=PRIVATE)
    return key.id


def key_id(place: KeyPlace) -> str:
    """The id of the key that is kept at ``place``: what plans name it by."""
    return load_key(place).id


def load_keys(places: KeyPlace | Iterable[KeyPlace] | None) -> Keys:
    """The keys kept at ``places``, one or several."""
    if places is None:
        return Keys()
    if isinstance(places, Key | str | Path):
        places = [places]
    return Keys(map(load_key, places))


def load_key(place: KeyPlace) -> Key:
    """The key that is kept at ``place``."""
    if isinstance(place, Key):
        return place
    name = _keyring_name(place)
    written = _in_file(Path(place)) if name is None else _in_keyring(name)
    key = Key.read(written)
    if key is None:
        raise InputError("keys.damaged", place=str(place))
    return key


def _keyring_name(place: str | Path) -> str | None:
    if not str(place).startswith(KEYRING):
        return None
    name = str(place).removeprefix(KEYRING)
    if not name:
        raise UsageError("keys.no-name")
    return name


def _in_file(path: Path) -> str:
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            content = file.read(_MOST_READ)
    except OSError as error:
        raise InputError("input.unreadable", path=str(path), detail=system_reason(error)) from None
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
        raise InputError("keys.not-in-keyring", name=name)
    return written


def _put_into_keyring(name: str, key: Key) -> None:
    from keyring import get_password, set_password
    from keyring.errors import KeyringError

    try:
        if get_password(_SERVICE, name) is not None:
            raise UsageError("keys.in-keyring-already", name=name)
        set_password(_SERVICE, name, key.written())
    except KeyringError:
        raise InputError("keys.no-keyring") from None
