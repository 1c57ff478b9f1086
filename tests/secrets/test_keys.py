"""Keys, their files, and the system's keyring."""

import hmac
import stat
from datetime import date, timedelta
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


@given(secrets, st.dates())
def test_the_day_of_review_is_kept_with_a_key_and_changes_nothing_of_it(secret, day) -> None:
    read = Key.read(Key(secret, day).written())

    assert read == Key(secret)
    assert read is not None
    assert (read.review, read.id, read.derived("a")) == (day, Key(secret).id, Key(secret).derived("a"))


def test_a_new_key_is_to_be_reviewed_in_a_year(tmp_path) -> None:
    bb.new_key(tmp_path / "a.key")
    review = load_key(tmp_path / "a.key").review

    assert review is not None
    assert 364 <= (review - date.today()).days <= 366


def test_a_key_without_a_day_is_read_as_ever_and_can_be_given_one(tmp_path) -> None:
    path = tmp_path / "a.key"
    path.write_text(Key(bytes(32)).written())
    path.chmod(0o600)

    assert load_key(path).review is None
    assert bb.set_review(path, date(2999, 1, 31)) == Key(bytes(32)).id
    assert load_key(path).review == date(2999, 1, 31)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_review_that_is_overdue_is_warned_of_whatever_the_key_is_for(tmp_path) -> None:
    yesterday = date.today() - timedelta(days=1)
    bb.new_key(tmp_path / "a.key", review=yesterday)

    with pytest.warns(bb.BiomboWarning, match=str(yesterday)):
        load_key(tmp_path / "a.key")
    bb.set_review(tmp_path / "a.key", date.today())
    load_key(tmp_path / "a.key")


def test_a_day_that_there_is_not_makes_a_key_damaged() -> None:
    written = Key(bytes(32), date(2999, 1, 31)).written().replace("2999-01-31", "2999-02-31")

    assert Key.read(written) is None


def test_the_day_of_a_key_in_the_keyring_can_be_set(use_keyring) -> None:
    use_keyring(InMemory())
    made = bb.new_key("keyring:research")

    assert bb.set_review("keyring:research", date(2999, 1, 31)) == made
    assert load_key("keyring:research").review == date(2999, 1, 31)
