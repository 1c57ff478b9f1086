"""What the reports say where something is missing, exceptional or not anonymised at all."""

import polars as pl
import pytest
from report_reading import read_back

import biombo as bb
from biombo._report.charts import as_specification, drawing

TABLE = pl.DataFrame(
    {
        "name": [f"Pessoa {n}" for n in range(60)],
        "city": ["Serra", "Lagoa"] * 30,
        "disease": ["flu", "gout", "flu"] * 20,
    }
)
PLAN = bb.Plan([], [bb.KAnonymity(5)], quasi=["city"], sensitive=["disease"], identifiers=["name"])


@pytest.fixture
def told(tmp_path):
    """Publishes, and gives the text of the public and of the private report."""

    def publish(plan: bb.Plan = PLAN, table: pl.DataFrame = TABLE, **options: object) -> list[str]:
        with drawing(as_specification):
            release = bb.publish(table, plan, tmp_path / "release", **options)
        return [read_back((folder / "report.html").read_text()).text for folder in (release.out, release.private)]

    return publish


def test_without_a_release_model_nothing_was_decided_and_no_review_is_on_record(told) -> None:
    for text in told():
        assert "it was not decided whether the risk is acceptable" in text
        assert "No date of review is on record" in text


def test_a_release_above_the_threshold_says_so_and_why_to_everybody(told) -> None:
    public, private = told(model=bb.PublicRelease(harm="high"), override="the law asks for it")

    for text in (public, private):
        assert "The risk exceeds what was set as acceptable." in text
        assert "Released all the same, for this reason: the law asks for it" in text
        assert "Accepted" not in text
    assert "what would pass" in private
    assert "what would pass" not in public


def test_a_release_with_pseudonyms_is_not_taken_for_anonymised(told) -> None:
    plan = bb.Plan([bb.Pseudonymise("name", "random")], [bb.KAnonymity(5)], ["city"], ["disease"], ["name"])
    for text in told(plan):
        assert "This release has pseudonyms, so do not take it for anonymised." in text
        assert "Pseudonymised data (name) are still personal data (§ 4)" in text
        assert "This release has no pseudonyms" not in text


def test_people_with_several_records_are_counted_once_where_a_column_names_them(told) -> None:
    for text in told(schema=bb.Schema({}, person="name")):
        assert "People are counted by a column that names them" in text
        assert "Every person is one record" not in text


def test_without_columns_that_others_may_know_no_attack_and_no_group_is_told(told) -> None:
    plan = bb.Plan([], quasi=[], sensitive=["disease"], identifiers=["name", "city"])
    for text in told(plan, unprotected="only one column is left"):
        assert "The attacks could not be carried out: no quasi column is in the table" in text
        assert "nobody is in a group" not in text
        assert "Everybody in the data" not in text, "nothing is guaranteed to them"


def test_without_sensitive_columns_no_guess_is_told(told) -> None:
    plan = bb.Plan([], [bb.KAnonymity(5)], quasi=["city"], identifiers=["name", "disease"])
    for text in told(plan):
        assert "No column was classified as sensitive" in text
        assert "Guessing" not in text


def test_a_person_who_is_alone_is_promised_nothing(told) -> None:
    plan = bb.Plan([], quasi=["city"], sensitive=["disease"], identifiers=["name"])
    table = TABLE.with_columns(city=pl.when(pl.col("name") == "Pessoa 7").then(pl.lit("Foz")).otherwise("city"))
    for text in told(plan, table, unprotected="the register is public"):
        assert "Everybody in the data" not in text
        assert "with a probability of at most" not in text


def test_the_limit_on_what_is_learned_is_guaranteed_only_where_it_was_asked_for(told) -> None:
    for text in told():
        assert "What others learn about sensitive values is limited" not in text
        assert "No criterion of the plan limits it." in text
