"""Without protection nothing is published, unless somebody says why."""

import polars as pl
import pytest

import biombo as bb

TABLE = pl.DataFrame({"city": ["A", "B"] * 10, "age": list(range(30, 50)), "disease": ["flu", "gout"] * 10})


def test_groups_of_one_are_no_protection(tmp_path) -> None:
    with pytest.raises(bb.UsageError, match="k = 1 protects nobody"):
        bb.publish(TABLE, bb.Plan([], [bb.KAnonymity(1)], quasi=["city"]), tmp_path / "release")


NOTHING = (bb.TCloseness(1), bb.Vulnerability(1), bb.Leakage(1))


@pytest.mark.parametrize("criteria", [[], *[[each] for each in NOTHING]])
def test_a_plan_that_protects_nobody_needs_a_reason_and_is_called_so(tmp_path, criteria) -> None:
    plan = bb.Plan([], criteria, quasi=["city"], sensitive=["disease"])
    with pytest.raises(bb.UsageError, match="--unprotected"):
        bb.publish(TABLE, plan, tmp_path / "release")
    with pytest.raises(bb.UsageError, match="--unprotected"):
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
    with pytest.raises(bb.UsageError, match="--unprotected"):
        bb.publish(TABLE, plan, tmp_path / "release")
