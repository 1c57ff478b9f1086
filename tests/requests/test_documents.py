"""Requests as plain values and as files."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from postgres_server import PASSWORD
from refusal import refused

import biombo as bb
from biombo._requests import limits_of

KINDS = [bb.RiskRequest, bb.SearchRequest, bb.ApplyRequest, bb.PublishRequest, bb.UtilityRequest, bb.SynthesiseRequest]

words = st.text(st.characters(categories=["L", "Nd"]), min_size=1, max_size=8)
paths = st.lists(words, min_size=1, max_size=3).map("/".join)
numbers = st.floats(0, 100, allow_nan=False).map(lambda value: round(value, 3))
bounds = st.integers(0, 9) | words


def by_column(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """One for all columns, or one for each of some."""
    return values | st.dictionaries(words, values, min_size=1, max_size=3)


MAPPINGS = {
    "weights": st.dictionaries(words, numbers, max_size=3),
    "target": st.dictionaries(words, words | st.none(), min_size=1, max_size=3),
    "where": st.dictionaries(
        words,
        words
        | st.lists(words, min_size=1, max_size=3).map(tuple)
        | st.dictionaries(st.sampled_from(["above", "below", "at-least", "at-most"]), numbers, min_size=1)
        | st.just({"at-least": "2023-01-01", "apart": ("unknown",)}),
        min_size=1,
        max_size=3,
    ),
    "replace_where": st.dictionaries(words, words, min_size=1, max_size=3),
    "l_kind": by_column(st.sampled_from(["distinct", "entropy", "recursive"])),
    "t_kind": by_column(st.sampled_from(["equal", "ordered", "hierarchical"])),
    "beta_kind": by_column(st.sampled_from(["basic", "enhanced"])),
    **{name: by_column(numbers) for name in ("l", "c", "t", "alpha", "beta", "delta_disclosure", "max_leakage")},
    "level": st.dictionaries(words, bounds | st.tuples(bounds | st.none(), bounds | st.none()), max_size=3),
}
PLACES = {
    "engine": st.sampled_from(["local", "spark:local[2]", "spark://host:7077", "sc://host:15002/;use_ssl=true"]),
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
        return st.lists(PLACES.get(name, paths), min_size=name in ("by", "records"), max_size=3).map(tuple)
    return {int: st.integers(0, 50), float: numbers, bool: st.booleans(), str: paths}[hint]


def numbers_within(limits: Any, hint: Any) -> st.SearchStrategy[Any]:
    """Nothing, where that may be, or a number within the limits of a field."""
    whole = (
        st.integers(limits.low, 50) if int in (hint, *get_args(hint)) else st.floats(limits.low, min(limits.high, 1e9))
    )
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
        (
            "biombo-request: 1\nkind: serach",
            "can be risk, search, apply, publish, utility, tabulate, query, synthesise, not 'serach'",
        ),
        ("biombo-request: 1", "can be risk, search, apply, publish, utility, tabulate, query, synthesise, not None"),
        ("biombo-request: 1\nkind: search\nmax-supression: 1", "'max-supression' is unknown; did you mean 'max-supp"),
        ("biombo-request: 1\nkind: search\nxyz: 1", "The entry xyz is unknown; the entries are: engine, files, schema"),
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


@pytest.mark.parametrize(
    "address",
    [
        "postgresql:///people",
        "postgresql:///people?host=/var/run",
        "postgresql://ana@h1:5432,h2/people?options=-c%20search_path%3Dsaude&passfile=/srv/pass",
        "postgresql+psycopg://ana@/people?",
    ],
)
def test_an_address_without_a_password_is_kept_letter_by_letter(address):
    kept = bb.RiskRequest(files=["SELECT 1"], database=address).to_tree()["database"]

    assert kept == address.removesuffix("?")


@pytest.mark.parametrize("secret", ["se#cret", "se?cret", "se:cret", "se%40cret"])
def test_a_password_may_hold_what_means_something_else_behind_it(secret):
    request = bb.RiskRequest(files=["SELECT 1"], database=f"postgresql://ana:{secret}@host/people?sslmode=require")

    assert request.to_tree()["database"] == "postgresql://ana@host/people?sslmode=require"


@pytest.mark.parametrize("entry", ["database", "register"])
@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ana:sec/ret@host/people",
        "postgresql://ana:sec@ret@host/people",
        "postgresql://host/people?password=sec&ret",
        "postgresql://ana:secret",
        "postgresql://ana:secret/people",
        "postgresql://ana%3Asecret@host/people",
        "postgresql://ana;secret@host/people",
        "postgresql://ana\uff1asecret@host/people",
        "postgresql://[ana:secret]/people",
        "postgresql:///ana:secret/people",
        "postgresql://ana/secret/people",
        "postgresql://host/ana:secret",
        "postgresql://host:5432/people,ana:secret",
        "postgresql://host/people;password=secret",
        "postgresql://host/people password=secret",
        "postgresql://host/people#password=secret",
        "postgresql://host/people?user=ana%3Asecret",
        "postgresql://host/people?user=ana;password=secret",
        "postgresql://host/people?%2570assword=secret",
        "postgresql://host/people?pass+word=secret",
        "postgresql://host/people?key=secret",
        "postgresql://host/people?options=-c%20my.password%3Dsecret",
        "postgresql://host/people?dbname=host%3Dh%20password%3Dsecret",
        "http://ana@host/people",
        "sqlite:///ana:secret@host/people.db",
        "sqlite:///people.db?password=secret",
        "people.db?key=secret",
        "host=h user=ana password=secret",
        "host=h",
        "pwd=secret",
        "ana:secret@host/people",
        "postgresql:/ana:secret@host/people",
    ],
)
def test_an_address_is_not_written_where_anything_in_it_could_be_a_password(tmp_path, entry, address):
    with refused("usage.address-unsaved", entry):
        bb.PublishRequest(out="release", **{entry: address}).save(tmp_path / "request.yaml")

    assert not list(tmp_path.iterdir())


secret_names = st.sampled_from(["pwd", "pass", "token", "PASSWORD", "passwd", "senha", "sslpassword", "key", "xyz"])
marks = st.sampled_from([":", ";", "=", " ", "#", "%3A", "%253A", "%40", "?pwd=", "?sslmode=x&pwd=", "\n", "\t", "!"])


@given(secret_names, marks, st.integers(0, 3), st.sampled_from(["", "?sslmode=require"]))
def test_no_mark_brings_a_password_into_a_file(name, mark, position, after):
    pieces = ["ana", "@host", "/db", after]
    written = f"{mark}qq" if position < 3 else f"{'&' if after else '?'}{name}=qq"
    pieces[position] += written
    try:
        kept = bb.RiskRequest(files=["SELECT 1"], database=f"postgresql://{''.join(pieces)}").to_yaml()
    except bb.UsageError:
        return
    assert "qq" not in kept


@pytest.mark.parametrize(
    "typed",
    [
        "postgresql://ana:hunter2@host/people",
        "postgresql:/ana:hunter2@host/people",
        "postgresql://ana%3Ahunter2@host/people",
        "postgresql://ana:5432,hunter2",
        "postgresql://ana:a\nhunter2",
        "ana:hunter2@host",
        "password: hunter2",
        "host=h password=a&hunter2",
        "host=h password='a''hunter2'",
        "select * from dblink('host=h password=hunter2', 'select 1') as t(a int)",
    ],
)
def test_a_password_is_neither_written_nor_shown_in_another_place(typed):
    request = bb.RiskRequest(files=[typed], database="sqlite:///people.db")

    assert "hunter2" not in repr(request)
    with refused("usage.password-elsewhere", "files"):
        request.to_tree()


@pytest.mark.parametrize("kind", KINDS)
def test_a_request_shows_what_is_asked_and_no_database(kind):
    place = {"database": "sqlite:///people.db"} if kind is not bb.UtilityRequest else {}
    request = kind(schema="siapa", **place)

    assert repr(request).startswith(f"{kind.__name__}(")
    assert "schema='siapa'" in repr(request)
    assert "people.db" not in repr(request)


@pytest.mark.parametrize(
    "value", ["['postgresql://ana:hunter2@h/db']", "{host: h, password: hunter2}", "{host: h, key: hunter2}", "5"]
)
@pytest.mark.parametrize("entry", ["database", "register"])
def test_a_wrong_address_is_not_quoted(tmp_path, entry, value):
    path = tmp_path / "request.yaml"
    path.write_text(f"biombo-request: 1\nkind: publish\n{entry}: {value}\n")
    with pytest.raises(bb.InputError, match=f"The entry '{entry}' must be one address") as caught:
        bb.Request.load(path)

    assert "hunter2" not in str(caught.value)


@pytest.fixture
def linked(tmp_path, monkeypatch) -> Path:
    """A folder to work in, with a link to one that lies elsewhere."""
    (tmp_path / "real" / "deep").mkdir(parents=True)
    (tmp_path / "office").mkdir()
    (tmp_path / "office" / "link").symlink_to(tmp_path / "real" / "deep")
    monkeypatch.chdir(tmp_path / "office")
    return tmp_path


@pytest.mark.parametrize("named", ["people.csv", "link/people.csv", "link/../people.csv", "../office/people.csv", ".."])
def test_a_request_in_a_linked_folder_names_the_same_files_from_everywhere(linked, monkeypatch, named):
    meant = Path(named).resolve()
    bb.RiskRequest(files=[named]).save("link/request.yaml")

    for folder, file in [
        ("office", "link/request.yaml"),
        ("real/deep", "request.yaml"),
        ("real", "deep/request.yaml"),
        (".", linked / "office" / "link" / "request.yaml"),
    ]:
        monkeypatch.chdir(linked / folder)
        (found,) = bb.RiskRequest.load(file).files
        assert Path(found).resolve() == meant


def test_files_beside_a_request_in_a_linked_folder_are_named_without_a_way(linked):
    bb.RiskRequest(files=["link/people.csv"]).save("link/request.yaml")

    assert "files: [people.csv]" in (linked / "real" / "deep" / "request.yaml").read_text()


@pytest.mark.parametrize(
    ("kind", "entries", "key"),
    [
        (bb.RiskRequest, {"target": {}}, "attack.target-knows-nothing"),
        (bb.RiskRequest, {"by": []}, "document.entry-columns"),
        (bb.RiskRequest, {"records": []}, "document.entry-columns"),
        (bb.RiskRequest, {"quasi": []}, "document.entry-columns"),
        (bb.SearchRequest, {"quasi": []}, "document.entry-columns"),
        (bb.SearchRequest, {"quasi": [["age"], []]}, "document.entry-columns"),
    ],
)
def test_what_asks_for_nothing_is_refused(kind, entries, key):
    with refused(key):
        kind(**entries)
    with refused(key):
        bb.Request.from_tree({"biombo-request": 1, "kind": kind.kind} | entries)


def test_a_saved_address_is_run_again_on_the_same_database(postgres_server, tmp_path, monkeypatch):
    options = "options=-c%20search_path%3Dsaude&application_name=a%2Bb"
    address = f"postgresql://manager:{PASSWORD}@{postgres_server}?{options}"
    query = "SELECT current_setting('search_path') AS path, current_setting('application_name') AS name"
    request = bb.RiskRequest(files=[query], database=address, quasi=["path", "name"])
    request.save(tmp_path / "request.yaml")
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    saved = bb.RiskRequest.load(tmp_path / "request.yaml")

    assert saved.database == f"postgresql://manager@{postgres_server}?{options}"
    for asked in (request, saved):
        read = bb.read(asked.files[0], database=asked.database)
        assert [read[name].values.to_list() for name in ("path", "name")] == [["saude"], ["a+b"]]


def test_addresses_of_stores_are_not_paths(tmp_path: Path):
    request = bb.RiskRequest(files=["s3a://bucket/a.csv", "file:///b.csv"], quasi=["age"], engine="spark:local[2]")
    request.save(tmp_path / "request.yaml")

    assert bb.RiskRequest.load(tmp_path / "request.yaml") == request


def test_the_password_of_jdbc_is_not_kept():
    address = "jdbc:postgresql://ana:hidden@host:5432/people?ssl=true&password=hidden"
    request = bb.RiskRequest(files=["SELECT 1"], database=address, engine="spark:local[2]")

    assert request.to_tree()["database"] == "jdbc:postgresql://ana@host:5432/people?ssl=true"
    assert "hidden" not in repr(request)
