"""Places where one may not look, and names that no file can have: one sentence each, and nothing that is not so."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from request_folder import furnish
from unprivileged import unprivileged

import biombo as bb

LONG = "x" * 300
QUERY = "SELECT age, sex, disease FROM people WHERE " + " OR ".join(f"age = {age}" for age in range(60))
RISK = ("risk", "people.csv", "--quasi", "age")
SEARCH = ("search", "people.csv", "--quasi", "age", "--k", "2")


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return furnish(tmp_path)


@pytest.fixture(params=[0o000, 0o400], ids=["closed", "listed only"])
def shut(folder, request) -> Iterator[Path]:
    """A folder with a table that nobody may enter."""
    place = folder / "shut"
    place.mkdir()
    (place / "people.csv").write_bytes((folder / "people.csv").read_bytes())
    place.chmod(request.param)
    yield place
    place.chmod(0o700)


@pytest.mark.parametrize(
    "arguments",
    [
        ("risk", "shut/people.csv", "--quasi", "age"),
        ("risk", "shut/*.csv", "--quasi", "age"),
        (*RISK, "--schema", "shut/schema.yaml"),
        (*RISK, "--out", "shut/report"),
        (*RISK, "--sensitive", "disease", "--records", "age", "--private", "shut/people"),
        (*RISK, "--request", "shut/request.yaml"),
        (*RISK, "--save-request", "shut/request.yaml"),
        ("risk", "SELECT 1 AS age", "--database", "sqlite:///shut/people.db", "--quasi", "age"),
        (*SEARCH, "--out", "shut/plan.yaml"),
        ("apply", "people.csv", "--plan", "shut/plan.yaml", "--out", "x.csv"),
        ("apply", "people.csv", "--plan", "plan.yaml", "--out", "shut/x.csv"),
        ("publish", "people.csv", "--plan", "plan.yaml", "--out", "shut/release"),
        ("publish", "people.csv", "--plan", "plan.yaml", "--out", "release", "--private", "shut/private"),
        ("utility", "people.csv", "shut/release"),
        ("verify", "shut/release"),
        ("register", "list", "--register", "shut/register.db"),
        ("key", "new", "shut/new.key"),
    ],
)
def test_a_folder_that_one_may_not_enter_is_said_to_be_so(biombo, shut, arguments):
    with unprivileged():
        ended = biombo(*arguments)

    assert ended.code == 2
    assert "permission denied" in ended.err
    assert "unexpectedly" not in ended.err


def test_so_is_one_with_hierarchies(biombo, folder):
    (folder / "hierarchies").chmod(0)
    with unprivileged():
        ended = biombo(*SEARCH, "--hierarchies", "hierarchies")
    (folder / "hierarchies").chmod(0o700)

    assert ended.code == 2
    assert "hierarchies could not be opened (permission denied)" in ended.err


@pytest.fixture
def release(folder) -> Iterator[bb.Release]:
    made = bb.publish("people.csv", "plan.yaml", "release")
    yield made
    made.private.chmod(0o700)


def test_what_a_release_lost_is_told_without_its_private_folder(biombo, release):
    without = biombo("utility", "people.csv", "release", "--json")
    release.private.chmod(0)
    with unprivileged():
        refused = biombo("utility", "people.csv", "release", "--json")
    release.private.chmod(0o700)
    release.private.rename("elsewhere")
    gone = biombo("utility", "people.csv", "release", "--json")
    Path("elsewhere").rename(release.private)

    assert without.code == refused.code == gone.code == 0
    assert refused.out == gone.out != without.out


@pytest.mark.parametrize("name", [".", "plan.yaml", "plan.salt"])
def test_a_private_folder_that_cannot_be_read_says_nothing_about_a_release(biombo, release, name):
    (release.private / name).chmod(0)
    with unprivileged():
        ended = biombo("verify", "release", "--private", "release.private")

    assert ended.code == 2
    assert "permission denied" in ended.err
    assert "does not hold" not in ended.out + ended.err


def test_nor_does_one_that_is_not_there(biombo, release):
    ended = biombo("verify", "release", "--private", "elsewhere")

    assert ended.code == 2
    assert "There is no private folder elsewhere" in ended.err


def test_neither_does_a_file_of_it_that_cannot_be_read(biombo, release):
    (release.out / "data.csv").chmod(0)
    with unprivileged():
        ended = biombo("verify", "release")

    assert ended.code == 2
    assert "data.csv could not be opened (permission denied)" in ended.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("risk", LONG, "--quasi", "age"),
        ("risk", f"{LONG}*", "--quasi", "age"),
        ("risk", "**.csv", "--quasi", "age"),
        ("risk", "~nobody-is-called-so/x.csv", "--quasi", "age"),
        (*RISK, "--out", LONG),
        (*RISK, "--schema", LONG),
        (*RISK, "--save-request", LONG),
        (*RISK, "--request", LONG),
        (*RISK, "--sensitive", "disease", "--records", "age", "--private", LONG),
        (*SEARCH, "--hierarchies", LONG),
        (*SEARCH, "--out", LONG),
        ("apply", "people.csv", "--plan", LONG, "--out", "x.csv"),
        ("apply", "people.csv", "--plan", "plan.yaml", "--out", f"{LONG}.csv"),
        ("publish", "people.csv", "--plan", "plan.yaml", "--out", LONG),
        ("publish", "people.csv", "--plan", "plan.yaml", "--out", "release", "--private", LONG),
        ("utility", "people.csv", LONG),
        ("utility", LONG, "people.csv"),
        ("verify", LONG),
        ("register", "list", "--register", LONG),
        ("key", "new", LONG),
    ],
)
def test_a_name_that_no_file_can_have_is_one_sentence(biombo, folder, arguments):
    ended = biombo(*arguments)

    assert ended.code == 2
    assert "unexpectedly" not in ended.err


@pytest.mark.parametrize("query", ["SELECT * FROM people", QUERY, f"  with x as ({QUERY}) select * from x"])
def test_a_query_without_its_database_is_told_to_need_one(biombo, folder, query):
    ended = biombo("risk", query, "--quasi", "age")

    assert ended.code == 2
    assert "--database" in ended.err


@pytest.mark.parametrize("entry", ["out", "private", "schema", "population", "files"])
@pytest.mark.parametrize("name", ["a\0b", "a\ud800"])
def test_nor_can_a_file_have_a_name_with_such_letters(folder, entry, name):
    entries = {"files": ["people.csv"], "quasi": ["age"], "sensitive": ["disease"], "records": ["age"], "out": "report"}
    entries[entry] = [name] if entry == "files" else name
    Path("request.yaml").write_text(bb.RiskRequest(**entries).to_yaml())

    with pytest.raises(bb.BiomboError):
        bb.RiskRequest.load("request.yaml").run()


@pytest.mark.parametrize("entry", ["out", "private", "plan", "hierarchies"])
def test_nor_what_is_published(folder, entry):
    entries = {"files": ["people.csv"], "plan": "plan.yaml", "out": "release"} | {entry: "a\0b"}
    if entry == "hierarchies":
        entries = {"files": ["people.csv"], "quasi": ["age"], "k": 2, "out": "release"} | {entry: "a\0b"}

    with pytest.raises(bb.BiomboError):
        bb.PublishRequest(**entries).run()
