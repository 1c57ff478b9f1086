"""A report on a sample says how much it tells about who is in it, and nothing about single people."""

import random
import re

import polars as pl
import pytest
from browser import CHROMIUM
from report_rules import ALLOWED_ATTRIBUTES, ALLOWED_TAGS, HOSTILE, english_in

from biombo._attack import individual_attack, membership, risk, risk_by_part
from biombo._data import ColumnSchema, InPopulation, Schema, read
from biombo._i18n import LANGUAGES, integer, percent, set_language
from biombo._report import write_report
from biombo._samples import school

SCHOOL = ["state", "sex", "age"]
QUASI = ["sexo", "raca", "mes", "cidade"]
EXPOSING = "The combinations that tell most about who is in the sample"
ALONE = "People who are alone in the sample, looked up in the population"
BEFORE_AFTER = "Before and after, for the strongest combination of each number of columns"


def twenty_of_each(table):
    return pl.concat([table] * 20)


def census(people=4_000, seed=5):
    chance = random.Random(seed)
    return pl.DataFrame(
        {
            "sexo": [chance.choice("FM") for _ in range(people)],
            "raca": [chance.choices("ABCD", [50, 40, 9, 1])[0] for _ in range(people)],
            "mes": [str(chance.randint(1, 12)) for _ in range(people)],
            "cidade": [f"c{chance.randint(1, 30)}" for _ in range(people)],
        }
    )


@pytest.fixture(scope="module")
def classes():
    """The document's ten people, twenty times over: 80 of 200."""
    data = read(twenty_of_each(school().sample))
    found = membership(data, read(twenty_of_each(school().population)), SCHOOL)
    return risk(data, quasi=SCHOOL, sensitive=["answer"]), found


@pytest.fixture(scope="module")
def survey():
    """Three hundred of some thousands, ten of whom did not say their race, with some invalid months in both tables."""
    population = census()
    asked = population.sample(300, seed=2).with_row_index("nth")
    sample = asked.with_columns(
        raca=pl.when(pl.col("nth") < 10).then(pl.lit("?")).otherwise("raca"),
        fuma=pl.when(pl.col("nth") % 5 == 0).then(pl.lit("sim")).otherwise(pl.lit("nao")),
    ).drop("nth")
    whole = pl.concat([population, population.head(7).with_columns(mes=pl.lit("99"))]).rename({"sexo": "TP_SEXO"})
    part = pl.concat([sample, sample.head(3).with_columns(mes=pl.lit("99"))])
    columns = {name: ColumnSchema(role="quasi") for name in QUASI}
    columns["mes"] = ColumnSchema(role="quasi", invalid=frozenset({"99"}))
    columns["sexo"] = ColumnSchema(role="quasi", population=InPopulation("TP_SEXO"))
    data = read(part, schema=Schema({**columns, "fuma": ColumnSchema(role="sensitive")}))
    there = read(whole, schema=Schema({"mes": ColumnSchema(invalid=frozenset({"99"}))}), columns=whole.columns)
    return risk(data), membership(data, there)


@pytest.fixture(params=["classes", "survey"])
def asked(request):
    return request.getfixturevalue(request.param)


def row_of(seen, title, columns):
    return next(row for row in seen.table(title) if row["Columns known"] == ", ".join(columns))


def section(html):
    return re.search(r'<section id="members">.*?</section>', html, re.DOTALL).group()


def test_the_document_example_reads_as_it_is_computed_by_hand(classes, page):
    risk_found, members = classes
    seen = page(risk_found, membership=members)

    assert "The sample has 80 of 200 people." in seen.text
    assert "can say with 70.8% certainty, on average" in seen.text
    assert (
        "Without looking at the sample, the chance is 40.0%. 20 people (25.0%) are given away for certain." in seen.text
    )
    row = seen.table(BEFORE_AFTER)[-1]
    assert [row[head] for head in ("Prior", "Mean of d/n", "In or out: before", "In or out: after")] == [
        "40.00%",
        "70.83%",
        "60.00%",
        "80.00%",
    ]
    assert "80 people of the population (40.0%) share their values with nobody in the sample" in seen.text
    # Repeating everyone twenty times divides the weights 1/|S| of the three groups by twenty.
    assert seen.table("As in Rodrigues (2022)")[-1]["Expected degradation"] == f"{2.8125 / 20:.4f}"


def test_every_combination_is_shown_with_the_numbers_of_the_attack(asked, page):
    risk_found, members = asked
    seen = page(risk_found, membership=members)

    every = seen.table(f"All {len(members.subsets)} combinations, the strongest first", nth=-1)
    assert len(every) == len(members.subsets)
    for row in members.subsets.to_dicts():
        shown = next(each for each in every if each["Columns known"] == ", ".join(row["quasi"]))
        assert shown["Mean of d/n"] == percent(row["posterior"], 2)
        assert shown["Leakage (points)"] == f"{100 * row['leakage']:.2f}".replace("-0.00", "0.00")
        assert shown["Posterior ÷ prior"] == f"{row['multiplicative']:.2f}"
        assert shown["Highest d/n"] == percent(row["worst"], 2)
        assert shown["Certain"] == f"{row['certain']:,} ({percent(row['certain'] / members.sampled)})"
        assert shown["Re-identified"] == f"{row['unique_both']:,} ({percent(row['unique_both'] / members.sampled)})"


def test_the_most_exposing_combinations_come_first(survey, page):
    risk_found, members = survey
    shown = page(risk_found, membership=members).table(EXPOSING)

    strongest = members.subsets.sort("posterior", descending=True).head(10)
    assert [row["Columns known"] for row in shown] == [", ".join(quasi) for quasi in strongest["quasi"]]


def test_the_spread_counts_every_person_of_the_sample_who_is_found(survey, page):
    risk_found, members = survey
    shown = page(risk_found, membership=members).table("People of the sample by d/n; an interval holds its upper end")

    best = {row["size"]: row for row in members.best().to_dicts()}
    for size, heading in ((1, "1 column"), (3, "3 columns"), (4, "4 columns")):
        counts = [int(row[heading].split(" ")[0]) for row in shown]
        spread = members.distribution(best[size]["quasi"])
        assert sum(counts) == best[size]["found"]
        assert counts[-1] == spread.count_above(0.9)
        assert counts == spread.histogram()["records"].to_list()


def test_the_individual_attack_is_given_in_counts(survey, page):
    risk_found, members = survey
    seen = page(risk_found, membership=members)

    attack = individual_attack(members, QUASI)
    shown = row_of(seen, ALONE, QUASI)
    assert shown["Alone in the sample"].startswith(f"{attack.unique} (")
    assert shown["Of these, found"] == str(attack.found)
    assert shown["Not found"] == str(attack.not_found)
    assert shown["Re-identified"] == f"{attack.reidentified} ({percent(attack.reidentified / members.sampled)})"
    assert attack.not_found > 0
    assert "10 people of the sample (3.3%) have values that nobody in the population has" in seen.text


def test_the_advice_names_the_column_without_which_least_is_known(survey, page):
    risk_found, members = survey
    left = {
        column: members.subsets.filter(~pl.col("quasi").list.contains(column))["posterior"].max() for column in QUASI
    }
    column = min(left, key=left.__getitem__)
    step = page(risk_found, membership=members).text.split("What to do next")[1].split("Who is in the sample. ")[1]

    top = members.subsets["posterior"].max()
    assert step.startswith(
        f"Start with {column}. Without it, the strongest attack falls from {percent(top)} to {percent(left[column])}"
    )


def test_the_method_says_what_was_left_out_of_both_tables_by_the_names_of_the_sample(survey, page):
    risk_found, members = survey
    text = page(risk_found, membership=members).text.split("Method and assumptions")[-1]

    assert "Population: 4,000 of 4,007 records were used (99.8%). The other 7 have an invalid value in mes." in text
    assert "Sample: 300 of 303 records were used (99.0%). The other 3 have an invalid value in mes." in text
    assert "TP_SEXO" not in text
    assert "every person has one record in the population" in text


def test_people_with_several_records_are_said_to_count_once(classes, page):
    population, sample = (
        twenty_of_each(table).with_row_index("who").with_columns(pl.col("who").cast(pl.String)) for table in school()
    )
    twice = pl.concat([sample, sample.head(3)])
    schema = Schema({"who": ColumnSchema(role="identifier")}, person="who")
    there = read(population, schema=schema, columns=population.columns)
    members = membership(read(twice, schema=schema, columns=twice.columns), there, SCHOOL, repeated="count-once")

    text = page(classes[0], membership=members).text
    assert (
        "Population: All 200 records were used. "
        "Sample: All 83 records were used. 3 of them repeat a person and were left out"
    ) in text


def test_columns_that_tell_nothing_are_said_to_tell_nothing(page):
    rows = [{"cor": cor, "forma": forma, "x": n % 2} for cor in "ab" for forma in "cde" for n in range(70)]
    table = pl.DataFrame(rows)
    data = read(table.gather_every(7))
    members = membership(data, read(table), ["cor", "forma"])
    text = page(risk(data, quasi=["cor", "forma"], sensitive=["x"]), membership=members).text

    assert "Who is in the sample. These columns, on their own, give nothing away." in text
    assert "Nobody is given away for certain." in text
    assert "Everyone in the population shares these values with someone in the sample" in text


def test_one_person_is_spoken_of_as_one(page):
    cities = ["a"] * 40 + ["b"] + ["c"]
    population = pl.DataFrame({"cidade": cities})
    data = read(pl.DataFrame({"cidade": ["a"] * 10 + ["b", "x"]}))
    seen = page(risk(data, quasi=["cidade"], sensitive=[]), membership=membership(data, read(population), ["cidade"]))

    assert "whoever knows this one fact, cidade, can say" in seen.text
    assert "One person (8.3%) is given away for certain." in seen.text
    assert "one person of the sample (8.3%) has values that nobody in the population has" in seen.text
    assert "one person of the population (2.4%) shares these values with nobody in the sample" in seen.text
    assert "The strongest attack when one column is missing" not in seen.figures


def test_a_tiny_chance_is_not_rounded_to_none(page):
    population = pl.DataFrame({"cor": ["a", "b"] * 25_000})
    data = read(population.head(20))
    members = membership(data, read(population), ["cor"])
    text = page(risk(data, quasi=["cor"], sensitive=[]), membership=members).text

    assert "the chance is less than 0.1%" in text
    assert "0.0% certainty" not in text


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_section_stands_in_both_languages_before_the_records_used(asked, code, html):
    risk_found, members = asked
    set_language(code)
    text = html(risk_found, membership=members)

    assert not re.search(r"report\.[a-z]", text), "a key instead of its text"
    assert re.findall(r'<section id="([^"]+)', text)[-3:] == ["members", "records", "method"]
    assert '<a href="#members">' in text


def test_nothing_in_english_is_left_in_portuguese(survey, page):
    set_language("pt")
    risk_found, members = survey
    seen = page(risk_found, membership=members)

    assert english_in(seen.text) == []
    assert f"A amostra tem 300 de {integer(4_000)} pessoas." in seen.text
    assert "Quem está na amostra. Comece por" in seen.text


def test_hostile_column_names_come_out_as_text(page):
    names = HOSTILE[:3]
    rows = pl.DataFrame({name: [f"{n % (2 + nth)}{HOSTILE[1]}" for n in range(400)] for nth, name in enumerate(names)})
    part = rows.gather_every(3).with_columns(x=pl.lit("1"))
    data = read(part)
    members = membership(data, read(rows), names)
    seen = page(risk(data, quasi=names, sensitive=["x"]), membership=members, labels={names[2]: names[2]})

    assert seen.tags <= ALLOWED_TAGS
    assert seen.attributes <= ALLOWED_ATTRIBUTES
    shown = {name for row in seen.table(ALONE) for name in names if name in row["Columns known"]}
    assert shown == set(names)


def test_columns_that_only_the_membership_knows_have_names(survey, page):
    _, members = survey
    few = risk(members.tables.data, quasi=["sexo"])
    seen = page(few, membership=members, labels={"cidade": "Cidade"})

    assert seen.table(EXPOSING)[0]["Columns known"].endswith("Cidade")
    assert "Every combination of these 4 columns was tried: sexo, raca, mes and Cidade." in seen.text


def test_a_report_by_part_has_the_section_once(survey, html):
    _, members = survey
    found = risk_by_part(members.tables.data, by=["sexo"], quasi=["raca", "mes"])

    text = html(found, membership=members)
    assert text.count('<section id="members">') == 1
    assert "The sample has 300 of 4,000 people." in text


def test_no_value_of_a_column_and_no_position_is_shown(survey, html):
    risk_found, members = survey
    marked = [
        pl.DataFrame({name: [f"valor-{value}" for value in tables[name].values.gather(codes)] for name, codes in coded})
        for tables, coded in (
            (side, [(name, side[name].codes) for name in QUASI])
            for side in (members.tables.sample, members.tables.population)
        )
    ]
    found = membership(read(marked[0]), read(marked[1]), QUASI)
    text = html(risk_found, membership=found)

    assert "The sample has" in text
    assert "valor-" not in text
    reidentified = individual_attack(found, QUASI).rows
    assert len(reidentified) > 3
    assert ", ".join(map(str, reidentified[:3])) not in text


@pytest.mark.parametrize(("people", "shown"), [(9, False), (10, True)])
def test_a_sample_of_fewer_than_ten_people_is_not_spoken_of(survey, people, shown, html):
    risk_found, _ = survey
    population = census()
    found = membership(read(population.head(people)), read(population), QUASI)
    text = html(risk_found, membership=found)

    assert ("Fewer than 10 people of the sample" in section(text)) is not shown
    assert ("<svg" in section(text)) is shown
    assert ("The sample has" in text) is shown
    assert bool(re.search(r"\d%", section(text))) is shown
    assert ("every person has one record in the population" in text) is shown


def test_combinations_by_which_fewer_than_ten_people_are_found_are_left_out(survey, page):
    risk_found, _ = survey
    population = census()
    asked = population.head(40).with_columns(
        raca=pl.when(pl.int_range(40) < 35).then(pl.lit("?")).otherwise("raca"),
    )
    found = membership(read(asked), read(population), QUASI)
    shown = page(risk_found, membership=found).table("All 7 combinations, the strongest first")

    assert found.subset(["raca"])["found"] == 5
    assert [row for row in shown if "raca" in row["Columns known"]] == []


def test_where_nobody_is_found_nothing_is_said(survey, html):
    risk_found, _ = survey
    strangers = census(50).with_columns(pl.format("x{}", "cidade").alias("cidade"))
    found = membership(read(strangers), read(census()), ["cidade"])

    assert "Fewer than 10 people of the sample" in section(html(risk_found, membership=found))


def test_a_table_too_small_for_a_report_has_no_section_either(survey, html):
    _, members = survey
    few = risk(read(census(9)), quasi=QUASI, sensitive=[])

    assert html(few, membership=members) == html(few)


def test_without_a_membership_the_page_is_as_before(one, parts, html):
    for found in (one, parts):
        text = html(found)
        assert text == html(found, membership=None)
        assert "members" not in re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)
        assert "sample, a record that is unique" in text


def test_the_page_is_written_with_the_membership(classes, tmp_path):
    risk_found, members = classes
    path = write_report(risk_found, tmp_path / "report.html", source="turmas.csv", membership=members)

    assert "The sample has 80 of 200 people." in path.read_text("utf-8")
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
@pytest.mark.parametrize(("code", "width"), [("en", 1200), ("en", 390), ("pt", 390)])
def test_the_page_fits_the_window_and_its_charts_are_whole(survey, code, width, html, window, tmp_path):
    set_language(code)
    risk_found, members = survey
    (tmp_path / "report.html").write_text(html(risk_found, membership=members))
    window.open(tmp_path / "report.html", width, 900, mobile=width < 600)
    sizes = window.evaluate(
        "[...document.querySelectorAll('#members svg')].map(s => s.getBoundingClientRect().toJSON())"
    )

    assert window.evaluate("document.documentElement.scrollWidth") <= width
    assert len(sizes) == 7
    assert all(size["width"] > 100 and size["height"] > 80 for size in sizes)
