"""The samples against what Gonze et al. measured for São Paulo in 2023."""

import polars as pl
import pytest
from plain_attack import growing, posterior, prior

from biombo._samples import QUASI

TABLE_2 = [0.2505, 0.2878, 0.3144, 0.3415, 0.3688, 0.3951, 0.4004]
"""The best additive leakage for 1 to 7 known columns."""


def best_leakage(records: pl.DataFrame) -> list[float]:
    start = prior(records)
    return [reached - start for _, reached in growing(records)]


def without_each(records: pl.DataFrame) -> list[str]:
    """The columns, the one that is missed most first."""
    remaining = {gone: posterior(records, [column for column in QUASI if column != gone]) for gone in QUASI}
    return sorted(remaining, key=remaining.__getitem__)


def test_the_prior_is_about_seven_percent(records: pl.DataFrame) -> None:
    assert prior(records) == pytest.approx(0.07, abs=0.01)


def test_the_facility_is_the_strongest_single_column_and_the_age_comes_next(records: pl.DataFrame) -> None:
    chain = [known[-1] for known, _ in growing(records)]
    assert chain[:2] == ["PA_CODUNI", "PA_IDADE"]


def test_a_small_sample_leaks_like_table_2_and_somewhat_more_in_the_middle(records: pl.DataFrame) -> None:
    for found, printed in zip(best_leakage(records), TABLE_2, strict=True):
        assert printed - 0.03 < found < printed + 0.08


def test_a_third_of_a_small_sample_repeats_other_rows(records: pl.DataFrame) -> None:
    assert 0.25 < 1 - records.n_unique() / len(records) < 0.45


@pytest.mark.slow
def test_a_million_rows_leak_like_table_2(million: pl.DataFrame) -> None:
    assert prior(million) == pytest.approx(0.07, abs=0.005)
    assert best_leakage(million) == pytest.approx(TABLE_2, abs=0.035)


@pytest.mark.slow
def test_among_a_million_rows_the_facility_is_missed_most_and_the_age_next(million: pl.DataFrame) -> None:
    assert without_each(million)[:2] == ["PA_CODUNI", "PA_IDADE"]


@pytest.mark.slow
def test_a_million_rows_show_nearly_every_value(million: pl.DataFrame) -> None:
    distinct = {column: million[column].n_unique() for column in million.columns}
    assert 1_400 <= distinct.pop("PA_CODUNI") <= 1_500
    assert 190 <= distinct.pop("PA_MUNPCN") <= 200
    assert 1_750 <= distinct.pop("PA_PROC_ID") <= 1_800
    assert distinct == {"PA_IDADE": 111, "PA_MVM": 15, "PA_CMP": 12, "PA_RACACOR": 5, "PA_SEXO": 2}
