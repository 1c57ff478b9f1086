"""Keys, their files, and the system's keyring."""

import hmac
import stat
from pathlib import Path

import hypothesis.strategies as st
import keyring
import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hypothesis import given
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as NoKeyring
from refusal import refused

import biombo as bb
from biombo._secrets import Key, load_key

secrets = st.binary(min_size=32, max_size=32)


class InMemory(KeyringBackend):
    """A keyring that forgets everything."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service, username):
        return self.kept.get((service, username))

    def set_password(self, service, username, password):
        self.kept[service, username] = password


@pytest.fixture
def use_keyring():
    before = keyring.get_keyring()
    yield keyring.set_keyring
    keyring.set_keyring(before)


def test_a_key_file_is_for_its_owner_alone(tmp_path) -> None:
    made = bb.new_key(tmp_path / "a.key")

    assert stat.S_IMODE((tmp_path / "a.key").stat().st_mode) == 0o600
    assert bb.key_id(tmp_path / "a.key") == made
    assert len(load_key(tmp_path / "a.key").secret) == 32


def test_every_key_is_another(tmp_path) -> None:
    assert len({bb.new_key(tmp_path / str(number)) for number in range(20)}) == 20


@given(secrets)
def test_a_key_can_be_written_and_read(secret) -> None:
    assert Key.read(Key(secret).written()) == Key(secret)


@given(secrets, st.integers(0, 97), st.sampled_from("0123456789abcdef x"))
def test_a_key_with_a_wrong_letter_is_not_taken_for_one(secret, place, letter) -> None:
    written = Key(secret).written()
    changed = written[:place] + letter + written[place + 1 :]

    assert changed == written or Key.read(changed) is None


@given(secrets, st.text(), st.text())
def test_what_is_derived_depends_on_the_whole_purpose(secret, one, other) -> None:
    key = Key(secret)

    assert key.derived(one, other) != key.derived(one + other)
    assert (key.derived(one) == key.derived(other)) == (one == other)
    assert key.derived(one, None) != key.derived(one, "null")


def test_derivation_is_hkdf_and_stays_as_it_is() -> None:
    """Were it to change, pseudonyms that are to be the same for years would not be."""
    info = b'["biombo", "pseudonyms", "keyed", "nome", null]'
    expected = HKDF(algorithm=SHA256(), length=32, salt=None, info=info).derive(bytes(32))

    assert Key(bytes(32)).derived("pseudonyms", "keyed", "nome", None) == expected
    assert Key(bytes(32)).id == "key-" + hmac.new(bytes(32), b"biombo: the id of a key", "sha256").hexdigest()[:16]


def test_a_key_is_never_overwritten(tmp_path) -> None:
    made = bb.new_key(tmp_path / "a.key")

    with refused("keys.exists", "a.key"):
        bb.new_key(tmp_path / "a.key")
    assert bb.key_id(tmp_path / "a.key") == made


def test_a_key_file_that_others_may_read_is_refused(tmp_path) -> None:
    bb.new_key(tmp_path / "a.key")
    (tmp_path / "a.key").chmod(0o640)

    with refused("keys.open-to-others", "a.key"):
        bb.key_id(tmp_path / "a.key")


@pytest.mark.parametrize("content", [b"", b"secret", b"\xff\xfe", b"x" * 5000])
def test_what_is_no_key_is_refused_without_being_shown(tmp_path, content) -> None:
    path = tmp_path / "a.key"
    path.write_bytes(content)
    path.chmod(0o600)

    with refused("keys.damaged", "a.key"):
        bb.key_id(path)


@pytest.mark.parametrize("place", ["none.key", "."])
def test_a_key_file_that_is_not_there_is_named(tmp_path, place) -> None:
    with refused("input.unreadable", str(tmp_path)):
        bb.key_id(Path(tmp_path, place))


def test_a_key_can_be_kept_in_the_keyring(use_keyring) -> None:
    use_keyring(InMemory())
    made = bb.new_key("keyring:research")

    assert bb.key_id("keyring:research") == made
    with refused("keys.in-keyring-already", "research"):
        bb.new_key("keyring:research")
    with refused("keys.not-in-keyring", "other"):
        bb.key_id("keyring:other")
    with refused("keys.no-name"):
        bb.key_id("keyring:")


def test_a_system_without_a_keyring_is_told(use_keyring) -> None:
    use_keyring(NoKeyring())

    with refused("keys.no-keyring"):
        bb.new_key("keyring:research")
    with refused("keys.no-keyring"):
        bb.key_id("keyring:research")
