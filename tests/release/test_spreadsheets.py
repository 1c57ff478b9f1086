"""No spreadsheet finds a formula in the tables of a release, and whoever checks it reads what was published."""

import csv
import io

import pytest

import biombo as bb

NAMES = {"visits": "=visits", "sex": "=sex;=1+1", "remark": "'=visits"}


@pytest.fixture(scope="module")
def hostile(people, plan, tmp_path_factory) -> bb.Release:
    renamed = bb.Plan(plan.operations, plan.criteria, ["age", NAMES["sex"]], plan.sensitive, plan.identifiers)
    other = [NAMES["visits"], NAMES["remark"]]
    place = tmp_path_factory.mktemp("formulas") / "release"
    return bb.publish(people.rename(NAMES), renamed, place, other=other, accept={NAMES["remark"]: "a test"})


@pytest.mark.parametrize("file", ["data.csv", "dictionary.csv"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_no_cell_and_no_head_starts_a_formula(hostile, file, delimiter) -> None:
    content = (hostile.out / file).read_text("utf-8")
    for row in csv.reader(io.StringIO(content, newline=""), delimiter=delimiter):
        assert not [cell for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


def test_the_release_is_verified_and_read_with_the_names_that_it_had(hostile, people) -> None:
    assert bb.verify(hostile.out).holds
    read = bb.read(hostile.out / "data.csv", columns=[], unescape=True)

    assert list(read.columns) == ["trace_id", "age", "=sex;=1+1", "disease", "=visits", "'=visits"]
    assert sorted(read["'=visits"].decoded()) == sorted(people["remark"])
