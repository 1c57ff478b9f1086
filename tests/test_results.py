"""Results say what they are in a line, show themselves in notebooks, and go out as plain values."""

import json
from html.parser import HTMLParser

import polars as pl
import pytest

import biombo as bb
from biombo._glance import Glance

QUASI = ["age", "sex", "city"]
BY_COLUMN = {"age": "age", "sex": bb.Hierarchy.all_or_nothing(), "city": bb.Hierarchy.all_or_nothing()}


def searched() -> bb.SearchResult:
    return bb.search(bb.samples.clinic(), bb.KAnonymity(3), quasi=QUASI, sensitive="disease", hierarchies=BY_COLUMN)


def released(folder) -> bb.Release:
    model = bb.PublicRelease(harm="low")
    return bb.publish(bb.samples.clinic(), searched()[0], folder / "release", model=model, override="made up")


def joint_risk(folder) -> bb.JointRisk:
    other = bb.Plan([], [bb.KAnonymity(2)], quasi=["city"], sensitive=["disease"])
    releases = released(folder), bb.publish(bb.samples.clinic(), other, folder / "other")
    return bb.joint_risk(*(release.out for release in releases), source=bb.samples.clinic())


def membership() -> bb.Membership:
    school = bb.samples.school()
    return bb.membership(school.sample, school.population, ["state", "sex", "age"])


def asked_about_loss(folder) -> bb.UtilityRequest:
    path = folder / "clinic.csv"
    bb.samples.clinic().write_csv(path)
    return bb.UtilityRequest(original=str(path), release=str(path))


def asked(kind: type[bb.Request], folder, **entries) -> bb.Request:
    bb.samples.clinic().write_csv(folder / "clinic.csv")
    searched()[0].plan.save(folder / "plan.yaml")
    return kind(files=[str(folder / "clinic.csv")], **entries)


def unwarned(request: bb.Request):
    with bb.Watch(warning=lambda _: None):
        return request.run()


MADE = {
    "RiskOutcome": lambda folder: asked(bb.RiskRequest, folder, quasi=QUASI, fraction=0.1).run(),
    "SearchOutcome": lambda folder: unwarned(asked(bb.SearchRequest, folder, quasi=QUASI, k=3, frontier=True)),
    "ApplyOutcome": lambda folder: asked(
        bb.ApplyRequest, folder, plan=str(folder / "plan.yaml"), out=str(folder / "out.csv")
    ).run(),
    "PublishOutcome": lambda folder: asked(
        bb.PublishRequest, folder, plan=str(folder / "plan.yaml"), out=str(folder / "out")
    ).run(),
    "UtilityOutcome": lambda folder: asked_about_loss(folder).run(),
    "SynthesiseOutcome": lambda folder: asked(
        bb.SynthesiseRequest, folder, columns=["sex"], k=2, out=str(folder / "synthetic.csv")
    ).run(),
    "QueryAnswer": lambda folder: bb.query(bb.samples.clinic(), ["sex"], history=folder / "desk.jsonl", k=2),
    "Synthesis": lambda _: bb.synthesise(bb.samples.clinic(), columns=["age", "sex"], k=2),
    "SyntheticRisk": lambda _: bb.synthetic_risk(*[pl.DataFrame({"age": range(40), "sex": ["F", "M"] * 20})] * 3),
    "Dataset": lambda _: bb.read(bb.samples.clinic()),
    "Inspection": lambda _: bb.inspect(bb.samples.clinic()),
    "Advice": lambda _: bb.advise(bb.samples.clinic()),
    "Risk": lambda _: bb.risk(bb.samples.clinic(), QUASI, "disease"),
    "Risk of nothing sensitive": lambda _: bb.risk(bb.samples.clinic(), QUASI),
    "RiskByPart": lambda _: bb.risk_by_part(bb.samples.clinic(), ["sex"], ["age"], "disease"),
    "AttributeInference": lambda _: bb.attribute_inference(bb.samples.clinic(), QUASI, "disease"),
    "AttributeInferenceByPart": lambda _: bb.attribute_inference(bb.samples.clinic(), ["age"], "disease", by=["sex"]),
    "Reidentification": lambda _: bb.reidentification(bb.samples.clinic(), QUASI),
    "InferenceAgainstTruth": lambda _: bb.attribute_inference(
        bb.samples.clinic(), ["age"], "disease", truth=bb.samples.clinic()
    ),
    "IdentityAgainstTruth": lambda _: bb.reidentification(bb.samples.clinic(), ["age"], truth=bb.samples.clinic()),
    "Membership": lambda _: membership(),
    "PopulationRisk": lambda _: bb.population_risk(bb.samples.clinic(), QUASI, fraction=0.1),
    "Target": lambda _: bb.target(bb.samples.clinic(), {"age": "34"}, sensitive="disease"),
    "SearchResult": lambda _: searched(),
    "RankedPlan": lambda _: searched()[0],
    "Plan": lambda _: searched()[0].plan,
    "Frontier": lambda _: bb.frontier(bb.samples.clinic(), ks=[2, 3], quasi=QUASI, hierarchies=BY_COLUMN),
    "Applied": lambda _: bb.apply(bb.samples.clinic(), searched()[0].plan),
    "Preview": lambda _: bb.preview(bb.samples.clinic(), searched()[0].plan),
    "Judgement": lambda _: bb.judge(bb.samples.clinic(), bb.KAnonymity(9), quasi=QUASI),
    "Utility": lambda _: bb.utility(bb.samples.clinic(), bb.samples.clinic()),
    "Release": released,
    "OriginRecords": lambda folder: bb.origin_records(
        released(folder).out, source=bb.samples.clinic(), reason="an example"
    ),
    "JointRisk": lambda folder: joint_risk(folder),
    "Verification": lambda folder: bb.verify(released(folder).out),
    "Decision": lambda _: bb.Decision(bb.PublicRelease(harm="low"), smallest_group=3),
}
WITHOUT_JSON = {
    "Dataset",
    "Target",
    "AttributeInferenceByPart",
    "InferenceAgainstTruth",
    "IdentityAgainstTruth",
}


class Page(HTMLParser):
    """Raises where what is opened is not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.met: set[str] = set()

    def handle_starttag(self, tag, _attributes):
        self.open.append(tag)
        self.met.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def tags(html: str) -> set[str]:
    page = Page()
    page.feed(html)
    assert page.open == []
    return page.met


@pytest.mark.parametrize("language", ["en", "pt"])
@pytest.mark.parametrize("kind", MADE)
def test_a_result_is_short_and_shows_itself(kind, language, tmp_path):
    bb.set_language(language)
    result = MADE[kind](tmp_path)

    assert repr(result).startswith(f"<{kind.split()[0]} ")
    assert "\n" not in repr(result)
    assert len(repr(result)) < 250
    assert tags(result._repr_html_()) <= {"div", "p", "b", "small", "table", "thead", "tbody", "tr", "th", "td"}
    assert len(result._repr_html_()) < 10_000


@pytest.mark.parametrize("kind", sorted(MADE.keys() - WITHOUT_JSON))
def test_a_result_goes_out_as_plain_values(kind, tmp_path):
    plain = MADE[kind](tmp_path).to_dict()

    assert json.loads(json.dumps(plain, allow_nan=False)) is not None


def test_the_worst_is_said_in_the_line():
    assert repr(bb.risk(bb.samples.clinic(), QUASI, "disease")) == (
        "<Risk 12 records; disease is guessed right for up to 75.0% of them, without any fact for 41.7%>"
    )
    assert "1 of 1 criteria are not met" in repr(MADE["Judgement"](None))
    assert "not acceptable" in repr(MADE["Decision"](None))


def test_facts_beyond_certainty_are_not_listed():
    table = pl.DataFrame({"id": range(30), "a": [0, 1] * 15, "b": [0, 1, 2] * 10})
    with pytest.warns(bb.BiomboWarning):
        html = bb.reidentification(table, ["id", "a", "b"])._repr_html_()

    assert "100.0%" in html
    assert "id + a" not in html


def test_what_comes_from_a_file_is_escaped():
    hostile = '<script>alert("x")</script>'
    table = pl.DataFrame({hostile: ["a", "a"], "s": [hostile, hostile]})
    plan = bb.Plan([bb.SuppressColumn(hostile)], [bb.KAnonymity(2)], quasi=["s"])
    shown = [
        bb.read(table),
        bb.inspect(table),
        bb.risk(table, [hostile], "s"),
        bb.target(table, {hostile: "a"}, sensitive="s"),
        bb.preview(table, plan),
        plan,
    ]

    for result in shown:
        assert "<script" not in result._repr_html_()
        assert "script" in result._repr_html_()


def test_a_dataset_shows_no_value_and_no_record():
    data = bb.read(bb.samples.clinic())

    assert not [name for name in bb.samples.clinic()["name"] if name in data._repr_html_()]
    assert data.describe()["alone"].to_list()[0] == 1.0


def test_the_numbers_of_a_counted_table_are_those_of_its_records():
    table = pl.DataFrame({"sex": ["F", "F", "M"], "age": [30, 30, None]})
    from biombo._data import read_counted

    assert read_counted(table).describe().equals(bb.read(table).describe())
    with pytest.raises(bb.UsageError):
        read_counted(table).head()


def test_long_tables_are_cut_and_say_so():
    html = Glance("many", ["n"], [(n,) for n in range(50)]).html()

    assert html.count("<tr>") == 21
    assert "30 more" in html


@pytest.mark.parametrize("kind", ["Risk", "RiskByPart", "SearchResult"])
def test_a_result_writes_its_report(kind, tmp_path):
    page = MADE[kind](tmp_path).report(tmp_path / "report.html")

    assert (tmp_path / "report.html").read_text("utf-8") == page
    assert "the Polars table" in page


def test_a_release_gives_the_reports_that_were_written_with_it(tmp_path):
    release = released(tmp_path)

    assert release.report() == (release.out / "report.html").read_text("utf-8")
    assert release.report(tmp_path / "private.html", private=True) == (release.private / "report.html").read_text()
    assert (tmp_path / "private.html").stat().st_mode & 0o777 == 0o600


def test_plain_values_are_those_of_the_command(tmp_path, capsys):
    from biombo._cli import main

    path = tmp_path / "clinic.csv"
    bb.samples.clinic().write_csv(path)
    assert main(["risk", str(path), "--quasi", "age,sex", "--sensitive", "disease", "--json"]) == 0

    assert json.loads(capsys.readouterr().out) == bb.risk(bb.read(path), ["age", "sex"], "disease").to_dict()
