"""The page of a search: private, alone in one file, safe to open, in both languages."""

import re
import stat

import polars as pl
import pytest
from report_rules import ALLOWED_ATTRIBUTES, ALLOWED_TAGS, HOSTILE, english_in, fetched_by

import biombo as bb
from biombo._i18n import LANGUAGES, set_language
from biombo._report import write_search_report
from biombo._search import explain

TAGS = ALLOWED_TAGS | {"sub"}
ATTRIBUTES = ALLOWED_ATTRIBUTES | {"open"}


@pytest.fixture(scope="module")
def everything(found, frontier):
    """All that a report can be given."""
    return {"frontier": frontier, "explanations": [explain(found.explored)]}


@pytest.fixture(scope="module")
def hostile():
    """Columns and values that all try to break out."""
    rows = [{HOSTILE[0]: f"{n % 3}{HOSTILE[1]}", HOSTILE[2]: f"{n % 2}\x07\u202e{HOSTILE[4]}"} for n in range(40)]
    hierarchy = bb.Hierarchy.by_hand({HOSTILE[3]: [f"{n}{HOSTILE[1]}" for n in range(3)]})
    asked = {"quasi": [HOSTILE[0], HOSTILE[2]], "hierarchies": {HOSTILE[0]: hierarchy}}
    data = bb.read(pl.DataFrame(rows))
    with pytest.warns(bb.BiomboWarning, match="no hierarchy"):
        found = bb.search(data, bb.KAnonymity(9), **asked)
    with pytest.warns(bb.BiomboWarning, match="no hierarchy"):
        return found, bb.frontier(data, ks=[2, 9], limits=[0, 0.1], **asked)


def test_a_report_says_that_it_is_private(found, page):
    assert "Private. This report shows values of the table and numbers about few people." in page(found).text


def test_a_report_is_for_its_owner_alone(found, tmp_path):
    path = write_search_report(found, tmp_path / "report.html", source="pessoas.csv")

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text("utf-8").startswith("<!DOCTYPE html>")
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


def test_a_report_that_cannot_be_written_is_refused_in_a_sentence(found, tmp_path):
    with pytest.raises(bb.UsageError, match=r"the folder .* does not exist"):
        write_search_report(found, tmp_path / "nowhere" / "report.html", source="pessoas.csv")


def test_a_report_needs_no_network_and_no_other_file(found, everything, html):
    text = html(found, **everything)

    assert fetched_by(text) == []
    anchors = {f"#{anchor}" for anchor in re.findall(r'<section id="([^"]+)', text)} - {"#summary"}
    assert set(re.findall(r'href="([^"]*)"', text)) == anchors
    assert len(text.encode()) < 300_000


def test_every_chart_has_a_title_a_description_and_its_numbers(found, everything, html, page):
    seen = page(found, **everything)

    assert len(seen.svgs) >= 6
    assert all(svg["title"] and svg["desc"] for svg in seen.svgs)
    text = html(found, **everything)
    assert text.count("The numbers behind this chart") == text.count("<figure")


def test_hostile_names_come_out_as_text(hostile, page):
    found, frontier = hostile
    seen = page(
        found,
        frontier=frontier,
        explanations=[explain(found.explored)],
        title=HOSTILE[0],
        source=HOSTILE[1],
        labels={HOSTILE[2]: HOSTILE[2]},
    )

    assert seen.tags <= TAGS
    assert seen.attributes <= ATTRIBUTES
    assert [name for name in HOSTILE[:4] if name not in seen.text] == []
    assert "\x07" not in seen.text
    assert "\u202e" not in seen.text


def test_what_ordinary_reports_are_made_of_is_allowed(found, everything, page):
    seen = page(found, **everything)

    assert seen.tags <= TAGS
    assert seen.attributes <= ATTRIBUTES


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_report_is_written_in_each_language(found, everything, code, html):
    set_language(code)
    text = html(found, **everything)

    assert '<html lang="pt-BR">' in text if code == "pt" else '<html lang="en">' in text
    assert not re.search(r"\b(report|search|plan)\.[a-z]", text), "a key instead of its text"


def test_nothing_in_english_is_left_in_the_portuguese_report(found, everything, page):
    set_language("pt")
    seen = page(found, **everything)

    assert english_in(seen.text) == []
    assert "Como proteger pessoas.csv?" in seen.text
    labels = [label for svg in seen.svgs for label in svg["text"]]
    assert "escolhido" in labels
    assert not any(re.fullmatch(r"\d+\.\d+%?", label) for label in labels)


def test_a_title_given_takes_the_place_of_the_question(found, page):
    seen = page(found, title="Plano para 2024")

    assert "Plano para 2024" in seen.text
    assert "How can" not in seen.text
    assert "pessoas.csv" in seen.paragraphs[1]


def test_the_report_on_a_real_file_says_what_the_search_found(shared_data, page):
    data = bb.read(shared_data / "adult" / "adult.csv")
    asked = {"quasi": ["sex", "age", "race", "marital-status"], "hierarchies": shared_data / "adult"}
    asked["loss_domain"] = "hierarchy"
    found = bb.search(data, bb.KAnonymity(5), max_suppression=0.02, **asked)
    seen = page(found, frontier=bb.frontier(data, **asked), source="adult.csv")

    assert "Generalise age. Suppress 470 of 30,162 records (1.56%)." in seen.text
    assert seen.table("What becomes of each column")[1]["For example"] == "36 → 35-39"
    assert "The lattice of 60 combinations of levels" in seen.figures
    rows = seen.table("The best loss for each k and each limit of suppression")
    assert [row["≤ 2%"] for row in rows if row["k"] == "5"] == ["2.54%"]
    assert {
        row["Column"]: row["Lowest"]
        for row in seen.table("How many records share a value, before anything is generalised")
    } == {"sex": "9,782", "age": "1", "race": "231", "marital-status": "21"}


def test_the_page_says_over_which_values_loss_is_told(page):
    clinic = bb.read(bb.samples.clinic())
    asked = {"quasi": ["city"], "hierarchies": {"city": bb.Hierarchy.all_or_nothing()}}
    for domain, words in (("data", "values that occur in the data"), ("hierarchy", "all values of the hierarchies")):
        assert words in page(bb.search(clinic, bb.KAnonymity(2), loss_domain=domain, **asked)).text


def test_the_figures_of_samarati_and_sweeney_stand_in_the_page(page):
    clinic = bb.read(bb.samples.clinic())
    asked = {"quasi": ["sex", "city"], "hierarchies": {c: bb.Hierarchy.all_or_nothing() for c in ("sex", "city")}}
    seen = page(bb.search(clinic, bb.KAnonymity(2), **asked), frontier=bb.frontier(clinic, **asked))

    alone = seen.table("Loss of each column alone, by generalisation (and by suppression)")
    assert [row["k"] for row in alone][:2] == ["2", "3"]
    assert {"sex", "city"} <= alone[0].keys()
    assert seen.table("All minimal generalisations for each k")[0]["Minimal generalisations"].isdecimal()
