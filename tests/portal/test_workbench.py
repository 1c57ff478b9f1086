"""A manager leads a table from upload to a verified release in the catalogue and the register, in a real browser."""

import io
import urllib.request
import zipfile

import polars as pl
import pytest
import yaml
from portal_windows import fill

import biombo as bb

ROWS = 1_200
MOST_BYTES = 150_000


def table() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "nome": [f"Pessoa de Teste {number}" for number in range(ROWS)],
            "sexo": [("F", "M")[number % 2] for number in range(ROWS)],
            "idade": [20 + number * 7 % 61 for number in range(ROWS)],
            "bairro": [("Centro", "Cohab", "Anil")[number * number % 3] for number in range(ROWS)],
            "diagnostico": [("A90", "B24", "I10", "J45")[number // 2 % 4] for number in range(ROWS)],
        }
    )


def step(ana, button: str) -> None:
    ana.press(f"main form[action$='{button}'] .do button, main form[action$='{button}'] > button")
    ana.wait_for_job()
    assert ana.refusals == []


def go_on(ana, name: str) -> None:
    """To the next step, as the page offers it; nothing on the page keeps anybody from reading it."""
    assert ana.faults() == []
    ana.press(f"main .next a[href$='/{name}']")


def photograph(ana, pictures, name: str, until: str) -> None:
    """The page in both languages."""
    for language in ("en", "pt"):
        ana.speaks(language)
        ana.page.reload()
        ana.page.locator("details[open]").evaluate_all("all => all.forEach(each => each.open = false)")
        ana.photograph(pictures / f"portal-bench-{name}-{language}.png", until=until)


@pytest.mark.slow
def test_from_upload_to_a_verified_release(portal, window, tmp_path, pictures):
    file = tmp_path / "pessoas.csv"
    table().write_csv(file)
    ana = window(portal, "gestora@demo.example")
    ana.open("/data/new")
    fill(ana.page.locator("main form"), {"name": "Pessoas", "department": "Vigilância", "file": str(file)})
    ana.press("main form .do button")
    ana.wait_for_job()
    assert ana.refusals == []
    ana.press("main a[href$='/columns']")
    columns = ana.page.locator("main form[action$='/columns']")
    chosen = columns.locator("select[name^=role_]").evaluate_all("fields => fields.map(field => field.value)")
    assert chosen[0] in ("identifier", "undecided")
    roles = ("identifier", "quasi", "quasi", "quasi", "sensitive")
    fill(columns, {f"role_{number}": role for number, role in enumerate(roles)})
    step(ana, "/columns")
    ana.press("main a[href$='/workbench']")
    bench = ana.page.url.removeprefix(portal.address)
    go_on(ana, "risk")

    step(ana, "/steps/risk")
    assert ana.page.locator(".told svg").count() >= 5
    photograph(ana, pictures, "risk", until=".told .steps")
    go_on(ana, "search")

    slider = ana.page.locator("input.slider").first
    slider.focus()
    for _ in range(5):
        slider.press("ArrowRight")
    assert ana.page.input_value("[name=k]") == "15"
    fill(ana.page.locator("main form[action$='/steps/search']"), {"k": 10, "max_suppression": "2,5"})
    assert slider.input_value() == "10"
    step(ana, "/steps/search")
    plans = ana.page.locator("input[name=plan]").count()
    assert plans >= 3
    assert ana.page.locator("input[name=plan]:checked").input_value() == "0"
    ana.page.check("input[name=plan][value='1']")
    step(ana, "/steps/choose")
    assert ana.page.locator("input[name=plan]:checked").input_value() == "1"
    levels = ana.page.locator("table.offers tbody tr").nth(1).locator("td").nth(1).inner_text()
    photograph(ana, pictures, "search", until="#plans")
    go_on(ana, "utility")

    assert levels in ana.main
    step(ana, "/steps/utility")
    photograph(ana, pictures, "utility", until=".told .table >> nth=1")
    go_on(ana, "publish")

    photograph(ana, pictures, "publish", until=".do-now")
    form = ana.page.locator("main form[action$='/steps/publish']")
    fill(form, {"title": "Pessoas por faixa etária", "harm": "high"})
    ana.press("main form[action$='/steps/publish'] .do button")
    assert len(ana.refusals) == 1
    fill(ana.page.locator("main form[action$='/steps/publish']"), {"harm": "low"})
    step(ana, "/steps/publish")
    assert ana.page.url.endswith("/registered")
    assert ana.faults() == []

    archive = ana.context.request.get(f"{portal.address}{bench}/request.zip")
    with zipfile.ZipFile(io.BytesIO(archive.body())) as packed:
        assert yaml.safe_load(packed.read("request.yaml"))["plan"] == "plan.yaml"
    assert ana.context.request.get(f"{portal.address}{bench}/reports/search").status == 200
    ana.press("main a[href='/register']")
    assert "Pessoas por faixa etária" in ana.main
    assert ana.faults() == []
    photograph(ana, pictures, "register", until="main table")
    ana.open(f"{bench}/registered")
    ana.press("main a[href^='/catalogue/']")
    slug = ana.page.url.rpartition("/")[2]
    release = portal.folder / "releases" / slug
    assert bb.verify(release, register=bb.Register.open(str(portal.folder / "register.db"))).origin_proved
    released = pl.read_csv(release / "data.csv")
    assert released.group_by("sexo", "idade", "bairro").len()["len"].min() >= 10
    assert "nome" not in released.columns
    everybody = urllib.request.urlopen(f"{portal.address}/catalogue/{slug}").read().decode()
    assert "Pessoas por faixa etária" in everybody
    rita = window(portal, "pesquisadora@demo.example")
    rita.complaints.clear()
    assert rita.context.request.get(f"{portal.address}{bench}/risk").status == 404
    assert [each.name for each in pictures.glob("portal-bench-*.png") if each.stat().st_size > MOST_BYTES] == []


@pytest.mark.slow
def test_groups_with_levels_of_their_own_from_upload_to_a_verified_release(portal, window, tmp_path, pictures):
    """By keyboard where one types, and on a phone: what must hold, the plans side by side, the release."""
    file = tmp_path / "internacoes.csv"
    table().write_csv(file)
    ana = window(portal, "gestora@demo.example")
    ana.open("/data/new")
    fill(ana.page.locator("main form"), {"name": "Internações", "department": "Vigilância", "file": str(file)})
    ana.press("main form .do button")
    ana.wait_for_job()
    ana.press("main a[href$='/columns']")
    roles = ("identifier", "quasi", "quasi", "quasi", "sensitive")
    columns = ana.page.locator("main form[action$='/columns']")
    fill(columns, {f"role_{number}": role for number, role in enumerate(roles)})
    step(ana, "/columns")
    ana.press("main a[href$='/workbench']")
    bench = ana.page.url.removeprefix(portal.address)
    ana.open(f"{bench}/search")
    assert not ana.page.locator("[name=beta]").is_visible()
    assert ana.faults() == []

    more = ana.page.locator("details:has([name=beta]) > summary")
    more.focus()
    ana.page.keyboard.press("Enter")
    assert ana.page.locator("[name=beta]").is_visible()
    question = ana.page.locator("main form[action$='/steps/search']")
    fill(question, {"k": 5, "beta": "muito"})
    ana.press("main form[action$='/steps/search'] .do button")
    assert len(ana.refusals) == 1
    assert ana.page.locator("[name=beta]").is_visible()  # where it is wrong, it is not folded
    assert ana.page.locator("[name=beta]").get_attribute("aria-invalid") == "true"
    assert ana.faults() == []
    ana.page.locator("[name=recoding]:checked").focus()
    ana.page.keyboard.press("ArrowDown")
    assert ana.page.locator("[name=recoding]:checked").input_value() == "local"
    fill(ana.page.locator("main form[action$='/steps/search']"), {"beta": "2,5"})
    step(ana, "/steps/search")

    assert ana.page.locator("input[name=plan]:checked").input_value() == "0"
    assert ana.page.locator("input[name=plan]").count() >= 3
    assert ana.page.locator(".told svg").count() >= 1
    photograph(ana, pictures, "local", until="#plans")
    for width in (390, 1280):
        ana.page.set_viewport_size({"width": width, "height": 900})
        for language in ("en", "pt"):
            ana.speaks(language)
            ana.page.reload()
            assert ana.faults() == []
            ana.photograph(tmp_path / f"search-{width}-{language}.png", until="footer")
    go_on(ana, "utility")
    step(ana, "/steps/utility")
    go_on(ana, "publish")
    form = ana.page.locator("main form[action$='/steps/publish']")
    fill(form, {"title": "Internações por grupo", "harm": "low"})
    step(ana, "/steps/publish")
    assert ana.page.url.endswith("/registered")

    archive = ana.context.request.get(f"{portal.address}{bench}/request.zip")
    with zipfile.ZipFile(io.BytesIO(archive.body())) as packed:
        (operation,) = yaml.safe_load(packed.read("plan.yaml"))["operations"]
        assert list(operation) == ["recode-locally"]
    ana.press("main a[href^='/catalogue/']")
    release = portal.folder / "releases" / ana.page.url.rpartition("/")[2]
    assert bb.verify(release, register=bb.Register.open(str(portal.folder / "register.db"))).origin_proved
    released = pl.read_csv(release / "data.csv")
    assert released.height == ROWS
    assert released.group_by("sexo", "idade", "bairro").len()["len"].min() >= 5
    assert [each.name for each in pictures.glob("portal-bench-*.png") if each.stat().st_size > MOST_BYTES] == []
