"""Beside the dialogue: invitations, a table handed in, plans searched for, a rejection and its appeal."""

import re

import pytest
from portal_server import Portal

import biombo as bb

REQUESTER, MANAGER, OTHER_MANAGER = "pesquisadora@demo.example", "gestora@demo.example", "gestor@demo.example"
PDF = b"%PDF-1.4\n%%EOF\n"


def asked(researcher, labels, **fields) -> str:
    """On the form that is open, with the document of earlier requests; gives the address of the request's page."""
    from portal_windows import fill

    told = {"address": "São Luís", "purpose": "cobertura vacinal", **fields}
    fill(researcher.page.locator("main form"), told | {f"label_{n}": label for n, label in enumerate(labels)})
    researcher.press("main form .do button")
    researcher.wait_for_job()
    return re.sub("^.*//[^/]+", "", researcher.page.url)


def handed_in(manager, table) -> None:
    """A new data set, looked at by a worker and open to requests."""
    manager.open("/data/new")
    manager.page.fill("[name=name]", table.stem)
    manager.page.set_input_files("[name=file]", table)
    manager.press("main form .do button")
    manager.wait_for_job()
    assert manager.refusals == []
    assert "paciente_idade" in manager.main
    manager.page.click("summary >> nth=0")
    manager.page.check("[name=is_offered]")
    manager.press("form[action$='/edit'] .do button")
    assert manager.refusals == []


def test_who_is_invited_makes_an_account_once(portal: Portal, window):
    alice, guest = window(portal, "admin@demo.example"), window(portal)
    alice.page.select_option("#invite-role", "auditor")
    alice.press("form[action='/people/invite'] button")
    link = alice.page.locator(".steps code").inner_text().removeprefix(portal.address)

    guest.open(link)
    assert guest.faults() == []
    guest.page.fill("[name=name]", "Elisa Rocha")
    guest.page.fill("[name=email]", "elisa@example.org")
    guest.page.fill("[name=password]", "curta")
    guest.press("main form button")
    assert guest.refusals
    guest.page.fill("[name=password]", "uma senha bem comprida")
    guest.press("main form button")

    assert guest.page.url.endswith("/requests/all")
    assert guest.context.request.get(f"{portal.address}{link}").status == 410


@pytest.mark.slow
def test_a_table_is_handed_in_and_asked_for(portal: Portal, window, tmp_path):
    table = tmp_path / "vacinas.csv"
    bb.samples.vaccination(1_500).write_csv(table)
    ana, rita = window(portal, MANAGER), window(portal, REQUESTER)

    handed_in(ana, table)
    assert ana.faults() == []

    rita.open("/")
    rita.press(".cards li:has-text('vacinas') a")
    assert rita.page.locator("[name=data_set] option:checked").inner_text() == "vacinas"
    paper = {"name": "termo.pdf", "mimeType": "application/pdf", "buffer": PDF}
    case = asked(rita, ("Idade", "Sexo"), attachment=paper)
    ana.open(case)
    with ana.page.expect_download() as fetched:
        ana.page.click("a[href*='/attachments/']")
    assert fetched.value.path().read_bytes() == PDF


@pytest.mark.slow
def test_plans_are_searched_for_by_both(portal: Portal, window):
    rita, ana = window(portal, REQUESTER), window(portal, MANAGER)
    rita.open("/requests/new?data=1")
    case = asked(rita, ("Idade", "Sexo", "CEP", "Grupo"))
    ana.open(case)
    ana.do("prepare", k=7)
    assert ana.refusals == []

    rita.open(case)
    rita.do("ask-for-plans", max_suppression="5")
    assert rita.refusals == []
    assert rita.page.locator("th:has-text('paciente_idade:')").count() >= 1
    assert rita.faults() == []
    ana.open(case)
    ana.press("form[action$='/plans'] button.second")
    ana.wait_for_job()
    assert ana.refusals == []
    assert ana.page.locator("th:has-text('paciente_idade:')").count() >= 1


@pytest.mark.slow
def test_a_request_is_completed_rejected_and_appealed(portal: Portal, window):
    rita, ana, bruno = window(portal, REQUESTER), window(portal, MANAGER), window(portal, OTHER_MANAGER)
    rita.open("/requests/new?data=1")
    case = asked(rita, ("Idade", "Sexo"))
    ana.open(case)
    ana.do("ask-for-more", text="Para qual período?")
    assert ana.refusals == []
    rita.open(case)
    assert "Para qual período?" in rita.main
    rita.do("supplement", text="Para 2021.")
    rita.do("message", text="Obrigada.")
    ana.open(case)
    assert "Obrigada." in ana.main
    ana.do("reject", reason="há dados publicados que bastam")
    rita.open(case)
    assert "há dados publicados que bastam" in rita.main
    rita.do("appeal", reason="não bastam")
    ana.open(case)
    ana.do("decide-appeal", granted="no", reason="bastam")
    assert ana.refusals, "whoever rejected does not decide"
    bruno.open(case)
    bruno.do("decide-appeal", granted="yes", reason="de fato não bastam")
    assert bruno.refusals == []
    assert "prepare" in bruno.can()
    rita.open(case)
    rita.do("withdraw", reason="já não preciso")
    assert rita.page.locator(".turn").inner_text().count("\n") >= 1


@pytest.mark.slow
def test_synonyms_are_given_and_judged_by_what_they_mean(portal: Portal, window, tmp_path):
    table = tmp_path / f"outras-{tmp_path.name}.csv"
    bb.samples.vaccination(2_000).write_csv(table)
    ana, rita = window(portal, MANAGER), window(portal, REQUESTER)
    handed_in(ana, table)
    rita.open("/")
    rita.press(f".cards li:has-text('{table.stem}') a")
    case = asked(rita, ("Idade", "Grupo"))
    ana.open(case)
    ana.do("prepare", k=5, **{"role:0": "quasi", "role:1": "sensitive"})
    assert ana.refusals == []
    rita.open(case)
    rita.do("accept", **{"column:paciente_idade": 2})
    ana.open(case)
    ana.do("set-condition", k=5, max_suppression="5")
    rita.open(case)
    rita.do("answer", accepted="yes")
    ana.open(case)
    ana.do("carry-out")
    assert ana.refusals == []
    ana.do("ask-diversity", l=5)
    assert ana.refusals == []

    rita.open(case)
    values = rita.form("give-synonyms").locator("input[name^='value:']")
    given = {str(each.get_attribute("name")): f"{n} um, {n} outro" for n, each in enumerate(values.all())}
    assert len(given) >= 2
    assert rita.faults() == []
    rita.do("give-synonyms", **given)
    assert rita.refusals == []
    ana.open(case)
    ana.do("carry-out")
    assert ana.refusals == []
    assert "waive" in ana.can(), "other words for the same do not make a group diverse"
