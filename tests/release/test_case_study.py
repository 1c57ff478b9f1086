"""The proactive flow of document 001, section 5.2, on made-up records of the same kind and number: k = 10, masked."""

import pytest
from case_study import ROWS, vaccinations
from report_reading import read_back

import biombo as bb

QUASI = ["age", "sex", "race", "district"]
ACCEPTED = dict.fromkeys(["group", "vaccine"], "who was vaccinated first, and with what, is on the town's web page")


@pytest.fixture(scope="module")
def release(tmp_path_factory) -> bb.Release:
    roles = {name: bb.ColumnSchema("quasi") for name in QUASI} | {
        "patient": bb.ColumnSchema("identifier"),
        "group": bb.ColumnSchema("sensitive"),
        "vaccine": bb.ColumnSchema("other"),
    }
    whole = bb.Hierarchy.all_or_nothing()
    hierarchies = dict.fromkeys(QUASI, whole) | {"age": bb.Hierarchy.by_interval(5, [2, 4])}
    data = bb.read(vaccinations(), bb.Schema(roles), columns=list(roles))
    found = bb.search(data, bb.KAnonymity(10), hierarchies=hierarchies, max_suppression=0.1)
    model = bb.PublicRelease(harm="medium")
    place = tmp_path_factory.mktemp("case") / "release"
    with pytest.raises(bb.RefusedError, match="group tells age more finely"):  # the elderly are called so
        bb.publish(data, found[0], place, model=model)
    return bb.publish(data, found[0], place, model=model, accept=ACCEPTED)


def test_no_group_is_below_10_the_masked_one_included(release) -> None:
    groups = release.data.group_by(QUASI).len()
    masked = release.data.filter(age="*", sex="*", race="*", district="*")

    assert release.data.height == ROWS
    assert groups["len"].min() >= 10
    assert masked.height >= release.applied.masked >= 10


def test_it_is_accepted_and_everybody_can_verify_it(release) -> None:
    assert release.decision.passes
    assert bb.verify(release.out, key=release.private / "public.key").origin_proved


def test_no_patient_is_in_the_public_folder(release) -> None:
    assert not any(b"patient " in path.read_bytes() for path in release.out.iterdir())


@pytest.mark.slow
def test_it_ends_with_the_accuracy_table(release, tmp_path) -> None:
    some = vaccinations().head(4_000)
    again = bb.publish(some, release.plan, tmp_path / "release", other=["vaccine"], predict="vaccine", accept=ACCEPTED)
    seen = read_back((again.private / "report.html").read_text())
    rows = seen.table("vaccine predicted from the other columns, 10 folds")

    assert [row["learned from → tested on"] for row in rows] == [
        "original → original",
        "release → release",
        "release → original records held out",
    ]
    assert all(_share(row["decision tree"]) > _share(row["most frequent value"]) for row in rows)
    assert {row["records tested"] for row in rows} == {"4,000"}


def _share(told: str) -> float:
    return float(told.removesuffix("%")) / 100
