"""``--request`` and ``--save-request``: what was typed, kept in a file and used again."""

import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from request_folder import furnish

import biombo as bb
from biombo._requests import limits_of

COLUMNS = ("--quasi", "age,sex", "--sensitive", "disease")
SEARCH = (*COLUMNS, "--k", 5, "--hierarchies", "hierarchies")


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "requests").mkdir()
    return furnish(tmp_path)


def without_identity(printed: str) -> object:
    """What is printed, but for what is drawn anew for each release."""
    told = json.loads(printed)
    for drawn in ("release", "key", "out", "private"):
        told.pop(drawn, None)
    for part in (told, told.get("applied", {})):
        part.pop("claims", None)
        part.pop("out", None)
    return told


TYPED = {
    "risk": ("people.csv", *COLUMNS, "--max-size", 2, "--through", "age=prefix:1", "--max-posterior", 0.99),
    "risk of parts": ("people.csv", "--quasi", "age", "--sensitive", "disease", "--by", "sex"),
    "risk of a sample": ("people.csv", *COLUMNS, "--population", "census.csv", "--fraction", 0.5),
    "risk for people": ("people.csv", *COLUMNS, "--private", "p", "--records", "age", "--target", "age=30", "--force"),
    "search": ("people.csv", *SEARCH, "--level", "age=0-2,sex=0", "--weights", "age=2", "--explain", "--frontier"),
    "search of sets": ("people.csv", "--quasi", "age", "--quasi", "sex", "--k", 5, "--prefer", "precision"),
    "apply": ("people.csv", "--plan", "plan.yaml", "--out", "out.csv", "--force", "--keep-order"),
    "apply a preview": ("people.csv", "--plan", "plan.yaml", "--preview"),
    "utility": ("people.csv", "census.csv", "--plan", "plan.yaml"),
}


@pytest.mark.parametrize("name", TYPED)
@pytest.mark.parametrize("place", ["kept.yaml", "requests/kept.yaml"])
def test_what_was_typed_is_kept_and_gives_the_same_again(biombo, folder, name, place):
    command = name.split()[0]
    typed = biombo(command, *TYPED[name], "--json", "--save-request", place)
    forced = ["--force"] if "--force" in TYPED[name] else []
    again = biombo(command, "--request", place, "--json", *forced)
    request = bb.Request.load(place)

    assert (typed.code, again.code) == (0, 0), typed.err
    assert request.kind == command
    assert json.loads(typed.out) == json.loads(again.out)
    if forced:  # which is never kept
        with pytest.raises(bb.UsageError, match="exists already"):
            request.run()
        request = replace(request, force=True)
    with bb.Watch(warning=print):
        assert json.loads(json.dumps(request.run().as_json())) == json.loads(typed.out)


def test_a_publication_is_kept_and_repeated(biombo, folder):
    record = ("--register", "sqlite:///register.db", "--department", "Health", "--review", "2030-01-31")
    model = ("--release-model", "public", "--harm", "low", "--small-groups", "drop", "--key", "signing.key")
    asked = ("people.csv", *SEARCH, "--max-suppression", 0.2, *model, *record)
    typed = biombo("publish", *asked, "--out", "release", "--json", "--save-request", "requests/kept.yaml")
    again = biombo("publish", "--request", "requests/kept.yaml", "--out", "other", "--json")

    assert (typed.code, again.code) == (0, 0), again.err
    assert without_identity(typed.out) == without_identity(again.out)
    assert (
        pl.read_csv("release/data.csv")
        .drop("trace_id")
        .sort("*")
        .equals(pl.read_csv("other/data.csv").drop("trace_id").sort("*"))
    )
    assert [each.entry.what for each in bb.Register.open("register.db").list()] == ["release", "other"]


def test_a_saved_request_is_what_was_typed(biombo, folder):
    biombo("search", "people.csv", *SEARCH, "--level", "age=-2", "--max-suppression", 0.05, "--save-request", "r.yaml")

    assert Path("r.yaml").read_text().splitlines() == [
        "biombo-request: 1",
        "kind: search",
        "files: [people.csv]",
        "quasi: [age, sex]",
        "sensitive: [disease]",
        "hierarchies: hierarchies",
        "k: 5",
        "max-suppression: 0.05",
        "level:",
        "  age: [null, 2]",
    ]


def test_what_is_typed_goes_before_the_file(biombo, folder):
    bb.SearchRequest(files=["nowhere.csv"], quasi=["age", "sex"], k=100, l_kind="entropy", explain=True).save("r.yaml")
    ending = biombo(
        "search", "people.csv", "--request", "r.yaml", "--k", 3, "--l-kind", "distinct", "--save-request", "s"
    )

    assert ending.code == 0
    assert bb.Request.load("s") == bb.SearchRequest(files=["people.csv"], quasi=["age", "sex"], k=3, explain=True)


def test_an_existing_file_is_refused_before_the_work(biombo, folder):
    Path("r.yaml").write_text("mine")
    refused = biombo("search", "people.csv", *SEARCH, "--out", "found.yaml", "--save-request", "r.yaml")
    content = Path("r.yaml").read_text()
    forced = biombo("utility", "people.csv", "census.csv", "--save-request", "r.yaml", "--force")

    assert (refused.code, content, Path("found.yaml").exists()) == (2, "mine", False)
    assert "r.yaml exists already" in refused.err
    assert forced.code == 0
    assert bb.Request.load("r.yaml").kind == "utility"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("search", "people.csv", *COLUMNS, "--l", 4), 1),
        (("search", "nowhere.csv", *COLUMNS, "--k", 5), 2),
        (("risk", "people.csv", *COLUMNS, "--max-posterior", 0.1), 1),
    ],
)
def test_only_what_came_to_something_is_kept(biombo, folder, arguments, code):
    assert biombo(*arguments, "--save-request", "r.yaml").code == code
    assert not Path("r.yaml").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("search", "--request", "nowhere.yaml"), "nowhere.yaml"),
        (("risk", "--request", "search.yaml"), "one of kind risk is needed"),
        (("search", "--request", "empty.yaml"), "No table is named"),
        (("publish", "--request", "publish.yaml"), "--out"),
        (("apply", "--request", "apply.yaml", "--preview"), "--plan"),
        (("utility", "--request", "utility.yaml"), "Name two tables"),
        (("search", "people.csv", "--save-request", "nowhere/r.yaml"), "nowhere"),
    ],
)
def test_a_mistake_is_one_sentence(biombo, folder, arguments, sentence):
    bb.SearchRequest(files=["people.csv"], quasi=["age"], k=5).save("search.yaml")
    bb.SearchRequest(quasi=["age"], k=5).save("empty.yaml")
    bb.PublishRequest(files=["people.csv"], quasi=["age"], k=5).save("publish.yaml")
    bb.ApplyRequest(files=["people.csv"]).save("apply.yaml")
    bb.UtilityRequest(original="people.csv").save("utility.yaml")
    ending = biombo(*arguments)

    assert ending.code == 2
    assert sentence in ending.err
    assert ending.err.count("\n") == 1


@pytest.mark.parametrize("command", ["risk", "search", "apply", "publish", "utility"])
def test_every_option_is_an_entry_and_every_entry_an_option(command):
    """But for how results are shown, and the request itself."""
    from dataclasses import fields
    from importlib import import_module

    module = import_module(f"biombo._cli.{command}")
    kind = {
        "risk": bb.RiskRequest,
        "search": bb.SearchRequest,
        "apply": bb.ApplyRequest,
        "publish": bb.PublishRequest,
        "utility": bb.UtilityRequest,
    }[command]
    shown = {"json", "csv", "full"} | ({"force"} if command in ("publish", "utility") else set())
    flags = {name: annotation.__metadata__[0] for name, annotation in module._OPTIONS.items()}

    assert set(flags) - shown == {each.name for each in fields(kind)}
    assert [
        name
        for name, option in flags.items()
        if isinstance(option.default, str) and option.default != f"--{name.replace('_', '-')}"
    ] == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("risk", "postgresql://ana:hunter2@h/db", "--quasi", "age"),
        ("risk", "people.csv", "--quasi", "age", "--schema", "postgresql://ana:hunter2@h/db"),
        ("risk", "SELECT 1", "--database", "host=h user=ana password=hunter2", "--quasi", "age"),
        ("demo", "x", "postgresql://ana:hunter2@h/db"),
        ("register", "list", "--register", "host=h user=ana password=hunter2"),
        ("verify", "postgresql://ana:hunter2@h/db"),
    ],
)
def test_no_password_is_shown(biombo, folder, arguments):
    ended = biombo(*arguments)

    assert ended.code == 2
    assert "hunter2" not in ended.out + ended.err
    assert not list(folder.glob("*hunter2*"))


@pytest.mark.parametrize(("option", "example"), [("--level", "sex=0-1"), ("--weights", "sex=0.5")])
def test_a_pair_that_is_none_is_explained_by_its_own_option(biombo, folder, option, example):
    ended = biombo("search", "people.csv", "--quasi", "age", "--k", "2", option, "age")

    assert ended.code == 2
    assert example in ended.err


@pytest.mark.parametrize("link", [None, "symlink_to", "hardlink_to"])
def test_what_is_read_is_never_replaced(biombo, folder, link):
    kept = "requests/kept.yaml"
    asked = ("search", "people.csv", *SEARCH)
    assert biombo(*asked, "--save-request", kept).code == 0
    for each in ("people.csv", kept, "hierarchies/age.yaml"):
        path = folder / each
        if link is not None:
            path = folder / "link"
            path.unlink(missing_ok=True)
            getattr(path, link)(folder / each)
        before = (folder / each).read_bytes()
        for option in ("--out", "--report", "--save-request"):
            ending = biombo("search", "--request", kept, option, path, "--force")
            assert (ending.code, ending.out, ending.err.count("\n")) == (2, "", 1)
            assert (folder / each).read_bytes() == before


@pytest.mark.parametrize(
    ("command", "kind"),
    [("risk", bb.RiskRequest), ("search", bb.SearchRequest), ("publish", bb.PublishRequest)],
)
def test_limits_hold_wherever_a_number_is_given(biombo, folder, command, kind):
    for name, limits in limits_of(kind).items():
        option, beyond = name.replace("_", "-"), limits.low - 1
        (folder / "asked.yaml").write_text(f"{{biombo-request: 1, kind: {command}, {option}: {beyond}}}")
        typed = biombo(command, "people.csv", "--out", "made", f"--{option}={beyond}")
        written = biombo(command, "people.csv", "--out", "made", "--request", "asked.yaml")

        assert (typed.code, written.code) == (2, 2)
        assert option in typed.err
        assert option in written.err


def test_a_plan_may_lie_beside_the_hierarchies(biombo, folder):
    asked = ("search", "people.csv", "--quasi", "sex", "--k", "2", "--hierarchies", ".", "--out", "new.yaml", "--force")

    assert [biombo(*asked).code for _ in range(2)] == [0, 0]


def test_what_cannot_be_saved_is_refused_before_the_work(biombo, folder):
    asked = ("search", "people.csv", "--quasi", "age", "--k", "2", "--out", "new.yaml", "--save-request", "kept.yaml")
    ended = biombo(*asked, "--schema", "ana:hunter2@h")

    assert ended.code == 2
    assert "The entry 'schema' may hold" in ended.err
    assert "hunter2" not in ended.err
    assert not list(folder.glob("[kn]e*.yaml"))


def test_a_request_is_not_saved_onto_a_new_register(biombo, folder):
    asked = ("publish", "people.csv", "--quasi", "sex", "--k", "2", "--out", "release", "--release-model", "public")
    told = ("--register", "kept.yaml", "--department", "D", "--review", "2030-01-31", "--save-request", "kept.yaml")
    ended = biombo(*asked, *told)

    assert ended.code == 2
    assert "kept.yaml" in ended.err
    assert not list(folder.glob("kept.yaml*"))
