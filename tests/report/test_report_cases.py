"""Tables of every kind get a report: one, many or no sensitive columns, one quasi column or very many."""

from itertools import product

import polars as pl
import pytest

from biombo._attack import risk, risk_by_part
from biombo._data import ColumnSchema, Schema, read
from biombo._errors import BiomboWarning

QUASI = ["idade", "sexo", "cidade", "mes"]


def test_each_sensitive_column_has_a_section_and_the_joint_one_comes_last(data, page, html):
    found = risk(data, sensitive=["doenca", "gravidade"])
    seen = page(found)

    overview = seen.table("The strongest attack on each sensitive column")
    guessed = [row["What is guessed"] for row in overview]
    assert guessed == ["doenca", "gravidade", "doenca + gravidade, all at once"]
    assert [html(found).index(f">Guessing {name}</h2>") for name in guessed] == sorted(
        html(found).index(f">Guessing {name}</h2>") for name in guessed
    )
    for nth, name in enumerate(found.attribute_inference.sensitive):
        strongest = found.attribute_inference.subsets.filter(pl.col("sensitive") == name)["posterior"].max()
        shown = seen.table("The strongest combination for each number of columns", nth)
        assert shown[-1]["Posterior"] == overview[nth]["Posterior"] == f"{100 * strongest:.2f}%"
    assert len(seen.tables["Columns in use"]) == 1, "what is shared stands once"


def test_the_summary_leads_with_the_column_about_which_most_is_gained(data, page):
    found = risk(data, sensitive=["gravidade", "doenca"]).attribute_inference
    gains = {
        name: found.subsets.filter(pl.col("sensitive") == name)["leakage"].max() for name in ("doenca", "gravidade")
    }
    lead = page(risk(data, sensitive=["gravidade", "doenca"])).text.split("right for")[0]

    assert max(gains, key=gains.__getitem__) in lead
    assert min(gains, key=gains.__getitem__) not in lead


@pytest.mark.parametrize("by", [None, ["uf"]])
def test_without_a_sensitive_column_the_report_is_on_picking_records(data, by, page):
    found = risk_by_part(data, by=by, sensitive=[]) if by else risk(data, sensitive=[])
    seen = page(found)

    assert "picks that person’s record right in" in seen.text
    assert "Guessing" not in seen.text
    assert "leakage" not in seen.text.lower()


def test_a_report_says_that_only_combinations_up_to_a_size_were_tried(data, page):
    found = risk(data, max_size=2)
    seen = page(found)

    assert "Every combination of at most 2 of these 4 columns was tried" in seen.text
    assert "Only combinations of at most 2 of the 4 columns were tried." in seen.text.split("What to do next")[0]
    shown = seen.table("The strongest combination for each number of columns")
    assert [row["Number of columns"] for row in shown] == ["1", "2"]
    adversaries = {
        row["Adversary"]: row["Number of columns"] for row in seen.table("The adversaries named in the schema")
    }
    assert adversaries == {"vizinho": "2", "chefe": "3"}


def test_a_single_quasi_column_falls_back_to_the_prior(data, page):
    with pytest.warns(BiomboWarning, match="chefe"):
        found = risk(data, quasi=["idade"])
    seen = page(found)

    prior, posterior = found.attribute_inference.prior, found.max_posterior
    assert f"falls from {100 * posterior:.1f}% to {100 * prior:.1f}%" in seen.text
    assert "The strongest attack when one column is missing" not in seen.figures


def test_columns_that_give_nothing_away_are_said_to_do_so(page):
    rows = [{"cor": cor, "doenca": "a" if n % 3 else "b"} for cor in ("azul", "verde") for n in range(30)]
    seen = page(risk(read(pl.DataFrame(rows)), quasi=["cor"], sensitive=["doenca"]))

    assert "does not help to guess" in seen.text
    assert "67 of 100" in seen.text


def test_an_adversary_who_is_nearly_always_right_is_not_rounded_to_always(page):
    rows = [{"cor": str(n // 100), "doenca": "rara" if n == 7 else f"d{n // 100}"} for n in range(600)]
    seen = page(risk(read(pl.DataFrame(rows)), quasi=["cor"], sensitive=["doenca"]))

    assert "more than 99 of 100" in seen.text


def test_very_many_combinations_are_thinned_in_the_chart_and_cut_in_the_table(page, html):
    rows = [{f"q{bit}": str(n >> bit & 1) for bit in range(11)} | {"doenca": str(n * 7 % 5)} for n in range(0, 2048, 3)]
    schema = Schema(
        {f"q{bit}": ColumnSchema(role="quasi") for bit in range(11)} | {"doenca": ColumnSchema(role="sensitive")}
    )
    found = risk(read(pl.DataFrame(rows), schema=schema))
    seen = page(found)

    assert "Points closer than half a percentage point are drawn as one." in seen.text
    assert len(seen.table("The 255 strongest of 2,047 combinations")) == 255
    assert len(html(found)) < 1_000_000


def test_missing_values_of_a_part_have_a_name(data, page):
    with pytest.warns(BiomboWarning, match="chefe"):
        found = risk_by_part(data, by=["cidade"])
    seen = page(found)

    assert [row["Part"] for row in seen.table("Records used by part")] == [
        "Rio Fundo",
        "Rio Raso",
        "Serra",
        "(missing)",
    ]


def test_several_tables_are_parts_by_their_names(data, page):
    seen = page(risk_by_part({"um.csv": data, "dois.csv": data}))

    assert [row["Part"] for row in seen.table("Records used by part")] == ["um.csv", "dois.csv"]
    assert "parts, by data set" in seen.text
    correlations = seen.table("Does leakage depend on the size or on the variety of a part?")
    assert {row["With the entropy"] for row in correlations} == {"not defined"}


def test_parts_that_look_alike_keep_their_own_numbers(table, page):
    long = "x" * 300
    twins = table.with_columns(
        uf=pl.lit(long) + pl.when(pl.col("uf") < "CC").then(pl.lit("\x01")).otherwise(pl.lit("\x02"))
    )
    seen = page(risk_by_part(read(twins), by=["uf"], quasi=QUASI, sensitive=["doenca"]))

    first, second = (row["Part"] for row in seen.table("Records used by part"))
    assert second == f"{first} (2)"
    assert len(first) < 60


def test_labels_stand_for_columns_and_the_names_in_the_file_are_listed(one, page):
    seen = page(one, labels={"doenca": "Doença", "idade": "Idade em anos"})

    assert "Guessing Doença" in seen.text
    named = {row["Column"]: row["Name in the file"] for row in seen.table("Columns in use")}
    assert named["Idade em anos"] == "idade"
    assert named["sexo"] == "sexo"


def test_a_title_given_takes_the_place_of_the_question(one, page):
    seen = page(one, title="Riscos da base de 2024")

    assert "Riscos da base de 2024" in seen.text
    assert "How exposed are people" not in seen.text
    assert "pessoas.csv" in seen.paragraphs[1]


def test_every_chart_has_a_title_a_description_and_its_numbers(one, parts, html, page):
    for found in (one, parts):
        seen = page(found)
        assert all(svg["title"] and svg["desc"] for svg in seen.svgs)
        assert html(found).count("<details>") == html(found).count("<figure")


def test_only_the_parts_with_the_most_leakage_have_a_panel(states, page):
    seen = page(states)

    panels = [svg for svg in seen.svgs if svg["title"] == ["Right guesses for every combination of columns"]]
    assert len(states.parts) == 10
    assert len(panels) == 6
    strongest = sorted(states.parts, key=lambda part: -states.parts[part].attribute_inference.best()["leakage"].max())
    ranges = seen.table("Right guesses by number of columns: lowest, median and highest posterior")
    assert list(dict.fromkeys(row["Part"] for row in ranges)) == [" · ".join(part) for part in strongest[:6]]


@pytest.mark.parametrize(
    ("diseases", "advice"),
    [
        ("AAAABBBB", "Start with a. Without it, the strongest attack falls from 100.0% to 50.0%; without any other"),
        ("AABBCCDD", "Start with a and b. Without any one of them, the strongest attack falls from 100.0% to 50.0%."),
        ("AAAAAAAA", "These columns, on their own, give nothing away."),
        ("AABBCCCC", "more than without any other column; b comes next (75.0%)"),
        ("ABCDEEEE", "more than without any other column; b and c come next (75.0% each)"),
    ],
)
def test_the_advice_names_the_column_that_matters_most(diseases, advice, page):
    rows = [
        {"a": a, "b": b, "c": c, "doenca": disease}
        for (a, b, c), disease in zip(product("01", repeat=3), diseases, strict=True)
        for _ in range(10)
    ]
    seen = page(risk(read(pl.DataFrame(rows)), quasi=["a", "b", "c"], sensitive=["doenca"]))

    assert advice in seen.text


def test_columns_that_say_the_same_are_not_called_decisive(page):
    rows = [{"a": str(n % 4), "b": f"b{n % 4}", "doenca": str(n % 4)} for n in range(60)]
    seen = page(risk(read(pl.DataFrame(rows)), quasi=["a", "b"], sensitive=["doenca"]))

    assert "without any single one, the strongest attack stays at 100.0%" in seen.text
    assert "These must change together: a and b. Without them it falls to 25.0%." in seen.text
