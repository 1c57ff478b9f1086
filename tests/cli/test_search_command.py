import json
from pathlib import Path

import polars as pl
import pytest

import biombo as bb

# The example of Samarati and Sweeney (1998) with suppression: ethnicity and ZIP code, k = 2.
ROWS = [("asian", "02138")] * 2 + [("asian", "02142")] * 2
ROWS += [("black", "02138"), ("black", "02141"), ("black", "02142"), ("white", "02138")]


@pytest.fixture
def people(tmp_path) -> Path:
    path = tmp_path / "people.csv"
    diseases = ["flu", "asthma", "flu", "flu", "asthma", "flu", "diabetes", "flu"]
    table = pl.DataFrame(ROWS, schema=["race", "zip"], orient="row").with_columns(disease=pl.Series(diseases))
    table.write_csv(path)
    return path


@pytest.fixture
def hierarchies(tmp_path) -> Path:
    folder = tmp_path / "hierarchies"
    folder.mkdir()
    (folder / "race.csv").write_text("asian;person\nblack;person\nwhite;person\n")
    zips = ["02138;0213*;021**", "02139;0213*;021**", "02141;0214*;021**", "02142;0214*;021**"]
    (folder / "example_hierarchy_zip.csv").write_text("\n".join(zips) + "\n")
    return folder


@pytest.fixture
def searched(biombo, people, hierarchies):
    def run(*arguments: object):
        return biombo("search", people, "--quasi", "race,zip", "--hierarchies", hierarchies, *arguments)

    return run


def found(ending, code: int = 0) -> dict:
    assert ending.code == code, ending.err
    return json.loads(ending.out)


def test_json_holds_the_documented_object(searched) -> None:
    result = found(searched("--k", 2, "--max-suppression", 0.125, "--json"))
    assert (result["lattice"], result["optimal"], result["records"]) == (6, True, 8)
    assert 0 < result["checked"] <= 6
    best = result["plans"][0]
    assert best["levels"] == {"race": 1, "zip": 0}
    assert best["suppressed"] == 1
    assert best["completeness"] == 7 / 8
    assert best["precision"] == pytest.approx(1 - (7 / 8 * (0 + 1) / 2 + 1 / 8))
    assert best["loss"] == pytest.approx(((1 + 1 / 8) * 2) ** 0.5 - 1)
    assert best["granularity"] == pytest.approx(1 - (1 / 8 + 1) / 2)


def test_a_plan_for_predicting_a_column_reads_that_column_too(searched) -> None:
    asked = ("--k", 2, "--max-suppression", 0.25, "--json", "--frontier")
    result = found(searched(*asked, "--prefer", "prediction:disease"))
    assert (result["prefer"], result["optimal"]) == ("prediction:disease", True)
    # Kept are two asian groups: flu and asthma, twice flu; and black 0214*: flu and diabetes.
    best = result["plans"][0]
    assert (best["levels"], best["suppressed"]) == ({"race": 0, "zip": 1}, 2)
    assert best["score"] > (2 + 1 + 1) / 8, "so many are guessed wrong, or suppressed"

    refused = searched(*asked, "--prefer", "prediction:illness")
    assert (refused.code, refused.out) == (2, "")
    assert "'illness'" in refused.err


def test_suppression_may_weigh_less(searched) -> None:
    asked = ("--k", 2, "--max-suppression", 0.25, "--json")
    best = {factor: found(searched(*asked, "--prefer", f"loss:{factor}"))["plans"][0] for factor in ("0", "1")}
    assert {factor: plan["suppressed"] for factor, plan in best.items()} == {"0": 2, "1": 0}


def test_policies_choose_among_minimal_generalisations(searched) -> None:
    asked = ("--k", 2, "--max-suppression", 0.25, "--minimal", "--json")
    result = found(searched(*asked, "--prefer", "suppression"))
    assert result["minimal"] == [{"race": 0, "zip": 1}, {"race": 1, "zip": 0}]
    assert result["plans"][0]["levels"] == {"race": 1, "zip": 0}
    assert found(searched(*asked, "--prefer", "distribution"))["plans"][0]["levels"] == {"race": 0, "zip": 1}


def test_bounds_and_weights_are_obeyed(searched) -> None:
    bounded = found(searched("--k", 2, "--level", "race=0", "--max-suppression", 0.5, "--json"))
    assert {plan["levels"]["race"] for plan in bounded["plans"]} == {0}
    assert bounded["lattice"] == 3
    heavy = found(searched("--k", 2, "--max-suppression", 0.125, "--weights", "race=9,zip=1", "--json"))
    assert heavy["plans"][0]["levels"] == {"race": 0, "zip": 2}


def test_bounds_may_be_named(biombo, tmp_path) -> None:
    table, folder = tmp_path / "ages.csv", tmp_path / "hierarchies"
    folder.mkdir()
    (folder / "age.yaml").write_text("kind: interval\nwidth: 5\nmultiples: [2, 4]\n")
    pl.DataFrame({"age": ["31", "34", "36", "38", "52"]}).write_csv(table)
    asked = ("search", table, "--quasi", "age", "--hierarchies", folder, "--k", 2, "--max-suppression", 0.2)
    result = found(biombo(*asked, "--level", "age=-width 10", "--json"))
    assert (result["lattice"], result["plans"][0]["levels"]) == (3, {"age": 1})
    refused = biombo(*asked, "--level", "age=decade")
    assert refused.code == 2
    assert "1 = bands of 5, 2 = bands of 10" in refused.err


def test_the_plan_that_is_written_can_be_applied(biombo, searched, people, tmp_path) -> None:
    plan, out = tmp_path / "plan.yaml", tmp_path / "out.csv"
    ending = searched("--k", 2, "--max-suppression", 0.125, "--out", plan)
    assert ending.code == 0
    assert str(plan) in ending.err
    best = bb.search(
        bb.read(people),
        bb.KAnonymity(2),
        quasi=["race", "zip"],
        hierarchies=plan.parent / "hierarchies",
        max_suppression=0.125,
    )[0]
    assert bb.Plan.load(plan).hash == best.plan.hash
    assert biombo("apply", people, "--plan", plan, "--out", out, "--keep-order", "--keep-column", "disease").code == 0
    table = pl.read_csv(out, infer_schema=False)
    assert len(table) == 7
    assert table["race"].unique().to_list() == ["person"]
    assert table.columns == ["race", "zip", "disease"]


def test_other_criteria_count_too(searched) -> None:
    bounds = ("--level", "race=1,zip=0", "--max-suppression", 0.5, "--json")
    assert found(searched("--k", 2, *bounds))["plans"][0]["suppressed"] == 1
    assert found(searched("--k", 2, "--l", 3, "--sensitive", "disease", *bounds), 1)["plans"] == []
    guessed = found(searched("--max-vulnerability", 0.7, "--sensitive", "disease", "--json"))
    assert [plan["levels"] for plan in guessed["plans"]] == [{"race": 1, "zip": 2}]
    over_table = found(
        searched(
            "--max-vulnerability", 0.75, "--over", "table", "--sensitive", "disease", "--max-suppression", 0.5, "--json"
        )
    )
    assert all(plan["suppressed"] == 0 for plan in over_table["plans"])


def test_sensitive_columns_may_have_criteria_of_their_own(searched, tmp_path) -> None:
    asked = ("--sensitive", "disease", "--l", "disease=2", "--t", "disease=40%", "--max-suppression", 0.5)
    request, plan = tmp_path / "request.yaml", tmp_path / "plan.yaml"

    assert searched(*asked, "--k", 1, "--save-request", request, "--out", plan).code == 0
    criteria = (bb.KAnonymity(1), bb.LDiversity(2, column="disease"), bb.TCloseness(0.4, column="disease"))
    assert bb.Plan.load(plan).criteria == criteria
    assert (bb.SearchRequest.load(request).l, bb.SearchRequest.load(request).t) == ({"disease": 2}, {"disease": 0.4})


def test_sensitive_columns_may_have_criteria_of_different_kinds(biombo, tmp_path) -> None:
    people = {
        "age": [30, 30, 40, 40] * 3,
        "disease": ["flu", "hiv", "flu", "cold"] * 3,
        "ward": ["a", "b", "c", "a"] * 3,
    }
    pl.DataFrame(people).write_csv(tmp_path / "people.csv")
    asked = ("--l", 2, "--l-kind", "disease=recursive", "--c", 3, "--t", "ward=0.9", "--beta", "disease=9,ward=8")
    typed = (*asked, "--beta-kind", "ward=basic", "--quasi", "age", "--sensitive", "disease,ward")
    request, plan = tmp_path / "request.yaml", tmp_path / "plan.yaml"
    ending = biombo("search", tmp_path / "people.csv", *typed, "--save-request", request, "--out", plan)

    assert ending.code == 0, ending.err
    assert set(bb.Plan.load(plan).criteria) == {
        bb.LDiversity(2, kind="recursive", c=3, column="disease"),
        bb.LDiversity(2, column="ward"),
        bb.TCloseness(0.9, column="ward"),
        bb.BetaLikeness(9, column="disease"),
        bb.BetaLikeness(8, kind="basic", column="ward"),
    }
    assert bb.SearchRequest.load(request).l_kind == {"disease": "recursive"}


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (
            ("--l", 2, "--l-kind", "sideways"),
            "'sideways' is not understood for --l-kind; give one of distinct, entropy",
        ),
        (("--l", 2, "--l-kind", "disease=sideways"), "--l-kind disease=distinct"),
        (("--l", 2, "--l-kind", "age=entropy"), "--l-kind names the column 'age', which is not among the sensitive"),
        (("--l", "disease=2", "--l-kind", "ward=entropy"), "'ward', of which --l asks nothing"),
        (("--k", 2, "--t-kind", "disease=ordered"), "'disease', of which --t asks nothing"),
        (("--l", 2, "--c", "disease=2"), "c"),
        (("--l", "disease=3,disease=2"), "'disease' stands twice"),
        (("--l", "disease=3", "--l", "disease=2"), "'disease' stands twice"),
        (("--l", 2, "--l-kind", "disease=entropy,disease=distinct"), "'disease' stands twice"),
    ],
)
def test_kinds_of_columns_that_cannot_be_are_told(biombo, tmp_path, typed, told) -> None:
    pl.DataFrame({"age": [1, 1], "disease": ["a", "b"], "ward": ["a", "b"]}).write_csv(tmp_path / "people.csv")
    ending = biombo(
        "search", tmp_path / "people.csv", "--quasi", "age", "--sensitive", "disease,ward", *typed, "--out", "p.yaml"
    )

    assert ending.code == 2
    assert told in " ".join(ending.err.split())


def test_each_criterion_has_its_option(searched, tmp_path) -> None:
    plan = tmp_path / "plan.yaml"
    asked = ("--alpha", 0.8, "--alpha-values", "flu", "--beta", 4, "--beta-kind", "basic", "--k-map", 2)
    whole = (
        "--max-average-risk",
        "60%",
        "--max-uniqueness",
        0.5,
        "--max-population-uniqueness",
        "1",
        "--max-presence",
        1,
    )
    found(searched("--sensitive", "disease", *asked, *whole, "--population-size", 80, "--out", plan, "--json"))

    assert bb.Plan.load(plan).criteria == (
        bb.KMap(2, population=80),
        bb.Deassociation(0.8, values=["flu"]),
        bb.BetaLikeness(4, kind="basic"),
        bb.Presence(1, population=80),
        bb.AverageRisk(0.6),
        bb.Uniqueness(0.5),
        bb.PopulationUniqueness(1, population=80),
    )
    found(searched("--sensitive", "disease", "--delta-disclosure", 3, "--out", plan, "--force", "--json"))
    assert bb.Plan.load(plan).criteria == (bb.DeltaDisclosure(3),)


def test_without_a_plan_the_exit_code_is_1_and_the_reason_is_told(searched) -> None:
    ending = searched("--k", 2, "--level", "race=0,zip=0")
    assert ending.code == 1
    assert "No plan satisfies" in ending.err
    assert "at least 4 records (50.00%)" in ending.out
    assert found(searched("--k", 2, "--level", "race=0,zip=0", "--json"), 1)["plans"] == []


@pytest.mark.parametrize("recoding", ["global", "local"])
def test_a_criterion_that_nothing_can_meet_gets_one_sentence(searched, recoding) -> None:
    ending = searched("--k", 2, "--sensitive", "disease", "--l", "99", "--recoding", recoding)
    assert ending.code == 1
    (sentence,) = [line for line in ending.err.splitlines() if "ask for less" in line]
    assert "all records" in sentence
    assert recoding == "local" or "l = 99" in sentence


def test_explain_counts_what_each_column_breaks(searched) -> None:
    explained = found(searched("--k", 2, "--explain", "--json"))["explain"][0]
    assert explained["together"] == {"columns": ["race", "zip"], "groups": 4, "records": 4, "unique": 4}
    assert explained["alone"][0] == {"columns": ["race"], "groups": 1, "records": 1, "unique": 1}
    assert explained["alone"][1] == {"columns": ["zip"], "groups": 1, "records": 1, "unique": 1}
    assert explained["steps"][0]["column"] == "zip"
    assert explained["least_suppressed"] == 0


def test_the_frontier_has_a_point_for_each_k_and_limit(searched) -> None:
    points = found(searched("--k", 2, "--frontier", "--json"))["frontier"]
    assert {point["k"] for point in points} == {2, 3, 5}
    suppressed = [point["best"]["suppressed"] for point in points if point["k"] == 2]
    assert suppressed == sorted(suppressed)


def test_disjoint_sets_have_policies_of_their_own(biombo, people, hierarchies) -> None:
    result = found(
        biombo(
            *("search", people, "--hierarchies", hierarchies, "--k", 2, "--json"),
            *("--quasi", "race", "--quasi", "zip", "--prefer", "absolute-distance", "--prefer", "loss"),
        )
    )
    assert result["prefer"] == ["absolute-distance", "loss"]
    assert result["plans"][0]["levels"] == {"race": 1, "zip": 1}
    assert result["optimal"]


def test_what_people_read_is_in_their_language(searched) -> None:
    english, portuguese = searched("--k", 2, "--explain"), searched("--k", 2, "--explain", "--lang", "pt")
    assert "Proved the best of 6 combinations of levels" in english.out
    assert "Comprovadamente o melhor de 6 combinações de níveis" in portuguese.out
    assert "asian → person" in english.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Nobody said what must hold"),
        (("--k", 9), "Groups of 9 records cannot be made of the 8"),
        (("--k", 2, "--level", "race=1-0"), "contradict each other"),
        (("--k", 2, "--level", "race=2"), "its levels are 0 (asian), 1 = 1 group (person)"),
        (("--k", 2, "--level", "race=x"), "has no level 'x'"),
        (("--k", 2, "--level", "race="), "write a level such as 2"),
        (("--k", 2, "--level", "sex=0"), "which is not one of the quasi columns"),
        (("--k", 2, "--weights", "zip=heavy"), "write a number such as 2"),
        (("--k", 2, "--weights", "zip=0"), "must be a number above 0"),
        (("--k", 2, "--prefer", "beauty"), "is not a way to prefer plans"),
        (("--k", 2, "--l", 2, "--sensitive", "race"), "'race'"),
        (("--k", 2, "--l", 2), "sensitive"),
        (
            ("--l", "desease=2", "--sensitive", "disease"),
            "'desease', which is not among the sensitive",
        ),
        (("--l", 2, "--l", "disease=2", "--sensitive", "disease"), "'2 disease=2' is not understood for --l"),
        (("--t", "half", "--sensitive", "disease"), "'half' is no number"),
        (("--t", "disease", "--t", "race=1"), "not understood for --t"),
        (("--alpha", 1.5, "--sensitive", "disease"), "--alpha must be a number above 0 and at most 1, not 1.5"),
        (("--alpha-values", "flu", "--sensitive", "disease"), "--alpha 0.5"),
        (("--beta", 0, "--sensitive", "disease"), "--beta must be a number above 0"),
        (("--delta-disclosure", -1, "--sensitive", "disease"), "--delta-disclosure must be a number above 0"),
        (("--k-map", 5), "--population-size"),
        (("--k-map", 5, "--population-size", 7), "has 8 people, but the population"),
        (("--max-population-uniqueness", 0.1), "--population-size"),
        (("--max-presence", 0.1, "--population-size", 40), "is in the table with a chance of 20.00%"),
        (("--max-average-risk", 0), "--max-average-risk must be a number above 0 and at most 1"),
        (("--k", 2, "--quasi", "zip,disease"), "only searched without suppression"),
        (("--k", 2, "--prefer", "loss", "--prefer", "entropy"), "2 preferences for 1 sets"),
    ],
)
def test_bad_use_gets_one_sentence(searched, arguments, sentence) -> None:
    ending = searched(*arguments, "--max-suppression", 0.5)
    assert ending.code == 2
    assert sentence in ending.err
    assert ending.err.count("\n") == 1 + ending.err.count("warning:")


def test_a_hierarchy_that_lacks_a_value_stops_and_offers_answers(searched, hierarchies) -> None:
    (hierarchies / "race.csv").write_text("asian;person\nblack;person\n")
    stopped = searched("--k", 2)
    assert stopped.code == 2
    assert "'white' × 1" in stopped.err
    assert found(searched("--k", 2, "--missing", "suppress", "--json"))["plans"]


def test_two_hierarchies_for_a_column_are_refused(searched, hierarchies) -> None:
    (hierarchies / "zip.csv").write_text("02138;*\n")
    ending = searched("--k", 2)
    assert ending.code == 2
    assert "several hierarchies for column 'zip'" in ending.err


def test_nothing_is_replaced_without_being_asked(searched, tmp_path) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text("mine")
    assert searched("--k", 2, "--out", plan).code == 2
    assert plan.read_text() == "mine"
    assert searched("--k", 2, "--out", plan, "--force").code == 0


def test_the_built_in_schema_brings_its_hierarchies(biombo, siapa_file) -> None:
    asked = ("--schema", "siapa", "--k", 10, "--max-suppression", 0.05, "--missing", "own-branch", "--json")
    result = found(biombo("search", siapa_file, *asked))
    assert result["optimal"]
    assert result["plans"][0]["suppressed"] <= result["records"] * 0.05


def test_distances_between_sensitive_values_may_go_by_a_hierarchy(searched, hierarchies, people) -> None:
    asked = ("--t", 0.3, "--t-kind", "hierarchical", "--sensitive", "disease", "--json")
    refused = searched(*asked)
    assert refused.code == 2
    assert "no hierarchy for the sensitive column 'disease'" in refused.err
    (hierarchies / "disease.csv").write_text("flu;lung;*\nasthma;lung;*\ndiabetes;blood;*\n")
    plans = found(searched(*asked))["plans"]
    criterion = bb.TCloseness(0.3, kind="hierarchical", hierarchy=bb.Hierarchy.from_csv(hierarchies / "disease.csv"))
    expected = bb.search(
        bb.read(people), criterion, quasi=["race", "zip"], sensitive="disease", hierarchies=hierarchies
    )
    assert [plan["levels"] for plan in plans] == [dict(plan.levels) for plan in expected]
    assert len(found(searched(*asked[:2], *asked[4:]))["plans"]) < len(plans)


def test_hierarchical_distances_need_a_sensitive_column(searched) -> None:
    ending = searched("--t", 0.3, "--t-kind", "hierarchical")
    assert ending.code == 2
    assert "no sensitive column" in ending.err


def test_records_with_invalid_values_may_be_left_out_beforehand(biombo, tmp_path) -> None:
    table, schema, plan, out = (tmp_path / name for name in ("t.csv", "schema.yaml", "plan.yaml", "out.csv"))
    pl.DataFrame({"age": ["31", "31", "999", "42", "42"], "sex": list("FFFMM")}).write_csv(table)
    schema.write_text("columns:\n  age: {role: quasi, hierarchy: age, invalid: ['999']}\n  sex: {role: quasi}\n")
    asked = ("search", table, "--schema", schema, "--k", 2, "--drop-invalid")
    result = found(biombo(*asked, "--json", "--out", plan))
    assert (result["records"], result["plans"][0]["levels"]) == (4, {"age": 0, "sex": 0})
    assert result["dropped"] == {"rows": 1, "by_column": {"age": 1, "sex": 0}}
    assert "1 row left out because of an invalid value, by column: age 1." in biombo(*asked, "--full").out
    applied = biombo("apply", table, "--plan", plan, "--out", out, "--keep-order")
    assert applied.code == 0
    assert "1 record is left out because of an invalid value." in applied.out
    assert pl.read_csv(out)["age"].to_list() == [31, 31, 42, 42]
    assert "dropped" not in found(biombo(*asked[:-1], "--json"))


def test_sets_that_share_columns_are_reported_without_a_frontier(biombo, people, hierarchies, tmp_path) -> None:
    asked = ("search", people, "--hierarchies", hierarchies, "--k", 2, "--quasi", "race,zip", "--quasi", "zip")
    ending = biombo(*asked, "--report", tmp_path / "report.html", "--explain")
    assert ending.code == 0, ending.err
    assert ending.out.count("What stands in the way") == 2
    refused = biombo(*asked, "--frontier")
    assert refused.code == 2
    assert "one set of quasi columns" in refused.err


def test_titles_are_not_broken_by_narrow_tables(searched) -> None:
    lines = searched("--k", 2, "--max-suppression", 0.25, "--minimal", "--frontier", "--lang", "pt").out.splitlines()
    assert "Generalizações mínimas: 2" in lines
    assert "O melhor valor de perda para cada k e cada limite de supressão" in lines


def test_a_frontier_that_was_cut_off_says_so(searched) -> None:
    ending = searched("--k", 2, "--frontier", "--time-limit", 1e-9)
    assert ending.code == 1
    assert "Not all combinations of levels were checked in time" in ending.out
    assert "Not all" not in searched("--k", 2, "--frontier").out


@pytest.mark.parametrize("typed", [("--max-presence", "2"), ("--beta", "x"), ("--l", "disease=1"), ("--t", "-1")])
def test_what_cannot_be_is_told_by_the_option_that_was_typed(biombo, tmp_path, typed) -> None:
    (tmp_path / "people.csv").write_text("age,disease\n31,flu\n")
    asked = ("--quasi", "age", "--sensitive", "disease", "--population-size", "1000")
    ending = biombo("search", tmp_path / "people.csv", *asked, *typed)

    assert ending.code == 2
    assert typed[0] in ending.err
    assert "entry" not in ending.err


def test_local_recoding_that_was_cut_off_says_so(searched) -> None:
    ending = searched("--k", 2, "--recoding", "local", "--time-limit", 1e-6)
    assert ending.code == 0, ending.err
    assert "within the time: it was over after 0 steps" in ending.out
    assert "within the time" not in searched("--k", 2, "--recoding", "local").out
    assert found(searched("--k", 2, "--recoding", "local", "--time-limit", 1e-6, "--json"))["plans"][0]["steps"] == 0
