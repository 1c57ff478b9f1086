"""``biombo apply`` with noise: what it costs and guarantees is told first."""

import json

import pytest

PLAN = """\
biombo-plan: 1
operations:
- randomised-response: {column: smokes, epsilon: 1, domain: ["yes", "no"]}
"""
TOLD = {
    "en": ["ε = 1 for each record", "at least 73.1%", "one record", "no guarantee for the table as a whole", "(city)"],
    "pt": ["ε = 1 por registro", "pelo menos 73,1%", "único registro", "Não há garantia para a tabela", "(city)"],
}


@pytest.fixture
def files(tmp_path):
    (tmp_path / "people.csv").write_text("smokes,city\nyes,x\nno,y\n")
    (tmp_path / "plan.yaml").write_text(PLAN)
    return tmp_path


@pytest.mark.parametrize("code", ["en", "pt"])
def test_cost_and_guarantee_are_told_beside_the_result(biombo, files, code) -> None:
    out = files / "out.csv"
    applied = ("apply", files / "people.csv", "--plan", files / "plan.yaml", "--out", out, "--keep-column", "city")
    ending = biombo(*applied, "--lang", code)

    assert ending.code == 0
    assert all(told in ending.err for told in TOLD[code])
    assert ending.err.index("ε = 1") < ending.err.index(str(out))
    assert {line.split(",")[0] for line in out.read_text().splitlines()[1:]} <= {"yes", "no"}


@pytest.mark.parametrize("code", ["en", "pt"])
def test_a_preview_tells_it_too(biombo, files, code) -> None:
    (files / "people.csv").write_text("smokes,city,weight\nyes,x,60\nno,y,71\n")
    (files / "plan.yaml").write_text(PLAN + "- add-noise: {column: weight, spread: 3}\n")
    ending = biombo("apply", files / "people.csv", "--plan", files / "plan.yaml", "--preview", "--lang", code)

    assert ending.code == 0
    assert all(told in ending.out for told in TOLD[code][:3])
    assert {"en": "moves by 1.5 on average", "pt": "se desloca em média 1,5"}[code] in ending.out


@pytest.mark.parametrize(("kept", "for_table"), [(("--keep-column", "city"), "none"), ((), "local")])
def test_programs_get_it_as_numbers(biombo, files, kept, for_table) -> None:
    """The noise is a guarantee for the table where nothing goes out beside it."""
    out = ("--out", files / "o.csv", "--json")
    ending = biombo("apply", files / "people.csv", "--plan", files / "plan.yaml", *out, *kept)
    privacy = json.loads(ending.out)["privacy"]

    assert (privacy["epsilon_of_record"], privacy["guarantee_for_table"]) == (1, for_table)
    assert privacy["columns"][0]["guarantee"] == "local"
