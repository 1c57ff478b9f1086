"""A manager says what columns are and how they may be generalised, in a real browser."""

import json
from pathlib import Path

import polars as pl
import pytest
from portal_windows import fill

MANAGER = "gestora@demo.example"
ROWS = 1_200
PLACES = {"Norte": ("Acre", "Roraima"), "Sul": ("Paraná", "Santa Catarina")}
TREE = "\n".join(line for group, values in PLACES.items() for line in (group, *(f"  {each}" for each in values)))


@pytest.fixture
def columns(portal, window, tmp_path: Path):
    """A window on the columns of a table that was just handed in."""
    every = [each for values in PLACES.values() for each in values]
    table = {
        "nome": [f"Pessoa de Teste {n}" for n in range(ROWS)],
        "idade": [20 + n % 60 for n in range(ROWS)],
        "lugar": [every[n // 2 % 4] if n else "Bahia" for n in range(ROWS)],
        "diagnostico": [("A90", "B24", "I10", "J45")[n // 3 % 4] for n in range(ROWS)],
    }
    pl.DataFrame(table).write_csv(tmp_path / "pessoas.csv")
    ana = window(portal, MANAGER)
    ana.open("/data/new")
    fill(ana.page.locator("main form"), {"name": "Pessoas", "file": str(tmp_path / "pessoas.csv")})
    ana.press("main form .do button")
    ana.wait_for_job()
    ana.press("main a[href$='/columns']")
    fill(
        ana.page.locator("main form[action$='/columns']"),
        {"role_0": "identifier", "role_1": "quasi", "role_2": "quasi", "role_3": "sensitive"},
    )
    ana.press("main form[action$='/columns'] button")
    ana.wait_for_job()
    assert ana.refusals == []
    return ana


def test_an_own_tree_is_typed_drawn_checked_kept_and_used_by_a_search(columns, portal):
    ana, page = columns, columns.page
    where = page.url.removeprefix(portal.address)
    ana.press(f"main a[href='{where}/2']")
    page.check("[name=kind][value=tree]")
    assert not page.locator("[name=widths]").is_visible()
    page.fill("[name=tree]", TREE)
    page.click("button[value=look]")
    page.locator(".tree").wait_for()
    assert page.locator(".tree li li").all_inner_texts()[0].startswith("Norte")
    assert ana.faults() == []

    ana.press("button[value=check]")
    ana.wait_for_job()
    assert "1 valor não tem lugar (1 registro)" in ana.main
    assert page.locator("#drawn tbody th", has_text="Bahia").count() == 1
    assert ana.faults() == []
    page.fill("[name=tree]", f"{TREE}\nNordeste\n  Bahia")
    ana.press("button[value=save]")
    ana.wait_for_job()
    assert page.url.endswith("/columns")
    assert "5 valores da tabela, todos com lugar" in ana.main
    assert ana.faults() == []

    adversaries = page.locator("main form[action$='/adversaries']")
    rows = adversaries.locator(".adversary")
    rows.last.locator("input[type=text]").fill("jornalista")
    rows.last.get_by_label("lugar").check()
    ana.press("main form[action$='/adversaries'] button")
    assert ana.refusals == []
    assert "jornalista" in [each.input_value() for each in page.locator(".adversary input[type=text]").all()]

    ana.press("main a[href$='/workbench']")
    bench = page.url
    ana.press("main .stepbar a[href$='/workbench/search']")
    fill(page.locator("main form[action$='/steps/search']"), {"k": 10, "max_suppression": "5"})
    ana.press("main form[action$='/steps/search'] button")
    ana.wait_for_job()
    assert ana.refusals == []
    report = ana.context.request.get(f"{bench}/reports/search").text()
    assert "Nordeste" in report or "Sul" in report


def test_what_is_wrong_with_a_tree_is_said_where_it_is_drawn(columns):
    ana, page = columns, columns.page
    ana.press("main a[href$='/columns/2']")
    page.check("[name=kind][value=tree]")
    page.fill("[name=tree]", "Acre;Norte\nParaná")
    page.click("button[value=look]")
    page.locator("#drawn .errors").wait_for()
    assert "2" in page.locator("#drawn .errors").inner_text()
    assert page.locator("[name=tree]").input_value().startswith("Acre")
    page.fill("[name=tree]", TREE)
    page.click("button[value=look]")
    page.locator(".tree").wait_for()
    assert page.locator("#drawn .errors").count() == 0
    file = {"name": "lugares.csv", "mimeType": "text/csv", "buffer": b"Lima;Peru;*\nRio;Brasil;*"}
    page.set_input_files("[name=tree_file]", file)
    page.click("button[value=look]")
    page.locator(".tree", has_text="Peru").wait_for()
    page.locator("[name=tree]").evaluate("field => { field.value = 'um valor;um grupo\\n'.repeat(100000); }")
    page.click("button[value=look]")
    page.get_by_text("longo demais").wait_for()
    ana.complaints = [each for each in ana.complaints if "400" not in each]


def test_every_kind_can_be_read_on_a_phone_in_both_languages(columns):
    ana, page = columns, columns.page
    page.set_viewport_size({"width": 390, "height": 900})
    for language in ("pt", "en"):
        ana.speaks(language)
        page.reload()
        assert ana.faults() == []
        with page.expect_navigation():
            page.click("main a[href$='/columns/1']")
        for kind in page.locator("[name=kind]").evaluate_all("kinds => kinds.map(kind => kind.value)"):
            page.check(f"[name=kind][value={kind}]")
            assert ana.faults() == [], kind
        page.go_back()


def test_bands_are_kept_as_the_command_line_reads_them(columns, portal):
    import sqlite3

    import yaml

    ana, page = columns, columns.page
    ana.press("main a[href$='/columns/1']")
    page.check("[name=kind][value=interval]")
    fill(page.locator("main form.kinds"), {"widths": "10; 20", "top": "70", "whole": True})
    ana.press("button[value=save]")
    ana.wait_for_job()
    number = int(page.url.split("/")[-2])
    with sqlite3.connect(portal.folder / "portal.sqlite3") as database:
        (schema,) = database.execute("select schema from portal_dataset where id = ?", (number,)).fetchone()
    kept = yaml.safe_load(schema)["columns"]["idade"]["hierarchy"]
    assert json.dumps(kept, sort_keys=True) == json.dumps(
        {"kind": "interval", "labels": "inclusive", "multiples": [2], "top": 70, "width": 10}, sort_keys=True
    )
    assert "faixas de 10" in ana.main or "faixa de 10" in ana.main
