"""How well a column can still be predicted stands in the reports of a release, where one is named."""

import random
import sys

import polars as pl
import pytest
from report_reading import read_back

import biombo as bb

ROWS = 2_400
TITLE = "vaccine predicted from the other columns, 10 folds"
WAYS = ["original → original", "release → release", "release → original records held out"]
PLAN = bb.Plan(
    [bb.Generalise("age", bb.Hierarchy.by_interval(10), 1), bb.MaskGroups()],
    [bb.KAnonymity(10)],
    quasi=["age", "sex"],
    sensitive=["vaccine"],
    identifiers=["name"],
)


@pytest.fixture(scope="module")
def people() -> pl.DataFrame:
    """The old have another vaccine than the young, as a rule; half of all have vaccine C."""
    chance = random.Random(4)
    ages = [chance.randrange(20, 80) for _ in range(ROWS)]
    return pl.DataFrame(
        {
            "name": [f"Pessoa {number}" for number in range(ROWS)],
            "age": [str(age) for age in ages],
            "sex": [chance.choice("FM") for _ in range(ROWS)],
            "vaccine": [chance.choice("AAAB" if age >= 60 else "CCCB") for age in ages],
        }
    )


@pytest.fixture(scope="module")
def release(people, tmp_path_factory) -> bb.Release:
    return bb.publish(people, PLAN, tmp_path_factory.mktemp("predicted") / "release", predict="vaccine")


def accuracies(folder) -> list[dict[str, str]]:
    return read_back((folder / "report.html").read_text()).table(TITLE)


def share(told: str) -> float:
    return float(told.removesuffix("%")) / 100


@pytest.mark.slow
def test_the_private_report_has_it_both_ways_beside_the_most_frequent_value(people, release) -> None:
    rows = accuracies(release.private)
    most_frequent = people["vaccine"].value_counts()["count"].max() / ROWS

    assert [row["learned from → tested on"] for row in rows] == WAYS
    assert all(share(row["most frequent value"]) == pytest.approx(most_frequent, abs=0.005) for row in rows)
    assert all(share(row["decision tree"]) > share(row["most frequent value"]) + 0.1 for row in rows)
    assert {row["records tested"] for row in rows} == {f"{ROWS:,}"}


@pytest.mark.slow
def test_the_public_report_has_whole_percents_and_no_number_of_records(release) -> None:
    public, private = accuracies(release.out), accuracies(release.private)

    assert [row["learned from → tested on"] for row in public] == WAYS
    for row, exact in zip(public, private, strict=True):
        assert "records tested" not in row
        for name in ("decision tree", "random forest"):
            # the private report has two digits, so a half may have been rounded either way
            assert abs(int(row[name].removesuffix("%")) - 100 * share(exact[name])) <= 0.505


@pytest.mark.slow
def test_with_few_records_the_public_report_leaves_it_out(people, tmp_path) -> None:
    release = bb.publish(people.head(300), PLAN, tmp_path / "release", predict="vaccine")

    assert {row["decision tree"] for row in accuracies(release.out)} == {"left out"}
    assert share(accuracies(release.private)[0]["decision tree"]) > 0


def test_without_a_column_to_predict_there_is_no_such_table(people, tmp_path) -> None:
    release = bb.publish(people.head(300), PLAN, tmp_path / "release")

    assert TITLE not in read_back((release.private / "report.html").read_text()).tables


def test_without_scikit_learn_a_warning_says_what_to_install_and_the_release_stands(
    people, tmp_path, monkeypatch
) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.warns(bb.BiomboWarning, match=r"install it with: pip install 'biombo\[utility\]'"):
        release = bb.publish(people.head(300), PLAN, tmp_path / "release", predict="vaccine")

    assert bb.verify(release.out).holds
    assert TITLE not in read_back((release.private / "report.html").read_text()).tables


def test_a_column_with_too_many_values_is_named_in_the_report_and_all_else_is_there(people, tmp_path) -> None:
    many = people.head(300).with_columns(ward=pl.int_range(300).cast(pl.String))
    options = {"other": ["ward"], "predict": "ward", "accept": {"ward": "a test"}}
    release = bb.publish(many, PLAN, tmp_path / "release", **options)
    seen = read_back((release.private / "report.html").read_text())
    public = read_back((release.out / "report.html").read_text()).text

    assert "ward could not be predicted from the other columns: Column 'ward' has" in seen.text
    assert "Detail, records and groups" in seen.tables
    assert "How well ward is predicted from the other columns is not told here." in public
    assert "different values" not in public


@pytest.mark.parametrize(
    ("column", "sentence"),
    [("vacine", r"'vacine'.*'vaccine'"), ("name", r"Column 'name' is not released, .* give it a role")],
)
def test_a_column_that_is_not_there_or_not_released_is_refused_before_anything_is_written(
    column, sentence, people, tmp_path
) -> None:
    with pytest.raises(bb.ColumnError, match=sentence):
        bb.publish(people.head(300), PLAN, tmp_path / "release", predict=column)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_predictions_are_of_the_people_who_are_selected(people, tmp_path) -> None:
    both = people.head(400).with_columns(year=pl.Series(["2022"] * 100 + ["2023"] * 300))
    selecting = PLAN.selecting([bb.SelectRecords({"year": "2023"})])
    rows = accuracies(bb.publish(both, selecting, tmp_path / "selected", predict="vaccine").private)

    assert [row["learned from → tested on"] for row in rows] == WAYS
    assert {row["records tested"] for row in rows} == {"300"}


@pytest.mark.slow
def test_numbers_that_nobody_declared_are_numbers_as_for_utility(tmp_path) -> None:
    chance = random.Random(7)
    steps = [chance.randrange(1_000) for _ in range(600)]
    walks = pl.DataFrame({"steps": steps, "well": ["yes" if 300 < each < 700 else "no" for each in steps]})
    operations = [bb.Generalise("steps", bb.Hierarchy.by_interval(100), 1), bb.MaskGroups()]
    plan = bb.Plan(operations, [bb.KAnonymity(10)], quasi=["steps"], sensitive=["well"])

    release = bb.publish(walks, plan, tmp_path / "release", predict="well")

    told = read_back((release.private / "report.html").read_text()).table(TITLE.replace("vaccine", "well"))
    asked = bb.utility(walks, release.out / "data.csv", plan=plan, predict="well").classification
    trees = [each.tree for each in (asked.original, asked.release, asked.for_new_records)]
    assert [share(row["decision tree"]) for row in told] == pytest.approx(trees, abs=0.02)
    assert trees[0] > 0.95
