"""Addresses without their passwords, held against how PostgreSQL's own library reads them."""

from pathlib import PurePath
from urllib.parse import quote, unquote

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg.conninfo import conninfo_to_dict

from biombo._addresses import discreet, holds_password, is_path, passwords, without_password
from biombo._errors import InputError

SECRETS = {"password", "sslpassword"}
words = st.text("abcXYZ019", min_size=1, max_size=5)
secrets = st.text("ab01#?:/@&=% +'\\", min_size=1, max_size=8).map("qq{}".format)
secret_names = st.sampled_from(["password", "sslpassword", "pass%77ord"])
names = st.sampled_from(["sslmode", "options", "application_name", "passfile"])
values = words | st.sampled_from(["-c%20search_path%3Dsaude", "a%26b", "%20", ""])


@st.composite
def addresses(draw: st.DrawFn) -> str:
    """What people write, also wrongly: with letters in the password that mean something else."""
    user = draw(st.none() | words)
    password = draw(st.none() | secrets | secrets.map(lambda secret: quote(secret, safe="")))
    hosts = draw(st.lists(words | words.map("{}:5432".format) | st.just("[::1]"), max_size=2))
    parameters = draw(st.lists(st.tuples(names, values) | st.tuples(secret_names, values | secrets), max_size=3))
    before = "" if user is None else user + ("" if password is None else f":{password}") + "@"
    after = "&".join(f"{name}={value}" for name, value in parameters)
    return f"postgresql://{before}{','.join(hosts)}/{draw(words | st.just(''))}{'?' if after else ''}{after}"


def read(address: str) -> dict[str, str] | None:
    """As PostgreSQL's library has it; nothing where it refuses it."""
    try:
        return conninfo_to_dict(address)
    except psycopg.ProgrammingError:
        return None


@given(addresses())
def test_nothing_but_the_password_is_taken_out(address):
    kept, meant = without_password(address), read(address)
    if kept is None or meant is None:
        return

    assert read(kept) == {name: value for name, value in meant.items() if name not in SECRETS}
    assert {meant[name] for name in SECRETS & meant.keys() if meant[name]} <= set(passwords(address) or ())


@given(addresses())
def test_no_password_is_left_however_it_is_written(address):
    kept = without_password(address)

    assert kept is None or "qq" not in unquote(kept)


@given(addresses())
def test_what_has_no_password_stays_as_it_is(address):
    kept = without_password(address)

    assert kept is None or without_password(kept) == kept
    assert kept is None or kept == address or passwords(address) or ":@" in address or "ord=" in address


@given(user=words, secret=secrets.filter(lambda secret: "@" not in secret), before=words, after=words)
def test_no_password_gets_into_a_message(user, secret, before, after):
    address = f"postgresql://{user}:{secret}@host/people"
    for typed in (address, PurePath(address), [before, address], {after: (address,)}, f"{before} {address}"):
        error = InputError("input.missing-file", path=typed)

        assert secret not in str(error)
        assert secret not in repr(error)
        assert "host/people" in str(error)


@pytest.mark.parametrize(
    "typed",
    [
        "postgresql:/ana:hunter2@h/db",
        "ana:hunter2@h/db",
        "postgresql://ana:hunter2",
        "postgresql://ana:hunter2/db",
        "host=h user=ana password=hunter2",
        "host=h password = 'my hunter2'",
        "postgresql://h/db?sslpassword=hunter2",
        "postgresql://h/db?a=1&PASS%57ORD=hunter2",
        "host=h password=a&hunter2",
        "host=h password=a\\ hunter2",
        "host=h password='a'\n'hunter2'",
        "postgresql://h/db?password=a\nhunter2&x=hunter2",
        "postgresql://ana:a\nhunter2@h/db",
        "postgresql://ana:a hunter2",
        "password: hunter2",
    ],
)
def test_so_are_those_of_things_like_addresses(typed):
    assert "hunter2" not in discreet(typed)


@pytest.mark.parametrize("typed", ["postgresql://h:5432/db", "https://x.gov:8080", "see https://x.gov: or a.csv"])
def test_a_port_is_no_password(typed):
    assert discreet(typed) == typed


@pytest.mark.parametrize("text", ["see https://dados.gov.br: write to ana@gov.br", "mailto:ana@gov.br", "12:30", "a=b"])
def test_other_texts_hold_no_password(text):
    assert not holds_password(text)


@pytest.mark.parametrize("value", ["a.csv", 5, None, ["a", 1], ("a", None), {"a": [1.5]}, {1, 2}])
def test_other_values_are_shown_as_they_are(value):
    assert discreet(value) == value
    assert type(discreet(value)) is type(value)


@pytest.mark.parametrize("place", ["register.db", "/srv/year=2026/register.db", "./host=h"])
def test_a_path_is_a_path(place):
    assert is_path(place)


@pytest.mark.parametrize("place", ["host=h", "dbname=x user=y", "a;Password=b", "postgresql://h/x", "u:p@h/d", "", " "])
def test_what_may_be_meant_as_an_address_is_none(place):
    assert not is_path(place)
