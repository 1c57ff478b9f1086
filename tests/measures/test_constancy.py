"""Columns that became constant, or nearly."""

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb
from biombo._measures import ConstantColumn, became_constant, top_values

values = st.lists(st.sampled_from(["a", "b", None]), min_size=1, max_size=40)


@given(values, st.data())
def test_the_value_that_most_records_have_is_counted(written: list[str | None], data: st.DataObject) -> None:
    keep = np.array(data.draw(st.lists(st.booleans(), min_size=len(written), max_size=len(written))), bool)
    column = bb.read(pl.DataFrame({"q": pl.Series(written, dtype=pl.String)}))["q"]
    found = top_values([column], keep=keep)

    kept = Counter(value for value, stays in zip(written, keep.tolist(), strict=True) if stays)
    if not kept:
        assert found == {}
        return
    assert kept[found["q"].value] == max(kept.values())
    assert found["q"].share == max(kept.values()) / kept.total()


@pytest.mark.parametrize(
    ("share", "before", "flagged"), [(0.94, 0, False), (0.95, 0, True), (1, 0.94, True), (1, 0.95, False)]
)
def test_only_what_became_constant_is_flagged(share: float, before: float, flagged: bool) -> None:
    tops = {"q": ConstantColumn("q", "*", share)}

    assert bool(became_constant(tops, {"q": before})) is flagged
    assert bool(became_constant(tops)) is (share >= 0.95), "where nothing is known of before"


def table(rows: int = 40) -> pl.DataFrame:
    return pl.DataFrame(
        {"uf": ["AC"] * rows, "town": [f"1200{place:02}" for place in range(rows)], "sex": ["f", "m"] * (rows // 2)}
    )


HIERARCHIES = {name: bb.Hierarchy.all_or_nothing() for name in ("uf", "town", "sex")}


def test_plans_that_differ_only_in_what_is_constant_anyway_are_one() -> None:
    found = bb.search(bb.read(table()), bb.KAnonymity(2), quasi=["uf", "town", "sex"], hierarchies=HIERARCHIES)

    assert [plan.levels for plan in found] == [{"uf": 0, "town": 1, "sex": 0}, {"uf": 0, "town": 1, "sex": 1}]
    assert [plan.merged for plan in found] == [1, 1], "uf as it is or as *"


def test_a_column_that_was_constant_before_is_not_flagged() -> None:
    found = bb.search(bb.read(table()), bb.KAnonymity(2), quasi=["uf", "town", "sex"], hierarchies=HIERARCHIES)

    assert [each.column for each in found[0].constant] == ["town"]


def test_what_is_suppressed_does_not_count() -> None:
    rare = pl.DataFrame({"q": ["a"] * 18 + ["b", "c"]})
    asked = {"quasi": ["q"], "hierarchies": {"q": bb.Hierarchy.all_or_nothing()}, "max_suppression": 0.1}
    found = bb.search(bb.read(rare), bb.KAnonymity(2), **asked)

    assert (found[0].levels, found[0].suppressed) == ({"q": 0}, 2)
    assert [(each.value, each.share) for each in found[0].constant] == [("a", 1.0)]


@pytest.fixture
def published(tmp_path) -> tuple[bb.Release, bb.Plan]:
    plan = bb.Plan([bb.Generalise("town", HIERARCHIES["town"], 1)], [bb.KAnonymity(2)], ["uf", "town", "sex"])
    return bb.publish(table(), plan, tmp_path / "release"), plan


def test_a_release_flags_them_by_its_own_records(published) -> None:
    release, _ = published
    assert [each["column"] for each in release.as_json()["columns"]["became_constant"]] == ["town"]
    for folder in (release.out, release.private):
        assert "town tells nothing any more: every record has *." in (folder / "report.html").read_text("utf-8")


def test_utility_says_that_such_a_column_has_lost_everything(published) -> None:
    release, plan = published
    found = bb.utility(table(), release.data, plan=plan)

    assert [each.column for each in found.constant] == ["town"]
    town = next(each for each in found.distances if each.column == "town")
    assert (town.total_variation, town.hellinger) == (1.0, 1.0)
    assert town.reasons == ("nothing-told",)


def test_a_preview_flags_them(published) -> None:
    _, plan = published
    assert [each.column for each in bb.preview(table(), plan).constant] == ["town"]
