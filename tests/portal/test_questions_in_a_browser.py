"""A researcher asks a table that stays inside and a manager approves each question, in two real windows."""

from pathlib import Path

import polars as pl
import pytest
from portal_windows import fill

CELLS = {("F", "A"): 40, ("F", "B"): 3, ("M", "A"): 41, ("M", "C"): 4, ("F", "D"): 30}
SCHEMA = """columns:
  sexo: {role: quasi, type: categorical, domain: [F, M]}
  cidade: {role: quasi, type: categorical, domain: [A, B, C, D]}
"""


@pytest.fixture
def opened(portal, window, tmp_path: Path):
    """The manager's window, and the number of a table that takes questions."""
    rows = [cell for cell, number in CELLS.items() for _ in range(number)]
    pl.DataFrame(rows, schema=["sexo", "cidade"], orient="row").write_csv(tmp_path / "inside.csv")
    ana = window(portal, "gestora@demo.example")
    ana.open("/data/new")
    fill(ana.page.locator("main form"), {"name": "Internações", "file": str(tmp_path / "inside.csv")})
    ana.press("main form .do button")
    ana.wait_for_job()
    number = int(ana.page.url.rpartition("/")[2])
    for form, told in (("edit", {"schema": SCHEMA}), ("questions", {"takes_questions": True, "questions_k": 5})):
        ana.page.locator(f"details:has(form[action$='/{form}']) summary").click()
        fill(ana.page.locator(f"main form[action$='/{form}']"), told)
        ana.press(f"main form[action$='/{form}'] button")
        assert ana.refusals == []
    return ana, number


def ask(rita, table: int, **told) -> str:
    """Ask, and say where the question is."""
    rita.open("/questions")
    rita.press(f"main a[href='/data/{table}/ask']")
    assert rita.faults() == []
    fill(rita.page.locator("main form"), told | {"purpose": "planejar visitas"})
    rita.press("main form .do button")
    assert "Aguarda um gestor" in rita.main
    return "/questions/" + str(rita.page.url).rpartition("/")[2]


def approve(ana, question: str) -> None:
    ana.open(question)
    ana.page.get_by_text("Pelo que já foi perguntado e respondido").wait_for()
    assert ana.faults() == []
    ana.press("main button[value=approve]")
    ana.page.locator("main tbody tr").first.wait_for()


def test_a_researcher_asks_a_manager_approves_and_what_would_give_a_cell_away_is_refused(
    opened, portal, window, pictures
) -> None:
    ana, table = opened
    rita, phone = window(portal, "pesquisadora@demo.example"), window(portal, "pesquisadora@demo.example", width=390)
    first = ask(rita, table, by_1="0")
    ana.open(first)
    assert "81" not in ana.main
    approve(ana, first)
    rita.open(first)
    rows = [each.inner_text().split("\t") for each in rita.page.locator("main tbody tr").all()]
    assert rows == [
        ["A", "81", "respondida"],
        ["B", "–", "suprimida"],
        ["C", "–", "suprimida"],
        ["D", "–", "recusada"],
    ]
    assert "menos de 5 pessoas, talvez nenhuma" in rita.main

    second = ask(rita, table, only_1="B; C")
    approve(ana, second)
    rita.open(second)
    assert "recusada" in rita.main
    assert "a recusa nada revela" in rita.main

    for language in ("pt", "en"):
        for one, name in ((rita, "answer"), (phone, "answer-phone")):
            one.speaks(language)
            for where in ("/questions", f"/data/{table}/ask", first):
                one.open(where)
                assert one.faults() == []
                assert one.too_wide() == []
            one.photograph(pictures / f"portal-question-{name}-{language}.png", until="footer")
    third = "/questions/" + str(int(second.rpartition("/")[2]) + 1)
    rita.speaks("pt")
    assert ask(rita, table, by_0="0") == third
    for language in ("pt", "en"):
        ana.speaks(language)
        ana.open(third)
        ana.page.get_by_text("respondido" if language == "pt" else "answered before").wait_for()
        assert ana.faults() == []
        ana.photograph(pictures / f"portal-question-decide-{language}.png", until="footer")
