"""A report is safe to publish: it needs nothing from outside, runs nothing, and says nothing about single people."""

import re

import polars as pl
import pytest
from report_rules import ALLOWED_ATTRIBUTES, ALLOWED_TAGS, HOSTILE, fetched_by

from biombo._attack import risk, risk_by_part
from biombo._data import ColumnSchema, Schema, read
from biombo._errors import UsageError
from biombo._report import font_rules, write_report
from biombo._report.charts import as_specification, drawing


@pytest.fixture(scope="module")
def hostile():
    """Columns, parts, adversaries and values that all try to break out."""
    quasi, sensitive = HOSTILE[:3], HOSTILE[3]
    rows = [
        {
            **{column: f"{n % (2 + place)}{HOSTILE[0]}" for place, column in enumerate(quasi)},
            sensitive: f"{n * n % 5}{HOSTILE[1]}",
            "by": HOSTILE[n % 3 + 4] + "\x07\u202e",
        }
        for n in range(90)
    ]
    columns = {column: ColumnSchema(role="quasi") for column in quasi} | {sensitive: ColumnSchema(role="sensitive")}
    schema = Schema(columns, adversaries={HOSTILE[1]: (quasi[0],)})
    return read(pl.DataFrame(rows), schema=schema, columns=[*columns, "by"])


@pytest.mark.parametrize("found", ["one", "parts"])
def test_a_report_needs_no_network_and_no_other_file(found, request, html):
    text = html(request.getfixturevalue(found))

    assert fetched_by(text) == []
    assert set(re.findall(r'href="([^"]*)"', text)) == {
        f"#{anchor}" for anchor in re.findall(r'<section id="([^"]+)', text)
    } - {"#summary"}
    assert "default-src 'none'" in text


def test_the_font_is_part_of_the_page():
    assert set(re.findall(r"url\(([^,]*),", font_rules())) == {"data:font/woff2;base64"}
    assert font_rules().count("url(") == font_rules().count("@font-face")


@pytest.mark.parametrize("found", ["one", "parts"])
def test_a_report_of_seven_columns_is_light(found, request, states, html):
    assert len(html(states).encode()) < 1_000_000
    assert len(html(request.getfixturevalue(found)).encode()) < 1_000_000


def test_hostile_names_come_out_as_text(hostile, page):
    for found in (risk(hostile), risk_by_part(hostile, by=["by"])):
        seen = page(found, title=HOSTILE[0], source=HOSTILE[1], labels={HOSTILE[2]: HOSTILE[2]})

        assert seen.tags <= ALLOWED_TAGS
        assert seen.attributes <= ALLOWED_ATTRIBUTES
        assert [name for name in HOSTILE[:4] if name not in seen.text] == []
        assert "\x07" not in seen.text
        assert "\u202e" not in seen.text


def test_hostile_names_reach_the_charts_as_text(hostile, page):
    seen = page(risk_by_part(hostile, by=["by"]))

    drawn = [label for svg in seen.svgs for label in svg["text"]]
    assert any(label.startswith(HOSTILE[0]) for label in drawn)
    assert any(HOSTILE[4] in label for label in drawn)


def test_what_ordinary_reports_are_made_of_is_allowed(one, parts, page):
    for found in (one, parts):
        assert page(found).tags <= ALLOWED_TAGS
        assert page(found).attributes <= ALLOWED_ATTRIBUTES


def test_no_value_of_a_column_is_shown(table, page):
    marked = table.with_columns(
        *(
            pl.format("valor-{}", pl.col(column)).alias(column)
            for column in ("idade", "sexo", "cidade", "mes", "doenca")
        )
    )
    data = read(marked, columns=[*marked.columns])
    quasi = ["idade", "sexo", "cidade", "mes"]

    assert "valor-" not in page(risk(data, quasi=quasi, sensitive=["doenca"])).text
    assert "valor-" not in page(risk_by_part(data, by=["uf"], quasi=quasi, sensitive=["doenca"])).text


def test_a_page_does_not_tell_whether_there_is_a_part_of_fewer_than_ten_records(table, html):
    quasi, tiny = ["idade", "sexo", "cidade"], table.filter(pl.col("uf") == "AA").head(9).with_columns(uf=pl.lit("ZZ"))
    with_tiny = html(risk_by_part(read(pl.concat([table, tiny])), by=["uf"], quasi=quasi, sensitive=["doenca"]))
    without = html(risk_by_part(read(table), by=["uf"], quasi=quasi, sensitive=["doenca"]))

    assert with_tiny == without
    assert "Parts with fewer than 10 records, where there are any, are left out" in without


def test_a_part_of_ten_records_is_shown(table, page):
    ten = table.filter(pl.col("uf") == "AA").head(10).with_columns(uf=pl.lit("ZZ"))
    found = risk_by_part(read(pl.concat([table, ten])), by=["uf"], quasi=["idade", "sexo"], sensitive=["doenca"])

    assert [row["Used"] for row in page(found).table("Records used by part") if row["Part"] == "ZZ"] == ["10"]


@pytest.mark.parametrize("by", [None, ["uf"]])
def test_a_table_of_fewer_than_ten_records_has_a_report_without_numbers(table, by, page):
    few = read(table.filter(pl.col("uf") == "AA").head(9))
    asked = {"quasi": ["idade", "sexo"], "sensitive": ["doenca"]}
    seen = page(risk_by_part(few, by=by, **asked) if by else risk(few, **asked))

    assert "fewer than 10 records" in seen.text
    assert seen.tables == {}
    assert seen.svgs == []
    assert "%" not in seen.text


def test_the_edges_of_intervals_do_not_show_the_values_of_single_people(page):
    incomes = [1000 + 7 * n for n in range(399)] + [987_654]
    rows = {"income": incomes, "cash": [n % 3 for n in range(400)], "doenca": [str(n % 4) for n in range(400)]}
    schema = Schema(
        {
            "income": ColumnSchema(role="quasi", type="continuous"),
            "cash": ColumnSchema(role="quasi", type="continuous"),
            "doenca": ColumnSchema(role="sensitive"),
        }
    )
    seen = page(risk(read(pl.DataFrame(rows), schema=schema)))

    told = {row["Column"]: row["How it was grouped"] for row in seen.table("Columns in intervals")}
    assert told["cash"] == "kept as it is: it has few different values"
    assert told["income"].startswith("20 intervals of about as many records each, divided at 1,140; ")
    assert "987,654" not in seen.text
    assert "1,000" not in seen.text


def test_a_report_replaces_an_older_one_whole(one, tmp_path):
    path = tmp_path / "report.html"
    path.write_text("an older report")

    with drawing(as_specification):
        assert write_report(one, path, source="pessoas.csv") == path
    assert path.read_text("utf-8").startswith("<!DOCTYPE html>")
    assert path.read_text("utf-8").rstrip().endswith("</html>")
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


def test_a_report_that_cannot_be_written_is_refused_in_a_sentence(one, tmp_path):
    with pytest.raises(UsageError, match=r"the folder .* does not exist"), drawing(as_specification):
        write_report(one, tmp_path / "nowhere" / "report.html", source="pessoas.csv")
