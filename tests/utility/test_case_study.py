"""The accuracy table of Moraes et al. (2025) on as many such made-up records: original, proactive, requested."""

import pytest
from case_study import BORN, GROUP, QUASI, ROWS, proactive, requested

import biombo as bb


def test_the_proactive_release_of_the_case_study() -> None:
    table = bb.samples.vaccination()
    applied = bb.apply(table, proactive())

    found = bb.utility(table, applied.data, plan=proactive())

    assert applied.holds
    assert applied.data.group_by(column for column in QUASI if column != BORN).len()["len"].min() >= 10
    assert found.measures.completeness == 1
    assert found.measures.masked == applied.masked > 100


@pytest.mark.slow
def test_its_accuracy_table() -> None:
    """In the document 84.18% within the original, 79.97% within the proactive and 83.95% in the requested release."""
    table = bb.samples.vaccination()
    plans = proactive(), requested()
    before, after = zip(*(_accuracies(table, plan) for plan in plans), strict=True)

    assert before == pytest.approx((0.8418, 0.8418), abs=0.01)
    assert after[0] == pytest.approx(0.7997, abs=0.06)
    assert after[1] == pytest.approx(0.8395, abs=0.02)
    assert after[0] + 0.05 < after[1] < before[1]


def _accuracies(table, plan) -> tuple[float, float]:
    found = bb.utility(table, bb.apply(table, plan).data, plan=plan, predict=GROUP, folds=3, seed=0).classification
    assert found.original.records == ROWS
    return found.original.tree, found.release.tree
