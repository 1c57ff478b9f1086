from collections.abc import Iterator

import pytest
import spark_cluster
from spark_cluster import SparkCluster


@pytest.fixture(scope="session")
def one_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkCluster]:
    """A cluster of Spark, started once for all tests."""
    if missing := spark_cluster.why_not():
        pytest.skip(missing)
    with SparkCluster(event_log=True, quick=True, folder=tmp_path_factory.mktemp("spark")) as cluster:
        yield cluster


@pytest.fixture
def cluster(one_cluster: SparkCluster) -> SparkCluster:
    """The same; what a test kills is started again for the next one."""
    one_cluster.revive()
    return one_cluster
