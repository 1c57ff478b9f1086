import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from portal_server import Portal, missing_for_portal, running_portal
from portal_site import Site, the_site
from postgres_server import PASSWORD


@pytest.fixture(scope="session")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Portal]:
    """The demo on SQLite, which all tests share: each makes its own requests. Managers may choose files of a folder."""
    if reason := missing_for_portal():
        pytest.skip(reason)
    place = tmp_path_factory.mktemp("portal")
    for folder in ("home", "shared"):
        (place / folder).mkdir(mode=0o700)
    (place / "shared" / "cidades.csv").write_text("cidade,idade\n" + "Lima,40\nRio,41\n" * 50)
    told = {"folders": [str(place / "shared")], "databases": {"saude": f"sqlite:///{place}/nowhere.db"}}
    (place / "home" / "portal.json").write_text(json.dumps(told))
    with running_portal(place / "home") as running:
        yield running


@pytest.fixture(scope="session")
def portal_on_postgres(tmp_path_factory: pytest.TempPathFactory, postgres_server: str) -> Iterator[Portal]:
    """The demo on PostgreSQL, in a database of its own."""
    if reason := missing_for_portal():
        pytest.skip(reason)
    psycopg = pytest.importorskip("psycopg")
    name, server = f"portal_{uuid4().hex}", f"postgresql://manager:{PASSWORD}@{postgres_server}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    address = f"{server.rpartition('/')[0]}/{name}"
    with running_portal(tmp_path_factory.mktemp("portal-postgres") / "home", database=address) as running:
        yield running


@pytest.fixture(scope="module")
def browser():
    """Only for a module: its loop would keep others in this process from using Django."""
    if reason := missing_for_portal():
        pytest.skip(reason)
    from portal_windows import chromium

    with chromium() as running:
        yield running


@pytest.fixture
def window(browser) -> Iterator[Callable[..., object]]:
    """Opens windows, which are closed at the end; no page may have given the browser reason to complain."""
    from portal_windows import Window

    opened: list[Window] = []

    def open_one(portal: Portal, email: str | None = None, **told) -> Window:
        opened.append(Window(browser, portal, **told))
        return opened[-1] if email is None else opened[-1].log_in(email)

    yield open_one
    complaints = [each for one in opened for each in one.complaints]
    for each in opened:
        each.close()
    assert complaints == []


@pytest.fixture(scope="session")
def one_site() -> Iterator[Site]:
    """A portal with people of all roles and requests in all states, which the tests of a process share."""
    found = the_site()
    made = next(found)
    made.cases(), made.entry()
    yield made
    shutil.rmtree(made.home.folder.parent, ignore_errors=True)


@pytest.fixture
def site(one_site: Site) -> Iterator[Site]:
    """The same, as if no test had been there before."""
    with one_site.as_it_was():
        yield one_site


@pytest.fixture
def unchanged(site: Site) -> Site:
    """For tests whose requests are others' too: to look at, not to change."""
    return site


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Where pictures go: into the documents where one says so."""
    return Path(os.environ.get("BIOMBO_PICTURES", tmp_path))
