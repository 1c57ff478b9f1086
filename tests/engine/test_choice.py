"""Engines by their names: the right one, or one sentence; and no token in anything that others read."""

import pytest
from refusal import refused

import biombo as bb
from biombo._engine import LOCAL, LocalEngine, check_engine, engine_of

TOKEN = "t0k3n-of-ana"
REMOTE = f"sc://spark.example:15002/;use_ssl=true;token={TOKEN}"
KINDS = [bb.RiskRequest, bb.SearchRequest, bb.ApplyRequest, bb.PublishRequest, bb.UtilityRequest, bb.SynthesiseRequest]


def test_local_is_this_process_and_an_engine_is_itself():
    mine = LocalEngine()

    assert engine_of("local") is LOCAL
    assert engine_of(mine) is mine


@pytest.mark.parametrize(
    "name",
    [
        "spark:local",
        "spark:local[2]",
        "spark:local[*]",
        "spark:local[2,3]",
        "spark://h",
        "spark://a:1,b:2",
        "sc://[::1]",
    ],
)
def test_the_names_of_spark_are_known(name):
    check_engine(name)


@pytest.mark.parametrize(
    "name", ["", "Local", "spark", "spark:", "spark:yarn", "local[2]", "yarn", "duckdb", "http://h"]
)
def test_what_is_no_engine_is_refused_with_those_there_are(name):
    with refused("spark.engine", repr(name), "spark:local[*]", ":7077", ":15002"):
        check_engine(name)


@pytest.mark.parametrize(
    "name",
    [
        "spark:local[0]",
        "spark:local[two]",
        "spark://",
        "spark://host:port",
        "spark://host:99999",
        "spark://host/path",
        "spark://user@host",
        "sc://",
        "sc://host:15002/path",
        "sc://host;token",
        "sc://host;token=",
    ],
)
def test_a_malformed_place_is_refused(name):
    with refused("spark.master", "local[*]", ":7077"):
        check_engine(name)


@pytest.mark.parametrize(
    "name", [f"sc://ho st;token={TOKEN}", f"sc://host;{TOKEN}", f"sc://ana:{TOKEN}@host", f"spurk://h;token={TOKEN}"]
)
def test_a_refusal_quotes_no_token(name):
    with pytest.raises(bb.UsageError) as caught:
        check_engine(name)
    assert TOKEN not in f"{caught.value} {caught.value!r} {caught.value.values}"


@pytest.mark.parametrize("kind", KINDS)
def test_a_request_is_kept_and_shown_without_the_token(kind):
    request = kind(engine=REMOTE)

    assert request.to_tree()["engine"] == "sc://spark.example:15002/;use_ssl=true"
    assert TOKEN not in request.to_yaml() + repr(request)
    assert request.engine == REMOTE


@pytest.mark.parametrize("name", [f"sc://h:1/;x-api-key={TOKEN}", f"sc://ana:{TOKEN}@h:1", f"{TOKEN};"])
def test_what_may_be_a_secret_is_not_kept(name):
    with refused("usage.engine-unsaved", "'engine'"):
        bb.RiskRequest(engine=name).to_tree()


@pytest.mark.parametrize(
    "request_",
    [
        bb.RiskRequest(files=["absent.csv"], quasi=["age"], engine="spark:yarn"),
        bb.SearchRequest(files=["absent.csv"], quasi=["age"], k=2, engine="spark:yarn"),
        bb.ApplyRequest(files=["absent.csv"], plan="absent.yaml", out="out.csv", engine="spark:yarn"),
        bb.PublishRequest(files=["absent.csv"], quasi=["age"], k=2, out="out", engine="spark:yarn"),
        bb.UtilityRequest(original="absent.csv", release="absent.csv", engine="spark:yarn"),
    ],
    ids=lambda request: request.kind,
)
@pytest.mark.parametrize("verb", ["check", "run"])
def test_a_request_finds_it_before_anything_else(request_, verb):
    with refused("spark.engine", "spark:yarn"):
        getattr(request_, verb)()


def test_an_engine_that_is_given_goes_before_the_one_that_is_named():
    found = bb.RiskRequest(quasi=["age"], sensitive=["disease"], engine="spark://absent:1").run(
        bb.samples.clinic(), engine="local"
    )

    assert found.risk.rows == 12


@pytest.mark.parametrize(
    "call",
    [
        lambda engine: bb.apply(bb.samples.clinic(), bb.Plan([]), engine=engine),
        lambda engine: bb.preview(bb.samples.clinic(), bb.Plan([]), engine=engine),
        lambda engine: bb.publish(bb.samples.clinic(), bb.Plan([]), "out", engine=engine),
        lambda engine: bb.utility(bb.samples.clinic(), bb.samples.clinic(), engine=engine),
    ],
    ids=["apply", "preview", "publish", "utility"],
)
def test_functions_take_names(call):
    with refused("spark.engine", "flink"):
        call("flink")
