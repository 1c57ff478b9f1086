"""Pictures of the portal, as people see it. Those of the documents are made by
BIOMBO_PICTURES=docs/images python -m pytest tests/portal -k "pictures or two_windows"
"""

import pytest

MOST_BYTES = 150_000
CHOICES = {
    "paciente_idade": "2",
    "paciente_dataNascimento": "2",
    "paciente_endereco_cep": "1",
    "vacina_dataAplicacao": "1",
}


def chosen(window) -> None:
    """A choice for each column, with what becomes of made-up values."""
    form = window.form("accept")
    for column, choice in CHOICES.items():
        row = form.locator(f"tr:has([name='column:{column}'])")
        row.locator("select").select_option(choice)
        row.locator(".examples").wait_for()


@pytest.mark.slow
def test_pictures_of_the_portal_are_taken(portal, window, pictures):
    anybody, rita = window(portal), window(portal, "pesquisadora@demo.example")
    ana, phone = window(portal, "gestora@demo.example"), window(portal, "pesquisadora@demo.example", width=390)
    for language in ("pt", "en"):
        for one in (anybody, rita, ana, phone):
            one.speaks(language)
        anybody.open("/")
        anybody.photograph(pictures / f"portal-catalogue-{language}.png", until="footer")
        for one, name in ((rita, "requester"), (phone, "phone")):
            one.open("/requests/1")
            chosen(one)
            one.photograph(pictures / f"portal-{name}-{language}.png", until="#act-accept .do")
        ana.open("/requests/2")
        ana.photograph(pictures / f"portal-prepare-{language}.png", until="#act-prepare .do")

    assert [each.name for each in pictures.glob("portal-*.png") if each.stat().st_size > MOST_BYTES] == []


@pytest.mark.slow
def test_pictures_of_the_editor_of_hierarchies_are_taken(portal, window, pictures):
    ana = window(portal, "gestora@demo.example")
    for language in ("pt", "en"):
        ana.speaks(language)
        ana.open("/data/1/columns/4")
        ana.page.check("[name=kind][value=tree]")
        ana.page.fill("[name=tree]", "Branca\n  BRANCA\nNegra\n  PRETA\n  PARDA\nOutra\n  AMARELA\n  INDÍGENA")
        ana.page.click("button[value=look]")
        ana.page.locator(".tree").wait_for()
        ana.photograph(pictures / f"portal-hierarchy-{language}.png", until="#drawn")

    assert [each.name for each in pictures.glob("portal-hier*.png") if each.stat().st_size > MOST_BYTES] == []
