"""Document 001's case study on made-up records of the same kind and number: k = 10, masked, with the accuracy table."""

import pytest
from case_study import ROWS, vaccinations

import biombo as bb

PLAN = bb.Plan(
    operations=[bb.Generalise("age", bb.Hierarchy.by_interval(10), 1), bb.MaskGroups(with_="#####")],
    criteria=[bb.KAnonymity(10)],
    quasi=["age", "sex", "race", "district"],
    sensitive=["group", "vaccine"],
    identifiers=["patient"],
)


def test_the_proactive_release_of_the_case_study() -> None:
    table = vaccinations()
    applied = bb.apply(table, PLAN)

    found = bb.utility(table, applied.data, plan=PLAN)

    assert applied.holds
    assert applied.data.group_by("age", "sex", "race", "district").len()["len"].min() >= 10
    assert found.measures.completeness == 1
    assert found.measures.masked == applied.masked > 100


@pytest.mark.slow
def test_its_accuracy_table_on_a_third_of_the_records() -> None:
    table = vaccinations().head(ROWS // 3)
    accuracy = bb.utility(table, bb.apply(table, PLAN).data, plan=PLAN, predict="vaccine", seed=0).classification

    assert accuracy is not None
    assert (accuracy.folds, accuracy.original.records) == (10, ROWS // 3)
    ways = accuracy.original, accuracy.release, accuracy.for_new_records
    assert all(way.tree is not None and way.majority is not None and way.tree > way.majority + 0.05 for way in ways)
    assert ways[1].tree <= ways[0].tree + 0.01  # type: ignore[operator]
