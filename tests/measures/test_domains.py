"""Loss over the values that occur, or over all of a hierarchy."""

import polars as pl
import pytest

import biombo as bb

TOWNS = ["120001", "120001", "120005", "120010"]
"""Of 5,570 in the hierarchy, three of one state."""


def searched(**asked: object) -> bb.SearchResult:
    table = bb.read(pl.DataFrame({"town": TOWNS}))
    bounds = {"town": "state"}
    return bb.search(
        table, bb.KAnonymity(4), quasi=["town"], hierarchies={"town": "municipality"}, bounds=bounds, **asked
    )


def test_a_column_that_became_constant_has_lost_everything() -> None:
    best = searched()[0]

    assert best.loss == 1.0
    assert [(each.column, each.value, each.share) for each in best.constant] == [("town", "12", 1.0)]


def test_over_the_hierarchy_it_still_tells_the_state() -> None:
    best = searched(loss_domain="hierarchy")[0]

    assert 0 < best.loss < 0.05, "22 of 5,570 places"
    assert best.constant, "and is flagged all the same"


def test_the_loss_of_values_that_occur_by_hand() -> None:
    table = bb.read(pl.DataFrame({"age": ["31", "31", "37", "42"]}))
    by_hand = bb.Hierarchy.by_hand({"30s": ["31", "37", "38"], "40s": ["42", "45"]})
    found = bb.search(table, bb.KAnonymity(1), quasi=["age"], hierarchies={"age": by_hand}, bounds={"age": 1})

    # Three values occur. Three records stand for two of them and one for one: (3·2/3 + 1·1/3)/4 = 7/12.
    # So the loss is (7/12 − 1/3)/(1 − 1/3).
    assert found[0].loss == pytest.approx(3 / 8)


def test_only_two_domains_are_known() -> None:
    with pytest.raises(bb.UsageError, match="data, hierarchy"):
        searched(loss_domain="all")
