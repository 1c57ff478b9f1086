"""How a release comes on record: by ``biombo publish``, or afterwards by ``biombo register add``."""

import json
import sqlite3
from pathlib import Path

import polars as pl
import pytest

import biombo as bb

WHERE = ("--department", "Surveillance", "--review", "2027-01-31")
PUBLIC = ("--release-model", "public", "--harm", "medium")


@pytest.fixture
def table(tmp_path) -> Path:
    people = {"sex": ["F", "M"] * 20, "disease": ["flu", "gout", "asthma", "flu"] * 10}
    pl.DataFrame(people).write_csv(tmp_path / "people.csv")
    return tmp_path / "people.csv"


@pytest.fixture
def url(tmp_path) -> str:
    return f"sqlite:///{tmp_path}/register.db"


@pytest.fixture
def publish(biombo, table, tmp_path):
    def run(*options: object):
        asked = ("--quasi", "sex", "--sensitive", "disease", "--k", 10)
        return biombo("publish", table, *asked, "--out", tmp_path / "release", *options)

    return run


@pytest.fixture
def release(publish, tmp_path) -> Path:
    """A release that is not on record."""
    publish(*PUBLIC)
    return tmp_path / "release"


def test_the_environment_names_the_register_for_publish_and_verify(biombo, publish, url, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("BIOMBO_REGISTER", url)
    incomplete = publish(*PUBLIC)
    published = publish(*PUBLIC, *WHERE, "--what", "Visits 2025")
    verified = biombo("verify", tmp_path / "release")
    elsewhere = biombo("verify", tmp_path / "release", "--register", "")

    assert (incomplete.code, published.code, verified.code, elsewhere.code) == (2, 0, 0, 0)
    assert "BIOMBO_REGISTER) also needs --department, --review" in incomplete.err
    assert "number 1 of the register" in published.err
    assert "It is number 1 of the register (active)." in verified.out
    assert "integrity only" in elsewhere.err
    assert bb.Register.open(url).get(1).entry.what == "Visits 2025"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--register", "sqlite:////nowhere/r.db", *WHERE), "/nowhere"),
        (("--register", "mysql://host/r", *WHERE), "sqlite:///file.db or postgresql://"),
        (("--register", "sqlite:///r.db", "--department", "password=x", "--review", "2027-01-31"), "a password"),
        (("--register", "sqlite:///r.db", "--department", "A", "--review", "31/01/2027"), "YYYY-MM-DD"),
    ],
)
def test_what_could_not_be_put_on_record_is_said_before_anything_is_done(
    publish, tmp_path, monkeypatch, options, sentence
) -> None:
    monkeypatch.chdir(tmp_path)
    ending = publish(*PUBLIC, *options)

    assert ending.code == 2
    assert sentence in ending.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.csv"]


def test_a_release_that_cannot_be_put_on_record_stands_and_is_added_later(biombo, publish, url, tmp_path) -> None:
    bb.Register.open(url).begin()
    with sqlite3.connect(tmp_path / "register.db") as register:
        register.execute("CREATE TRIGGER full BEFORE INSERT ON biombo_releases BEGIN SELECT RAISE(ABORT, 'full'); END")
    published = publish(*PUBLIC, *WHERE, "--register", url)
    with sqlite3.connect(tmp_path / "register.db") as register:
        register.execute("DROP TRIGGER full")
    out = tmp_path / "release"
    added = biombo("register", "add", out, *WHERE, "--who", "Ana", "--register", url)
    verified = biombo("verify", out, "--register", url)

    assert (published.code, added.code, verified.code) == (2, 0, 0)
    assert f"The release {out} is whole, but not on record" in published.err
    assert f"biombo register add {out}" in published.err
    assert "Published" in published.err
    assert added.out == "The release is number 1 of the register.\n"


def test_what_is_added_later_is_as_if_it_had_been_at_once(biombo, publish, url, tmp_path) -> None:
    publish(*PUBLIC, *WHERE, "--register", url)
    other = f"sqlite:///{tmp_path}/other.db"
    added = biombo("register", "add", tmp_path / "release", *WHERE, "--register", other, "--json")

    assert json.loads(added.out)["what"] == "release"
    assert bb.Register.open(other).get(1).entry == bb.Register.open(url).get(1).entry


def test_controls_are_on_record(biombo, publish, url) -> None:
    scenarios = ("--motivation", "low", "--acquaintances", 150, "--prevalence", 0.0001, "--breach", 0.02)
    controlled = ("--release-model", "controlled", "--harm", "medium", "--controls", "high", *scenarios)
    named = ("--control", "view-only", "--measure", "contract 17/2026", "--recipient", "UFMG", "--access", "on-site")
    publish(*controlled, *named, *WHERE, "--register", url)
    (entry,) = (release.entry for release in bb.Register.open(url).list())

    assert entry.controls == ("view-only", "contract 17/2026")
    assert (entry.recipients, entry.access) == (("UFMG",), "on-site")
    assert "view only, without saving or printing; contract 17/2026" in " ".join(
        biombo("register", "show", 1, "--register", url).out.split()
    )


def test_what_was_changed_is_not_put_on_record(biombo, release, url) -> None:
    data = release / "data.csv"
    data.write_text(data.read_text().replace("gout", "flu", 1))
    ending = biombo("register", "add", release, *WHERE, "--register", url)

    assert ending.code == 1
    assert "data.csv was changed" in ending.err
    assert not (release.parent / "register.db").exists()


def test_a_release_is_put_on_record_once(biombo, release, url) -> None:
    first, second = (biombo("register", "add", release, *WHERE, "--register", url) for _ in range(2))

    assert (first.code, second.code) == (0, 2)
    assert "in the register already, as number 1" in second.err


def test_mistakes_of_register_add_end_in_one_sentence(biombo, publish, release, url, tmp_path) -> None:
    def said(*arguments: object) -> str:
        ending = biombo("register", "add", *arguments, "--register", url)
        assert ending.code == 2
        assert ending.err.count("\n") == 1
        return ending.err

    publish("--out", tmp_path / "undecided")

    assert "is not a release" in said(tmp_path, *WHERE)
    assert "also needs --department, --review" in said(release)
    assert "without a release model" in said(tmp_path / "undecided", *WHERE)
    assert "belongs to another release" in said(release, *WHERE, "--private", tmp_path / "undecided.private")
    assert "name its private folder (--private)" in said(release, *WHERE, "--private", tmp_path / "nowhere")


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"release": 1, "decision": {}}', '{"release": 1, "decision": "x"}']
)
def test_a_damaged_private_folder_is_said(biombo, release, url, content) -> None:
    (release.with_name("release.private") / "result.json").write_text(content)
    ending = biombo("register", "add", release, *WHERE, "--register", url)

    assert ending.code == 2
    assert "result.json is not what biombo publish wrote" in ending.err
