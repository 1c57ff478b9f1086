"""Requests as plain values and as files."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import biombo as bb
from biombo._requests import limits_of

KINDS = [bb.RiskRequest, bb.SearchRequest, bb.ApplyRequest, bb.PublishRequest, bb.UtilityRequest]

words = st.text(st.characters(categories=["L", "Nd"]), min_size=1, max_size=8)
paths = st.lists(words, min_size=1, max_size=3).map("/".join)
numbers = st.floats(0, 100, allow_nan=False).map(lambda value: round(value, 3))
bounds = st.integers(0, 9) | words
MAPPINGS = {
    "weights": st.dictionaries(words, numbers, max_size=3),
    "target": st.dictionaries(words, words | st.none(), max_size=3),
    "level": st.dictionaries(words, bounds | st.tuples(bounds | st.none(), bounds | st.none()), max_size=3),
}
PLACES = {
    "database": st.none() | paths.map("sqlite:///{}.db".format) | st.just("postgresql://ana@host:5432/people"),
    "register": st.none() | paths | paths.map("sqlite:///{}.db".format) | st.just("postgresql://host/register"),
    "schema": st.none() | paths | st.just("siapa"),
    "population_schema": st.none() | paths | st.just("siapa"),
    "key": paths | words.map("keyring:{}".format),
    "through": st.lists(st.sampled_from(["a=prefix:2", "b=folder/b.csv:1", "c=age:2"]), max_size=2).map(tuple),
    "review": st.none() | st.dates(date(2026, 1, 1), date(2040, 1, 1)),
    "quasi": st.none() | st.lists(words, min_size=1, max_size=3).map(tuple),
}


def values_of(name: str, hint: Any) -> st.SearchStrategy[Any]:
    """What a field may be, by its type."""
    options = get_args(hint)
    if type(None) in options:
        return st.none() | values_of(name, next(each for each in options if each is not type(None)))
    if name in MAPPINGS:
        return MAPPINGS[name]
    if get_origin(hint) is Literal:
        return st.sampled_from(options)
    if get_origin(hint) is tuple:
        return st.lists(PLACES.get(name, paths), max_size=3).map(tuple)
    return {int: st.integers(0, 50), float: numbers, bool: st.booleans(), str: paths}[hint]


def numbers_within(limits: Any, hint: Any) -> st.SearchStrategy[Any]:
    """Nothing, where that may be, or a number within the limits of a field."""
    whole = st.integers(limits.least, 50) if isinstance(limits.least, int) else st.floats(limits.least, limits.most)
    return st.none() | whole if type(None) in get_args(hint) else whole


def requests(kind: type[bb.Request]) -> st.SearchStrategy[bb.Request]:
    hints, limits = get_type_hints(kind), limits_of(kind)
    fitting = {
        each.name: PLACES[each.name]
        if each.name in PLACES and (each.name != "key" or kind is bb.PublishRequest)
        else values_of(each.name, hints[each.name])
        for each in fields(kind)
        if each.name != "force"  # which is never written
    }
    fitting |= {name: numbers_within(each, hints[name]) for name, each in limits.items()}
    return st.builds(kind, **fitting)


any_request = st.one_of([requests(kind) for kind in KINDS])
few = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])


@few
@given(any_request)
def test_plain_values_give_the_request_back(request):
    assert bb.Request.from_tree(request.to_tree()) == request
    assert type(request).from_tree(request.to_tree()) == request


@few
@given(request=any_request, folder=st.sampled_from([".", "sub", "sub/folder", ".."]))
def test_a_file_gives_the_request_back_wherever_it_is(request, folder, tmp_path_factory):
    here = tmp_path_factory.mktemp("here") / "current"
    (here / "sub" / "folder").mkdir(parents=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        request.save(Path(folder) / "request.yaml")

        assert bb.Request.load(Path(folder) / "request.yaml") == request
        assert bb.Request.load((here / folder / "request.yaml").resolve()).kind == request.kind


@few
@given(any_request)
def test_only_what_is_not_as_usual_is_written(request):
    usual = {each.name.replace("_", "-"): each.default for each in fields(request)}
    written = {entry: value for entry, value in request.to_tree().items() if entry in usual}

    assert all(value != usual[entry] for entry, value in written.items())


def test_several_sets_of_quasi_columns_are_lists_in_a_list():
    one, several = (bb.SearchRequest(quasi=quasi, k=2) for quasi in (["age"], [["age"], ["sex", "city"]]))

    assert one.to_tree()["quasi"] == ["age"]
    assert several.to_tree()["quasi"] == [["age"], ["sex", "city"]]
    assert bb.SearchRequest.from_tree(several.to_tree()).sets == (("age",), ("sex", "city"))


def test_paths_are_relative_to_the_folder_of_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "requests").mkdir()
    request = bb.PublishRequest(
        files=["data/people.csv"],
        schema="siapa",
        hierarchies="data/hierarchies",
        out="/srv/release",
        key="keyring:signing",
        vault_key="keys/vault.key",
        database=None,
        register="sqlite:///register.db",
    )
    request.save("requests/people.yaml")
    written = (tmp_path / "requests" / "people.yaml").read_text()

    assert written.splitlines() == [
        "biombo-request: 1",
        "kind: publish",
        "files: [../data/people.csv]",
        "schema: siapa",
        "hierarchies: ../data/hierarchies",
        "register: sqlite:///../register.db",
        "out: /srv/release",
        "key: keyring:signing",
        "vault-key: ../keys/vault.key",
    ]
    monkeypatch.chdir("/")
    assert bb.Request.load(tmp_path / "requests" / "people.yaml").files == (str(tmp_path / "data/people.csv"),)


def test_a_query_is_no_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    request = bb.RiskRequest(files=["SELECT * FROM people"], database="sqlite:///people.db")
    request.save("sub/request.yaml")

    assert bb.Request.load("sub/request.yaml") == request
    assert "SELECT * FROM people" in (tmp_path / "sub" / "request.yaml").read_text()


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ana:s3cret@host/people",
        "postgresql://ana:s3cret@host:5432/people?sslmode=require",
        "postgresql://host/people?user=ana&password=s3cret",
        "postgresql://ana:s3cret@host/people?sslpassword=s3cret",
        "postgresql+psycopg://ana:s3cret@host/people",
    ],
)
def test_no_password_is_written_or_shown(address, tmp_path):
    request = bb.PublishRequest(out="release", database=address, register=address)
    request.save(tmp_path / "request.yaml")
    loaded = bb.PublishRequest.load(tmp_path / "request.yaml")

    assert "s3cret" not in (tmp_path / "request.yaml").read_text()
    assert "s3cret" not in repr(request)
    assert request.database == address
    assert loaded.database == loaded.register
    assert "ana" in str(loaded.database)
    assert "host" in str(loaded.database)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "must begin with biombo-request: 1"),
        ("k: 5", "must begin with biombo-request: 1"),
        ("biombo-request: 2\nkind: search", "version 2, but this program knows version 1"),
        ("biombo-request: 1\nkind: serach", "can be risk, search, apply, publish, utility, not 'serach'"),
        ("biombo-request: 1", "can be risk, search, apply, publish, utility, not None"),
        ("biombo-request: 1\nkind: search\nmax-supression: 1", "'max-supression' is unknown; did you mean 'max-supp"),
        ("biombo-request: 1\nkind: search\nxyz: 1", "The entry xyz is unknown; the entries are: files, schema"),
        ("biombo-request: 1\nkind: search\nk: five", "'k' must be a whole number, not 'five'"),
        ("biombo-request: 1\nkind: search\nquasi: age", "age"),
        ("biombo-request: 1\nkind: search\nl-kind: sideways", "can be distinct, entropy, recursive, not 'sideways'"),
        ("biombo-request: 1\nkind: search\nweights: {age: much}", "'weights: age' must be a number, not 'much'"),
        ("biombo-request: 1\nkind: publish\nreview: soon", "review"),
        ("biombo-request: 1\nkind: search\nk: 5\nk: 6", "'k' stands there twice (line 4)"),
        ("biombo-request: 1\nkind: search\nk: [", "not valid YAML"),
    ],
)
def test_a_mistake_in_a_file_is_one_sentence_with_the_file(tmp_path, content, sentence):
    path = tmp_path / "request.yaml"
    path.write_text(content)
    with pytest.raises(bb.InputError) as caught:
        bb.Request.load(path)

    assert str(caught.value).startswith(f"In the request {path}: ")
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_request_of_another_kind_is_refused(tmp_path):
    bb.SearchRequest(k=5).save(tmp_path / "request.yaml")
    with pytest.raises(
        bb.InputError, match="of kind search, but one of kind risk is needed; use it with biombo search"
    ):
        bb.RiskRequest.load(tmp_path / "request.yaml")


def test_a_file_that_is_not_there_is_said_once(tmp_path):
    with pytest.raises(bb.InputError) as caught:
        bb.Request.load(tmp_path / "request.yaml")

    assert str(caught.value).count("request.yaml") == 1


def test_an_existing_file_is_kept_unless_it_is_to_be_replaced(tmp_path):
    path = tmp_path / "request.yaml"
    bb.SearchRequest(k=5).save(path)
    with pytest.raises(bb.UsageError, match="exists already"):
        bb.SearchRequest(k=6).save(path, force=False)
    bb.SearchRequest(k=7).save(path)

    assert bb.SearchRequest.load(path).k == 7


def test_paths_may_be_given_as_paths():
    assert bb.SearchRequest(files=[Path("a.csv")], out=Path("plan.yaml")) == bb.SearchRequest(
        files=["a.csv"], out="plan.yaml"
    )


def test_mappings_are_plain():
    request = bb.SearchRequest(level={"age": [0, 2]}, weights={"age": 2})

    assert isinstance(request.level, Mapping)
    assert request.level == {"age": (0, 2)}
