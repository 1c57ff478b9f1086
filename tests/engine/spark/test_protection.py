"""Beyond one machine, nothing is sent unless Spark knows who takes part and encrypts."""

import pytest
from refusal import refused

from biombo._engine.spark import refuse_unprotected

SAFE = {
    "spark.master": "spark://node:7077",
    "spark.authenticate": "true",
    "spark.authenticate.secret": "s3cr3t-of-all",
    "spark.network.crypto.enabled": "true",
    "spark.io.encryption.enabled": "true",
}


@pytest.fixture(autouse=True)
def _no_secret_here(monkeypatch):
    monkeypatch.delenv("_SPARK_AUTH_SECRET", raising=False)


def check(settings, **options):
    refuse_unprotected(settings.get, "spark://node:7077", **options)


def test_a_protected_cluster_is_used():
    check(SAFE)


@pytest.mark.parametrize("master", ["local", "local[2]", "local[*]"])
def test_one_machine_needs_nothing_of_it(master):
    check({"spark.master": master})


@pytest.mark.parametrize("name", sorted(SAFE.keys() - {"spark.master"}))
@pytest.mark.parametrize("value", [None, "false"])
def test_each_setting_that_is_missing_is_named(name, value):
    if value is not None and name == "spark.authenticate.secret":
        pytest.skip("any text is a secret")
    with refused("spark.unprotected", name, "spark-defaults.conf", "SPARK_CONF_DIR"):
        check(SAFE | {name: value})


@pytest.mark.parametrize("master", ["local-cluster[2,1,1024]", "yarn", "k8s://node", ""])
def test_every_other_place_is_beyond(master):
    with refused("spark.unprotected", "spark.authenticate=true", "spark.io.encryption.enabled=true"):
        check({"spark.master": master})


def test_encryption_by_certificates_will_do():
    check(SAFE | {"spark.network.crypto.enabled": None, "spark.ssl.rpc.enabled": "true"})


def test_the_secret_may_be_in_the_environment_or_in_a_file_and_is_never_told(monkeypatch):
    check(SAFE | {"spark.authenticate.secret": None, "spark.authenticate.secret.file": "/etc/spark/secret"})
    monkeypatch.setenv("_SPARK_AUTH_SECRET", "s3cr3t-of-all")
    check(SAFE | {"spark.authenticate.secret": None})
    with pytest.raises(Exception, match=r"spark\.authenticate=true") as caught:
        check(SAFE | {"spark.authenticate": None})
    assert "s3cr3t" not in f"{caught.value} {caught.value!r}"


def test_whoever_only_connects_needs_no_secret():
    check(SAFE | {"spark.authenticate.secret": None}, own_secret=False)
    with refused("spark.unprotected", "spark.network.crypto.enabled=true"):
        check(SAFE | {"spark.network.crypto.enabled": None}, own_secret=False)
