"""The dialogue of the document (section 5.3), by two people in two windows of a real browser."""

import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import biombo as bb

AGE, BORN, SEX, RACE = (
    "paciente_idade",
    "paciente_dataNascimento",
    "paciente_enumSexoBiologico",
    "paciente_racaCor_valor",
)
CEP, DAY, GROUP = "paciente_endereco_cep", "vacina_dataAplicacao", "vacina_grupoAtendimento_nome"
LABELS = {"Idade": AGE, "Nascimento": BORN, "Sexo": SEX, "Raça": RACE, "CEP": CEP, "Data": DAY, "Grupo": GROUP}
WHY = "quem foi chamado em cada data é informação pública"
CONTROLLED = {"harm": "medium", "motivation": "low", "controls": "high"}


def asked(researcher, *, dimension: str = "truth", wanted=tuple(LABELS)) -> str:
    """Process 1, on the form that is open; gives the address of the request's page. A document is shown once only."""
    from portal_windows import fill

    form = researcher.page.locator("main form")
    fill(
        form,
        {
            "kind": "public-institution",
            "address": "São Luís",
            "document": form.locator("[name=document]").input_value() or "111.222.333-96",
            "dimension": dimension,
            "purpose": "quem foi vacinado quando, por idade e lugar",
            "predict": "Grupo",
        }
        | {f"label_{number}": label for number, label in enumerate(wanted)}
        | {f"meaning_{number}": f"{label} de quem foi vacinado" for number, label in enumerate(wanted)},
    )
    researcher.press("main form .do button")
    researcher.wait_for_job()
    return re.sub("^.*//[^/]+", "", researcher.page.url)


def manipulated(level: int) -> dict[str, int]:
    return {f"column:{name}": level for name in (AGE, BORN, CEP, DAY)}


def signed_up(researcher, email: str, administrator) -> None:
    """On the page that asks for a login, as somebody who has none, whom the administrator lets in."""
    researcher.press("main a[href*=signup]")
    page = researcher.page
    page.fill("input[name=name]", "Rita Lima")
    page.fill("input[name=email]", email)
    for name in ("password1", "password2"):
        page.fill(f"input[name={name}]", "uma senha bem comprida")
    researcher.press("main form button")
    login = str(researcher.page.locator("main a").get_attribute("href"))
    administrator.open("/people")
    administrator.press(f"tr:has-text('{email}') button[value=yes]")
    researcher.open(login)
    page.fill("input[name=login]", email)
    page.fill("input[name=password]", "uma senha bem comprida")
    researcher.press("main form button")


def case_study(portal, window, folder: Path, look: Callable[..., None]) -> None:
    """All of it; ``look`` sees a window in every state, with what is to be seen there."""
    rita, ana = window(portal), window(portal, "gestora@demo.example")

    # Rita saw the public release, and needs more detail of the same people: process 1
    rita.open("/")
    rita.press(".cards a[href^='/catalogue/']")
    rita.press("main a.button")
    signed_up(rita, f"rita-{folder.parent.name}@example.org", window(portal, "admin@demo.example"))
    assert rita.page.locator("p.public").count() == 1, "the form must say that it starts from the release"
    case = asked(rita, wanted=[*LABELS, "Vacina"])
    assert rita.page.locator(".turn").inner_text().startswith("Pedido feito")

    # Ana maps labels to columns, as they are proposed, and sets TG 7: process 2; 3 and 4 follow
    ana.open("/requests/inbox")
    ana.press(f"main a[href='{case}']")
    form = ana.form("prepare")
    proposed = [form.locator(f"[name='label:{number}']").input_value() for number in range(len(LABELS) + 1)]
    assert proposed == [*LABELS.values(), ""]
    ana.do("prepare", k=7, **CONTROLLED)
    assert ana.refusals == []
    assert "11.543" in ana.main

    # Rita reads shares in whole percents, and no number of people
    rita.open(case)
    bars = rita.page.locator("table.bars").inner_text()
    assert re.search(r"Nascimento\s+100%", bars)
    assert not re.search(r"\d{4}", bars)
    assert ana.page.locator("#act-prepare").count() == 0
    assert "suggest" not in rita.can()

    # Round 1: without the day, by 5 years, CEP without its last 4 digits: processes 5 and 6
    form = rita.form("accept")
    form.locator(f"[name='column:{AGE}']").select_option("1")
    example = form.locator("tr", has_text="Idade").locator(".examples")
    example.wait_for()
    assert re.search(r"34 → (30–34|30 a 34|\[30, 35)", example.inner_text()), example.inner_text()
    rita.do("accept", max_suppression="0,7", **manipulated(1))
    (refusal,) = rita.refusals
    assert re.search(r"múltipl", refusal), refusal
    rita.do("accept", max_suppression="0", **manipulated(1))
    assert rita.refusals == []
    ana.open(case)
    ana.do("carry-out")
    assert ana.refusals == []

    # A lower TG; yes, if ages are by 10 and dates are years
    rita.open(case)
    assert rita.form("accept").locator(f"[name='column:{AGE}']").input_value() == "1", "what was accepted is filled in"
    rita.do("propose", k=5, message="Poderia diminuir o valor de TG?")
    ana.open(case)
    assert "Poderia diminuir" in ana.main
    ana.do("suggest", k=5, message="Sim: idade de 10 em 10, e das datas só o ano.", **manipulated(2))
    rita.open(case)
    assert rita.form("accept").locator(f"[name='column:{AGE}']").input_value() == "2", "the suggestion is filled in"
    rita.do("accept")
    ana.open(case)
    assert ana.form("carry-out").locator("[name=k]").input_value() == "5", "the TG that was suggested is filled in"
    look(ana, "manager", "#act-carry-out .do")
    ana.do("carry-out", k=5)

    # TG 3, if the groups that are smaller may be suppressed
    rita.open(case)
    rita.do("propose", k=3)
    ana.open(case)
    ana.do("set-condition", k=3, max_suppression="20", message="Os grupos menores que 3 serão suprimidos.")
    assert ana.refusals == []
    rita.open(case)
    assert "Os grupos menores que 3 serão suprimidos." in rita.main
    look(rita)
    rita.do("answer", accepted="yes")
    ana.open(case)
    ana.do("carry-out")
    assert ana.refusals == []
    ana.open(f"{case}/offers")
    look(ana, "offers")
    told = ana.main
    assert "2.016" in told
    assert "Sim" in told

    # QMASG is waived, after a look at the values; the manifest will say so: process 7
    ana.open(case)
    values = waived(ana)
    assert len(values) == 8
    assert not any("Neoplasias" in value for value in values)

    # Utility, its review, and the terms: processes 12 and 13
    ana.do("send-metrics")
    assert ana.refusals == []
    rita.open(case)
    assert "83%" in rita.main
    look(rita)
    rita.do("review", accepted="yes")
    rita.do("accept-terms", read=True)
    assert "accept-terms" not in rita.can()

    # The report, with what both releases tell together; the committee votes: process 14
    ana.open(case)
    look(ana)
    ana.do("write-report", department="Vigilância", **{f"accept:{GROUP}": WHY})
    assert ana.refusals == []
    assert "9.527" in ana.page.locator("section.steps").inner_text(), "the joint risk"
    celia = window(portal, "comite@demo.example")
    assert celia.page.url.endswith("/requests/votes")
    celia.press(f"main a[href='{case}']")
    look(celia)
    celia.do("vote", approve="yes", reason="os grupos bastam")
    assert celia.refusals == []

    # Available: process 15
    rita.open(case)
    assert rita.page.locator("form[action$='/delivery']").count() == 0
    ana.open(case)
    ana.do("make-available")
    assert ana.refusals == []
    rita.open(case)
    look(rita)
    verified = bb.verify(fetched(rita, folder))
    assert verified.holds
    assert [each.claim for each in verified.checks if each.claim == "criterion-waived"]
    link = rita.links[-1]
    assert rita.context.request.get(link).status == 200
    assert celia.context.request.get(link).status == 404

    # Taken back: the link stops working
    ana.open(case)
    ana.do("revoke", reason="pedido de quem está nos dados")
    assert ana.refusals == []
    assert rita.context.request.get(link).status == 404
    rita.open(case)
    assert rita.page.locator("form[action$='/delivery']").count() == 0

    look(ana)

    # The chain is whole, and says who did what
    davi = window(portal, "auditor@demo.example")
    davi.open(f"{case}/trail")
    assert davi.page.locator(".errors").count() == 0
    assert davi.page.locator("p.holds").count() == 1


def waived(manager) -> list[str]:
    """QMASG 2 is done without, after a look at the values concerned, which are given."""
    manager.form("waive").locator("[name=l]").fill("2")
    manager.press("#act-waive button.second")
    manager.wait_for_job()
    form = manager.form("waive")
    looked_at = form.locator("select[name^='value:']").all()
    values = [str(each.get_attribute("name")) for each in looked_at]
    for each in looked_at:
        each.select_option("low")
    manager.do("waive", reason="só faixas etárias, e o termo foi assinado")
    assert manager.refusals == []
    return values


KNOWN = ("Idade", "Sexo", "Raça", "Data", "Grupo")
"""Columns whose values are declared, so that noise can be drawn for them."""


def asked_for(portal, window, dimension: str):
    """Two windows with a request that Ana prepares: a dimension in which noise is drawn."""
    caio, ana = window(portal, "pesquisador@demo.example"), window(portal, "gestora@demo.example")
    caio.open("/")
    caio.press(".cards a[href$='?data=1']")
    case = asked(caio, dimension=dimension, wanted=KNOWN)
    ana.open(case)
    level = {"k": 5} if dimension == "hybrid" else {}
    days = {"label:3": DAY, "first:3": "2021-01-01", "last:3": "2023-12-31"}
    assert ana.form("prepare").locator("[type=date]").count() == 2, "only one column has days"
    ana.do("prepare", epsilon="4,0", **level, **CONTROLLED, **days)
    assert ana.refusals == []
    return caio, ana, case


def released(portal, window, caio, ana, case: str, folder: Path):
    """From process 12 to the end; what was released holds."""
    ana.open(case)
    ana.do("send-metrics")
    assert ana.refusals == []
    caio.open(case)
    caio.do("review", accepted="yes")
    caio.do("accept-terms", read=True)
    ana.open(case)
    ana.do("write-report", department="Vigilância", **{f"accept:{GROUP}": WHY})
    assert ana.refusals == []
    celia = window(portal, "comite@demo.example")
    celia.open(case)
    celia.do("vote", approve="yes", reason="o ruído basta")
    assert celia.refusals == []
    ana.open(case)
    ana.do("make-available")
    assert ana.refusals == []
    caio.open(case)
    verified = bb.verify(fetched(caio, folder))
    assert verified.holds
    return verified


def fetched(researcher, folder: Path) -> Path:
    """The release, downloaded and unpacked."""
    with researcher.page.expect_download() as download:
        researcher.page.click("form[action$='/delivery'] button")
    download.value.save_as(folder / "release.zip")
    researcher.links.append(download.value.url)
    with zipfile.ZipFile(folder / "release.zip") as zipped:
        zipped.extractall(folder / "release")
    return folder / "release"


@pytest.mark.slow
def test_the_case_study_is_played_in_two_windows(portal, window, tmp_path, pictures):
    def look(one, picture: str = "", until: str = "main") -> None:
        one.page.set_viewport_size({"width": 390, "height": 900})
        assert one.faults() == []
        one.page.set_viewport_size({"width": 1280, "height": 900})
        assert one.faults() == []
        for language in ("en", "pt") if picture else ():
            one.speaks(language)
            one.page.reload()
            one.photograph(pictures / f"portal-{picture}-{language}.png", until=until)

    case_study(portal, window, tmp_path, look)


@pytest.mark.slow
def test_the_case_study_is_played_on_postgresql(portal_on_postgres, window, tmp_path):
    case_study(portal_on_postgres, window, tmp_path, lambda *_: None)


@pytest.mark.slow
def test_structure_draws_noise_and_asks_for_no_manipulations(portal, window, tmp_path):
    caio, ana, case = asked_for(portal, window, "structure")
    ana.do("ask-diversity", l=2)
    assert ana.refusals == []

    caio.open(case)
    assert "accept" not in caio.can()
    verified = released(portal, window, caio, ana, case, tmp_path)

    assert not [each for each in verified.checks if each.claim == "k"]


@pytest.mark.slow
def test_hybrid_draws_noise_where_manipulations_do_not_suffice(portal, window, tmp_path):
    caio, ana, case = asked_for(portal, window, "hybrid")
    caio.open(case)
    caio.do("accept", **{f"column:{AGE}": 2, f"column:{DAY}": 2})
    assert caio.refusals == []
    ana.open(case)
    ana.do("carry-out")
    assert ana.refusals == []
    waived(ana)
    released(portal, window, caio, ana, case, tmp_path)
    ana.open(f"{case}/offers")
    assert "4" in ana.page.locator("tbody tr", has_text="ε").inner_text()
