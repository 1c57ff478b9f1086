"""Without protection nothing is published, unless somebody says why."""

import polars as pl
import pytest
from report_reading import read_back

import biombo as bb

TABLE = pl.DataFrame({"city": ["A", "B"] * 10, "age": list(range(30, 50)), "disease": ["flu", "gout"] * 10})


def test_groups_of_one_are_no_protection(tmp_path) -> None:
    with pytest.raises(bb.UsageError, match="k = 1 protects nobody"):
        bb.publish(TABLE, bb.Plan([], [bb.KAnonymity(1)], quasi=["city"]), tmp_path / "release")


NOTHING = (bb.TCloseness(1), bb.Vulnerability(1), bb.Leakage(1))


@pytest.mark.parametrize("criteria", [[], *[[each] for each in NOTHING]])
def test_a_plan_that_protects_nobody_needs_a_reason_and_is_called_so(tmp_path, criteria) -> None:
    plan = bb.Plan([], criteria, quasi=["city"], sensitive=["disease"])
    with pytest.raises(bb.UsageError, match="unprotected="):
        bb.publish(TABLE, plan, tmp_path / "release")
    with pytest.raises(bb.UsageError, match="unprotected="):
        bb.publish(TABLE, plan, tmp_path / "release", unprotected=" ")

    release = bb.publish(TABLE, plan, tmp_path / "release", unprotected="all of this is on the town's web page")

    assert release.protection.kind == "unprotected"
    for folder in (release.out, release.private):
        page = (folder / "report.html").read_text()
        assert "Unprotected" in page
        assert "all of this is on the town" in page


def test_noise_alone_is_called_without_k(tmp_path) -> None:
    plan = bb.Plan([bb.RandomisedResponse("disease", 1.0, ("flu", "gout"))], sensitive=["disease"])
    release = bb.publish(TABLE, plan, tmp_path / "release")

    assert release.protection.kind == "without-k"
    assert "Without k" in (release.out / "report.html").read_text()


def test_noise_that_guarantees_nothing_is_no_protection(tmp_path) -> None:
    plan = bb.Plan([bb.ExponentialAsPublished("disease", 1.0)], sensitive=["disease"])
    with pytest.raises(bb.UsageError, match="unprotected="):
        bb.publish(TABLE, plan, tmp_path / "release")


DROPPING = [
    bb.SuppressGroups(),
    bb.SuppressRecords({"city": ["B"]}),
    bb.DropInvalid({"city": ["?"]}),
    bb.Sample(share=0.5),
]
MIXING = [
    bb.Swap(["disease"]),
    bb.RankSwap("age", 0.2),
    bb.ExponentialAsPublished("disease", 1.0),
    bb.Diversify("disease", {"flu": ["grippe", "influenza"], "gout": ["podagra", "arthritis"]}, groups_below=2),
    bb.MaskGroups(),
]


@pytest.mark.parametrize("dropping", DROPPING, ids=lambda each: each.name)
@pytest.mark.parametrize("mixing", MIXING, ids=lambda each: each.name)
def test_records_are_dropped_before_they_are_used_for_others(tmp_path, mixing, dropping) -> None:
    plan = bb.Plan([mixing, dropping], [bb.KAnonymity(2)], quasi=["city"], sensitive=["disease"])

    with pytest.raises(bb.UsageError, match=f"put {dropping.name} before {mixing.name}"):
        bb.publish(TABLE, plan, tmp_path / "release")


def test_every_quasi_column_is_in_a_set_and_the_report_says_that_sets_are_taken_one_at_a_time(tmp_path) -> None:
    frame = pl.DataFrame({"a": [n % 10 for n in range(100)], "b": [n // 10 for n in range(100)]})
    sets = [bb.KAnonymity(10, quasi=["a"]), bb.KAnonymity(10, quasi=["b"])]
    with pytest.raises(bb.ColumnError, match="no k-anonymity of the plan is about it"):
        bb.publish(frame, bb.Plan([], sets[:1], quasi=["a", "b"]), tmp_path / "release")

    release = bb.publish(frame, bb.Plan([], sets, quasi=["a", "b"]), tmp_path / "release")
    page = read_back((release.out / "report.html").read_text()).text

    assert "one set at a time, nobody is in a group of fewer than 10" in page
    assert "By the columns that others may know, nobody" not in page


def test_a_release_may_have_more_sensitive_columns_than_attacks_take(tmp_path) -> None:
    many = [f"s{n}" for n in range(33)]
    frame = pl.DataFrame({"city": ["A", "B"] * 10} | {name: ["flu", "gout", "tb", "flu"] * 5 for name in many})
    plan = bb.Plan([], [bb.KAnonymity(5)], quasi=["city"], sensitive=many)

    assert bb.verify(bb.publish(frame, plan, tmp_path / "release").out).holds
