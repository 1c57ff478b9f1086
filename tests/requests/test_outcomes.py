"""What the command line can do, Python can do in one call, with the same names."""

from datetime import date

import polars as pl
import pytest

import biombo as bb

pytestmark = pytest.mark.usefixtures("folder")

COLUMNS = {"quasi": ["age", "sex"], "sensitive": ["disease"]}
SEARCH = {**COLUMNS, "hierarchies": "hierarchies", "k": 5}


def listing(folder) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


class TestRisk:
    def test_is_what_the_function_finds(self):
        outcome = bb.RiskRequest(files=["people.csv"], **COLUMNS).run()
        found = bb.risk(bb.read("people.csv", columns=["age", "sex", "disease"]), ["age", "sex"], ["disease"])

        assert outcome.risk.max_posterior == found.max_posterior
        assert outcome.as_table().equals(outcome.as_table())
        assert outcome.membership is outcome.estimate is None

    @pytest.mark.parametrize(("limit", "holds"), [(None, True), (1.0, True), (0.1, False)])
    def test_says_whether_it_is_acceptable(self, limit, holds):
        assert bb.RiskRequest(files=["people.csv"], max_posterior=limit, **COLUMNS).run().holds is holds

    def test_gives_its_report_as_a_page_and_as_a_file(self, folder):
        outcome = bb.RiskRequest(files=["people.csv"], out="risk", **COLUMNS).run()

        assert "people.csv" in outcome.report()
        assert (folder / "risk" / "report.html").read_text()[:200] == outcome.report()[:200]
        assert bb.report(outcome, "again.html")[:200] == (folder / "again.html").read_text()[:200]

    def test_has_parts_a_population_and_estimates(self):
        by_part = bb.RiskRequest(files=["people.csv"], quasi=["age"], by=["sex"]).run()
        sample = bb.RiskRequest(files=["people.csv"], population="census.csv", fraction=0.5, **COLUMNS).run()

        assert isinstance(by_part.risk, bb.RiskByPart)
        assert sample.membership.prior == 0.5
        assert isinstance(sample.estimate, bb.PopulationRisk)

    def test_writes_what_concerns_people_to_the_private_folder(self, folder):
        said = []
        request = bb.RiskRequest(files=["people.csv"], out="risk", records=["age"], target={"age": "30"}, **COLUMNS)
        with bb.Watch(remark=said.append):
            request.run()

        assert {path.name for path in (folder / "risk.private").iterdir()} == {"records.csv", "target.json"}
        assert (folder / "risk.private" / "records.csv").stat().st_mode & 0o077 == 0
        assert len(said) == 3


class TestSearch:
    def test_has_plans_frontier_explanations_and_report(self):
        request = bb.SearchRequest(files=["people.csv"], frontier=True, minimal=True, explain=True, **SEARCH)
        outcome = request.run()

        assert outcome.holds
        assert {*outcome.as_json()} >= {"plans", "minimal", "frontier", "explain"}
        assert [type(each) for each in outcome.explanations] == [bb.Explanation]
        assert outcome.explanations[0].together == bb.explanations(outcome.plans)[0].together
        assert "people.csv" in outcome.report()

    def test_writes_plan_and_report_where_asked(self, folder):
        outcome = bb.SearchRequest(files=["people.csv"], out="found.yaml", report="search.html", **SEARCH).run()

        assert bb.Plan.load("found.yaml") == outcome.plans[0].plan
        assert (folder / "search.html").stat().st_mode & 0o077 == 0
        assert outcome.asked_frontier is None
        assert outcome.asked_explanations == ()
        assert outcome.frontier is not None

    def test_explains_why_there_is_none(self):
        outcome = bb.SearchRequest(files=["people.csv"], l=4, **SEARCH).run()

        assert not outcome.holds
        assert outcome.explanations[0].together.records == 200

    def test_takes_a_table_in_place_of_files(self):
        frame = pl.read_csv("people.csv", infer_schema=False)

        assert (
            bb.SearchRequest(**SEARCH).run(frame).as_json()["plans"]
            == (bb.SearchRequest(files=["people.csv"], **SEARCH).run().as_json()["plans"])
        )


class TestApply:
    def test_writes_or_shows(self, folder):
        shown = bb.ApplyRequest(files=["people.csv"], plan="plan.yaml", preview=True).run()
        before = listing(folder)
        written = bb.ApplyRequest(files=["people.csv"], plan="plan.yaml", out="out.csv").run()

        assert "out.csv" not in before
        assert (shown.applied, written.preview) == (None, None)
        assert shown.preview.groups_before.smallest < 5
        assert written.holds
        assert pl.read_csv("out.csv").columns == ["age", "sex", "disease"]

    def test_says_why_it_is_refused(self, folder):
        plan = bb.Plan([bb.SuppressGroups()], [bb.KAnonymity(50)], ["age"], max_suppression=0.01)
        plan.save("strict.yaml")
        outcome = bb.ApplyRequest(files=["people.csv"], plan="strict.yaml", out="out.csv").run()

        assert not outcome.holds
        assert outcome.applied is None
        assert "1" in outcome.refused
        assert not (folder / "out.csv").exists()


PUBLISH = {**SEARCH, "files": ["people.csv"], "out": "release", "max_suppression": 0.2}


class TestPublish:
    def test_gives_release_estimate_and_reports(self, folder):
        outcome = bb.PublishRequest(**PUBLISH).run()

        assert outcome.holds
        assert bb.verify(outcome.release.out).holds
        assert outcome.estimate.rows == 200
        assert outcome.decision is outcome.number is None
        assert outcome.report() == (folder / "release" / "report.html").read_text()
        assert bb.report(outcome, private=True) == (folder / "release.private" / "report.html").read_text()

    def test_decides_and_puts_on_record(self):
        answers = {"release_model": "public", "harm": "low", "department": "Health", "review": date(2030, 1, 31)}
        outcome = bb.PublishRequest(**PUBLISH, **answers, register="sqlite:///register.db").run()

        assert outcome.decision.passes
        assert outcome.number == 1
        assert bb.Register.open("register.db").get(1).entry.department == "Health"

    def test_says_why_it_is_refused(self, folder):
        said = []
        with bb.Watch(remark=said.append):
            outcome = bb.PublishRequest(**PUBLISH, release_model="public", threshold=0.001).run()

        assert (outcome.holds, outcome.release) == (False, None)
        assert "k = 1,000" in outcome.refused
        assert any("Nobody said how much harm" in sentence for sentence in said)
        assert not (folder / "release").exists()
        with pytest.raises(bb.UsageError, match="nothing was published"):
            outcome.report()

    def test_columns_that_are_named_go_before_those_of_the_plan(self):
        request = bb.PublishRequest(files=["people.csv"], plan="plan.yaml", quasi=["sex", "age"], out="release")

        assert request.run().release.plan.quasi == ("sex", "age")


class TestUtility:
    def test_finds_the_plan_beside_a_release(self):
        bb.PublishRequest(files=["people.csv"], plan="plan.yaml", out="release").run()
        said = []
        with bb.Watch(remark=said.append):
            outcome = bb.UtilityRequest(original="people.csv", release="release").run()

        assert outcome.plan.name == "plan.yaml"
        assert len(said) == 2  # the plan, and what it did
        assert outcome.utility.measures.completeness is not None
        assert outcome.as_json()["original"]["source"] == "people.csv"


def test_there_is_no_report_on_anything_else():
    with pytest.raises(bb.UsageError, match="no report on a int"):
        bb.report(5)


@pytest.mark.parametrize(
    ("request_", "stages"),
    [
        (bb.RiskRequest(files=["people.csv"], **COLUMNS), ["reading", "attacking"]),
        (bb.SearchRequest(files=["people.csv"], **SEARCH), ["reading", "searching"]),
        (bb.ApplyRequest(files=["people.csv"], plan="plan.yaml", preview=True), ["applying"]),
    ],
)
def test_stages_are_told(folder, request_, stages):
    told = []
    with bb.Watch(stage=told.append):
        request_.run()

    assert told == stages
