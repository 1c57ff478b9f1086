import os
import signal
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from hypothesis import settings
from one_session import OneSession, put_shared_first
from postgres_server import running_server
from quick_java import quick_options
from spark_engine import missing_for_spark

from biombo import _i18n
from biombo._report.charts import as_specification, drawing

os.environ["BIOMBO_LANG"] = "en"
os.environ.setdefault("SPARK_CONF_DIR", str(Path(__file__).parent / "helpers" / "quick_spark"))
os.environ.setdefault("SPARK_SUBMIT_OPTS", quick_options())
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell's background job, whose children would ignore it too
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # one that nohup started
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
# No deadline: the first example pays for imports. `make test` asks the same examples each time, `make fuzz` new ones.
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.register_profile("fuzz", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("BIOMBO_EXAMPLES", "repeatable"))


_ABOUT_PAGES = {Path(__file__).parent / name for name in ("report", "portal")}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    put_shared_first(items, "spark")
    for item in items:
        if item.get_closest_marker("spark") and (reason := missing_for_spark()):
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log):
    return OneSession(config, log) if config.getvalue("dist") == "worksteal" else None


@pytest.fixture(scope="session", autouse=True)
def _without_waiting_for_the_disk() -> Iterator[None]:
    """No test cuts the power, so none could tell; a small publication would wait for it thirty times."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", os.fstat)
        yield


@pytest.fixture(autouse=True)
def _english_unless_a_test_chooses():
    yield
    _i18n._current.set(None)


@pytest.fixture(scope="module", autouse=True)
def _undrawn(request: pytest.FixtureRequest) -> Iterator[None]:
    """Charts stand in pages as what they tell, but where pages are tested: to draw them takes longer than all else."""
    with nullcontext() if _ABOUT_PAGES.intersection(request.path.parents) else drawing(as_specification):
        yield


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The real public data, which stays outside of the project."""
    folder = Path(__file__).parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the public test data (../shared/data) is not here")
    return folder


@pytest.fixture(scope="session")
def siapa_file(shared_data: Path) -> Path:
    return shared_data / "siapa" / "PAAC2401.dbc"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address, without user, of a PostgreSQL server; skips where none is installed."""
    with running_server() as address:
        yield address
