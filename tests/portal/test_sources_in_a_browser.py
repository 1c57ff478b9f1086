"""A manager hands a table in, in a real browser: how far it is can be seen, and it can be stopped."""

import re
from pathlib import Path

import pytest
from portal_windows import fill

MANAGER = "gestora@demo.example"
MEBIBYTE = 1024**2


@pytest.fixture
def file(tmp_path: Path) -> Path:
    place = tmp_path / "pessoas.csv"
    place.write_text("nome,idade,cidade\n" + "".join(f"Pessoa {n},{n % 90},Lima\n" for n in range(400_000)))
    assert place.stat().st_size > 8 * MEBIBYTE
    return place


def slowed(window, bytes_a_second: int) -> None:
    """Have the browser send so slowly; at 0 as usual."""
    conditions = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": bytes_a_second or -1}
    session = window.context.new_cdp_session(window.page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", conditions)


def tables(portal) -> set[str]:
    return {path.name for path in (portal.folder / "sources").iterdir()}


def test_an_upload_shows_how_far_it_is_and_can_be_stopped(portal, window, file: Path):
    before, ana = tables(portal), window(portal, MANAGER)
    ana.open("/data/new")
    slowed(ana, MEBIBYTE // 4)  # long enough to look at the page, however busy the machine is
    fill(ana.page.locator("main form"), {"name": "Pessoas", "file": str(file)})
    ana.page.click("main form .do button")

    said, bar = ana.page.locator(".sending [role=status]"), ana.page.locator(".sending progress")
    said.get_by_text(re.compile("Enviando o arquivo: [1-9]0%")).wait_for()
    assert 10 <= int(str(bar.evaluate("bar => bar.value"))) < 100
    assert ana.page.locator("main form .do button").is_disabled()
    assert ana.faults() == []
    ana.page.click(".sending button")
    said.get_by_text("O envio foi interrompido.").wait_for()
    assert ana.page.url.endswith("/data/new")
    assert tables(portal) == before

    slowed(ana, 0)
    ana.press("main form .do button")
    ana.wait_for_job()
    assert ana.refusals == []
    assert "cidade" in ana.main
    (kept,) = tables(portal) - before
    assert (portal.folder / "sources" / kept).read_bytes() == file.read_bytes()


def test_what_is_wrong_with_an_upload_is_said_on_the_page(portal, window, tmp_path: Path):
    before, ana = tables(portal), window(portal, MANAGER)
    (tmp_path / "programa.exe").write_bytes(b"MZ")
    ana.open("/data/new")
    fill(ana.page.locator("main form"), {"name": "Pessoas", "file": str(tmp_path / "programa.exe")})
    ana.page.click("main form .do button")
    ana.page.locator(".errors").first.wait_for()

    assert ".csv" in ana.refusals[0]
    assert ana.page.locator("[name=name]").input_value() == "Pessoas"
    assert tables(portal) == before
    (tmp_path / "tabela.csv").write_text("idade\n1\n2\n")
    fill(ana.page.locator("main form"), {"file": str(tmp_path / "tabela.csv")})
    ana.press("main form .do button")
    ana.wait_for_job()
    assert "idade" in ana.main


def test_a_table_is_handed_in_without_script(portal, window, browser, tmp_path: Path):
    (tmp_path / "tabela.csv").write_text("idade\n1\n2\n")
    ana = window(portal, MANAGER)
    plain = browser.new_context(java_script_enabled=False)
    plain.add_cookies(ana.context.cookies())
    page = plain.new_page()
    page.goto(f"{portal.address}/data/new")
    page.fill("[name=name]", "Sem script")
    page.set_input_files("[name=file]", tmp_path / "tabela.csv")
    page.click("main form .do button")
    assert page.inner_text("h1") == "Sem script"
    plain.close()


def test_a_file_of_the_server_is_chosen(portal, window):
    ana = window(portal, MANAGER)
    ana.open("/data/new")
    assert not ana.page.locator("[name=server_file]").is_visible()
    ana.page.check("[name=source][value=folder]")
    assert not ana.page.locator("[name=file]").is_visible()
    assert ana.faults() == []
    listed = ana.page.locator("[name=server_file] option").all_inner_texts()
    assert [each for each in listed if each.startswith("cidades.csv · ")]
    fill(ana.page.locator("main form"), {"name": "Cidades", "server_file": "0/cidades.csv"})
    ana.press("main form .do button")
    ana.wait_for_job()
    assert ana.refusals == []
    assert "cidade" in ana.main


def test_a_database_that_is_away_is_said_to_be(portal, window):
    ana = window(portal, MANAGER)
    ana.open("/data/new")
    ana.page.check("[name=source][value=database]")
    assert ana.faults() == []
    fill(ana.page.locator("main form"), {"name": "Saúde", "database": "saude", "query": "pessoas"})
    ana.press("main form .do button")
    ana.wait_for_job()
    assert ["saude" in said and "sqlite" not in said for said in ana.refusals] == [True]
