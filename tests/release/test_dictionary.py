"""What whoever gets a release is told about its columns."""

import csv
import json

import polars as pl

import biombo as bb
from biombo._i18n import LANGUAGES, _catalogue
from biombo._plan import OPERATIONS


def entries(release) -> dict[str, dict]:
    tree = json.loads((release.out / "dictionary.json").read_text())
    return {entry["column"]: entry for entry in tree["columns"]}


def test_each_column_is_described(release) -> None:
    assert list(entries(release)) == release.data.columns


def test_what_was_generalised_and_masked_is_told(release) -> None:
    age, disease = entries(release)["age"], entries(release)["disease"]

    assert (age["level"], age["height"], age["masked_mark"]) == (1, 2, "#####")
    assert age["level_label"] == "bands of 10"
    assert age["done"] == [
        "Generalised: bands of 10 (level 1 of 2).",
        "Where a group would have been too small, '#####' stands for the value.",
    ]
    assert disease["done"] == ["Nothing; the values are as they were."]
    assert disease["masked_mark"] is None


def test_codes_that_occur_in_the_release_get_their_names(tmp_path) -> None:
    table = pl.DataFrame({"town": ["120040", "120020"] * 5 + ["130260"] * 5})
    operation = bb.Generalise("town", bb.Hierarchy.built_in("municipality"), 1)
    release = bb.publish(table, bb.Plan([operation], [bb.KAnonymity(2)], quasi=["town"]), tmp_path / "release")
    names, occurring = entries(release)["town"]["names"], set(release.data["town"])

    assert set(names) <= occurring
    assert names


def test_codes_of_the_schema_that_occur_in_the_release_get_their_names(tmp_path) -> None:
    rows = [{"sex": "12"[n % 2], "town": "12"[n // 2 % 2], "disease": "ABC"[n // 4 % 3]} for n in range(48)]
    names = {"1": {"pt": "masculino", "en": "male"}, "2": {"pt": "feminino", "en": "female"}, "9": "unknown"}
    schema = bb.Schema(
        {
            "sex": bb.ColumnSchema("quasi", values=names),
            "town": bb.ColumnSchema("quasi", values={"1": "north", "*": "nowhere"}),
            "disease": bb.ColumnSchema("sensitive"),
        }
    )
    operation = bb.Generalise("town", bb.Hierarchy.all_or_nothing(), 1)
    plan = bb.Plan([operation], [bb.KAnonymity(2)])
    release = bb.publish(pl.DataFrame(rows), plan, tmp_path / "release", schema=schema)
    told = {row["Column"]: row for row in csv.DictReader((release.out / "dictionary.csv").read_text().splitlines())}

    assert entries(release)["sex"]["names"] == {"1": "male", "2": "female"}
    assert entries(release)["town"]["names"] == entries(release)["disease"]["names"] == {}
    assert told["sex"]["Names of codes"] == "1 = male; 2 = female"
    assert "Codes: 1 = male; 2 = female." in (release.out / "report.html").read_text()


def test_what_only_looks_like_a_code_has_no_name(tmp_path) -> None:
    table = pl.DataFrame({"ward": ["2", "3"] * 10})
    schema = bb.Schema({"ward": bb.ColumnSchema("quasi", values={"1": "the ward of few"})})
    plan = bb.Plan([bb.MaskCharacters("ward", with_="1")], [bb.KAnonymity(2)])
    release = bb.publish(table, plan, tmp_path / "release", schema=schema)

    assert set(release.data["ward"]) == {"1"}
    assert entries(release)["ward"]["names"] == {}


def test_what_values_look_like_is_told_by_those_of_at_least_k_records(release) -> None:
    ages = (
        release.data["age"]
        .value_counts()
        .filter(pl.col("age") != "#####")
        .sort("count", "age", descending=[True, False])
    )

    assert entries(release)["age"]["examples"] == ages["age"].head(3).to_list()
    assert ages["count"][2] >= 10
    assert entries(release)["disease"]["examples"] == []
    assert f"Values such as: {', '.join(ages['age'].head(3))}." in (release.out / "report.html").read_text()


def test_a_value_of_fewer_than_k_records_is_no_example(tmp_path) -> None:
    table = pl.DataFrame({"age": ["31"] * 12 + ["42"] * 3, "disease": ["flu"] * 15})
    operation = bb.Generalise("age", bb.Hierarchy.by_interval(10), 1)
    release = bb.publish(
        table, bb.Plan([operation], quasi=["age"], sensitive=["disease"]), tmp_path / "release", unprotected="a test"
    )
    examples = entries(release)["age"]["examples"]

    assert len(examples) == 1
    assert release.data.filter(age=examples[0]).height == 12


def test_labels_are_those_of_the_schema(people, plan, tmp_path) -> None:
    schema = bb.Schema({"age": bb.ColumnSchema("quasi", label={"pt": "idade", "en": "age in years"})})
    assert entries(bb.publish(people, plan, tmp_path / "en", schema=schema))["age"]["label"] == "age in years"
    bb.set_language("pt")
    assert entries(bb.publish(people, plan, tmp_path / "pt", schema=schema))["age"]["label"] == "idade"


def test_the_table_for_people_says_the_same_and_no_formula_is_in_it(people, plan, tmp_path) -> None:
    renamed = people.rename({"visits": "=visits"})
    release = bb.publish(renamed, plan, tmp_path / "release", other=["=visits"])
    with (release.out / "dictionary.csv").open(newline="") as file:
        columns = [row[0] for row in csv.reader(file)]

    assert columns == ["Column", "trace_id", "age", "sex", "disease", "'=visits"]


def test_there_are_words_for_every_operation() -> None:
    keys = {f"release.done.{name}" for name in OPERATIONS}

    assert [(code, key) for code in LANGUAGES for key in keys if key not in _catalogue(code)] == []


def test_a_column_of_several_levels_says_what_they_are_and_how_many_records_are_at_each(tmp_path) -> None:
    table = pl.DataFrame(
        {
            "age": [*(["31"] * 6), *(["40", "41", "43"] * 2), *(["50", "57"] * 4)],
            "sex": ["F"] * 20,
            "x": ["a", "b"] * 10,
        }
    )
    columns = [
        bb.RecodedColumn("age", bb.Hierarchy.by_interval(5, [2])),
        bb.RecodedColumn("sex", bb.Hierarchy.all_or_nothing()),
    ]
    plan = bb.Plan([bb.RecodeLocally(columns)], [bb.KAnonymity(5)], quasi=["age", "sex"], sensitive=["x"])
    told = entries(bb.publish(table, plan, tmp_path / "release"))
    age, sex = told["age"], told["sex"]

    assert age["value_levels"] == {"31": 0, "[40, 45)": 1, "[50, 60)": 2}
    assert age["levels"] == {"0": "as it is", "1": "bands of 5", "2": "bands of 10"}
    assert age["examples"] == ["31", "[40, 45)", "[50, 60)"]
    assert "In this column: as it is: 30.0%; bands of 5: 30.0%; bands of 10: 40.0%." in age["done"][0]
    assert sex["done"] == [
        "Groups of records that are alike were formed by this column too; all its values are as they were."
    ]


def test_of_many_levels_those_of_most_records_are_told(tmp_path) -> None:
    """Seven groups of five or six, each alike one level further up than the one before."""
    levels = [[*range(2**level, 128, 2**level)] for level in range(1, 7)]
    pairs = [(0, 0), (2, 3), (4, 6), (8, 12), (16, 24), (32, 48), (64, 96)]
    ages = [each for low, high in pairs for each in (low, low, low, high, high)] + [0, 2, 4, 8, 16]
    columns = [bb.RecodedColumn("age", bb.Hierarchy.by_bounds(levels))]
    plan = bb.Plan([bb.RecodeLocally(columns)], [bb.KAnonymity(5)], quasi=["age"], sensitive=["x"])
    age = entries(bb.publish(pl.DataFrame({"age": ages, "x": ["a", "b"] * 20}), plan, tmp_path / "release"))["age"]

    assert age["levels"] == {"0": "as it is"} | {str(n): f"intervals, level {n} of 6" for n in range(1, 7)}
    assert "as it is: 15.0%; intervals, level 1 of 6: 15.0%;" in age["done"][0]
    assert "level 4 of 6: 15.0%; other levels: 25.0%." in age["done"][0]
