"""``--population-table``: criteria that are counted in a table of the population, from the search to the proof."""

import json
from pathlib import Path

import polars as pl
import pytest

import biombo as bb

AGES = [str(20 + place % 40) for place in range(400)]
CENSUS = pl.DataFrame(
    {
        "age": AGES,
        "city": ["A" if place % 3 else "B" for place in range(400)],
        "disease": [("flu", "gout", "colic")[place % 3] for place in range(400)],
        "study": ["yes" if place % 4 == 0 else "no" for place in range(400)],
    }
)


@pytest.fixture
def census(tmp_path) -> Path:
    CENSUS.write_csv(tmp_path / "census.csv")
    return tmp_path / "census.csv"


@pytest.fixture
def study(tmp_path) -> Path:
    CENSUS.filter(pl.col("study") == "yes").drop("study").write_csv(tmp_path / "study.csv")
    return tmp_path / "study.csv"


@pytest.fixture
def hierarchies(tmp_path) -> Path:
    folder = tmp_path / "hierarchies"
    folder.mkdir()
    (folder / "age.yaml").write_text("kind: interval\nwidth: 10\n")
    return folder


@pytest.fixture
def asked(hierarchies) -> tuple[object, ...]:
    return "--quasi", "age,city", "--sensitive", "disease", "--hierarchies", hierarchies


def test_a_file_beside_the_table_and_a_research_subset_of_it_give_the_same_plans(biombo, census, study, asked) -> None:
    criteria = "--k-map", 20, "--max-presence", "40%", "--population-table", census, "--json"
    beside = biombo("search", study, *asked, *criteria)
    subset = biombo("search", census, *asked, *criteria, "--where", "study=yes")

    assert (beside.code, subset.code) == (0, 0), beside.err + subset.err
    plans = [json.loads(ending.out)["plans"] for ending in (beside, subset)]
    assert plans[0]
    assert [plan["levels"] for plan in plans[0]] == [plan["levels"] for plan in plans[1]]


def test_a_search_its_report_and_its_request_know_the_population(biombo, census, study, asked, tmp_path) -> None:
    request, report = tmp_path / "search.yaml", tmp_path / "search.html"
    typed = "--k-map", 20, "--max-absence", 0.9, "--population-table", census
    first = biombo("search", study, *asked, *typed, "--json", "--save-request", request, "--report", report)
    again = biombo("search", "--request", request, "--report", tmp_path / "again.html", "--json")

    assert first.code == again.code == 0, first.err + again.err
    assert json.loads(first.out)["plans"] == json.loads(again.out)["plans"]
    assert "population-table" in request.read_text()
    assert "counted in the population" in report.read_text()


def test_from_the_plan_to_the_proof(biombo, census, study, asked, tmp_path) -> None:
    plan, out = tmp_path / "plan.yaml", tmp_path / "release"
    beside = "--population-table", census
    assert biombo("search", study, *asked, "--k-map", 20, *beside, "--out", plan).code == 0
    judged = biombo("apply", study, "--plan", plan, "--judge", *beside)
    published = biombo("publish", study, "--plan", plan, "--out", out, *beside)
    private = f"{out}.private"

    assert judged.code == 0, judged.err
    assert published.code == 0, published.err
    alone, with_it = (biombo("verify", out, *more) for more in ((), ("--private", private, *beside)))
    assert alone.code == with_it.code == 0, with_it.err
    assert "only a table of the population shows it: k-map with k = 20" in alone.out
    assert "k-map with k = 20, counted in the population: met (smallest group 33 people" in with_it.out
    assert "smallest group" not in alone.out  # by how far is not told
    assert "33 people" not in (out / "manifest.json").read_text()


def test_a_plan_for_a_research_subset_says_which_records_it_is(biombo, census, asked, tmp_path) -> None:
    plan, beside = tmp_path / "plan.yaml", ("--population-table", census)
    found = biombo("search", census, *asked, "--k-map", 20, *beside, "--where", "study=yes", "--out", plan)
    out = tmp_path / "release"

    assert found.code == 0, found.err
    assert biombo("apply", census, "--plan", plan, "--judge", *beside).code == 0
    assert biombo("publish", census, "--plan", plan, "--out", out, *beside).code == 0
    assert biombo("verify", out, "--private", f"{out}.private", *beside).code == 0
    assert pl.read_csv(out / "data.csv", infer_schema=False).height == 100


def test_publishing_by_a_search_drops_what_fails(biombo, census, study, asked, tmp_path) -> None:
    out = tmp_path / "release"
    typed = "--k-map", 7, "--max-suppression", 0.9, "--level", "age=0", "--level", "city=0", "--out", out
    ending = biombo("publish", study, *asked, *typed, "--population-table", census)

    assert ending.code == 0, ending.err
    plan = bb.Plan.load(Path(f"{out}.private") / "plan.yaml")
    assert [each.name for each in plan.operations] == ["suppress-groups"]


def test_verify_shows_where_a_claim_is_false(biombo, census, study, asked, tmp_path) -> None:
    plan, out = tmp_path / "plan.yaml", tmp_path / "release"
    biombo("search", study, *asked, "--k-map", 20, "--population-table", census, "--out", plan)
    biombo("publish", study, "--plan", plan, "--out", out, "--population-table", census)
    other = tmp_path / "other.csv"
    pl.read_csv(study, infer_schema=False).write_csv(other)  # nobody but those of the study

    ending = biombo("verify", out, "--private", f"{out}.private", "--population-table", other)

    assert ending.code == 1
    assert "Not as claimed: k-map with k = 20" in ending.out


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (("--k-map", 5), "--population-table"),
        (("--max-absence", 0.5), "--population-table"),
        (("--max-absence", 0.5, "--population-size", 1000), "--population-table"),
        (("--k", 2, "--population-table", "CENSUS"), "nothing that is asked is counted in it"),
        (("--k-map", 5, "--population-table", "CENSUS", "--population-size", 9000), "goes by the size"),
        (("--k-map", 5, "--population-table", "STUDY"), "which of its records are the research subset (--where)"),
        (("--k-map", 5, "--population-table", "NO-CITY"), "'city'"),
        (("--k-map", 5, "--population-table", "EMPTY"), "empty.csv"),
        (("--k-map", 5, "--population-table", "OTHERS"), "'age'"),
        (("--k-map", 5, "--population-table", "CENSUS", "--recoding", "local"), "--recoding=global"),
        (("--k-map", 5, "--population-table", "nowhere.csv"), "nowhere.csv"),
    ],
)
def test_contradictions_get_one_sentence(biombo, census, study, asked, tmp_path, typed, sentence) -> None:
    CENSUS.drop("city").write_csv(tmp_path / "no-city.csv")
    CENSUS.clear().write_csv(tmp_path / "empty.csv")
    CENSUS.with_columns(age=pl.lit("99")).write_csv(tmp_path / "others.csv")
    files = {"CENSUS": census, "STUDY": study, "NO-CITY": tmp_path / "no-city.csv"}
    files |= {"EMPTY": tmp_path / "empty.csv", "OTHERS": tmp_path / "others.csv"}

    ending = biombo("search", study, *asked, *(files.get(word, word) for word in typed))

    assert ending.code == 2
    assert sentence in ending.err
    assert ending.err.count("\n") == 1 + ending.err.count("warning:")


def test_a_plan_that_is_counted_in_the_population_is_not_applied_without_it(biombo, census, study, tmp_path) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text(
        "biombo-plan: 1\nquasi: [city]\ncriteria:\n  - k-map: {k: 5}\noperations:\n  - suppress-groups: {}\n"
    )
    masking = tmp_path / "masking.yaml"
    masking.write_text(plan.read_text().replace("suppress-groups", "mask-groups"))
    beside = "--population-table", census

    for typed, sentence in [
        (("--plan", plan, "--judge"), "--population-table"),
        (("--plan", masking, "--judge", *beside), "what mask-groups would make of its people in column 'city'"),
        (("--plan", plan, "--judge", *beside, "--engine", "spark:local[1]"), "--engine=local"),
    ]:
        ending = biombo("apply", study, *typed)
        assert ending.code == 2, typed
        assert sentence in ending.err
    assert biombo("apply", study, "--plan", plan, "--judge", *beside).code == 0
    assert biombo("apply", study, "--plan", plan, "--preview", *beside).code == 0
    assert biombo("verify", tmp_path, "--population-table", census).code == 2
