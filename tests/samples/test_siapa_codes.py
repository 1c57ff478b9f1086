import numpy as np
import polars as pl
import pytest

from biombo._errors import UsageError
from biombo._samples import QUASI, SENSITIVE, code_arrays


def test_the_same_seed_gives_the_same_rows_and_another_seed_gives_others() -> None:
    first, again, other = (pl.DataFrame(code_arrays(3_000, seed, facilities=30)) for seed in (5, 5, 6))
    assert first.equals(again)
    assert not first.equals(other)


@pytest.mark.parametrize("rows", [1, 2, 7, 1_000, 300_000])
def test_there_are_as_many_rows_as_asked_for(rows: int) -> None:
    codes = code_arrays(rows, facilities=10, municipalities=3)
    assert list(codes) == [*QUASI, SENSITIVE]
    assert {len(column) for column in codes.values()} == {rows}


def test_a_single_facility_and_municipality_will_do() -> None:
    codes = code_arrays(100, facilities=1, municipalities=1)
    assert not codes["PA_CODUNI"].any()
    assert not codes["PA_MUNPCN"].any()


@pytest.mark.parametrize(
    ("facilities", "municipalities", "types"),
    [(256, 256, (np.uint8, np.uint8)), (257, 257, (np.uint16, np.uint16))],
)
def test_codes_have_the_smallest_type_that_holds_them(
    facilities: int, municipalities: int, types: tuple[type, type]
) -> None:
    codes = code_arrays(100, facilities=facilities, municipalities=municipalities)
    assert (codes["PA_CODUNI"].dtype, codes["PA_MUNPCN"].dtype) == types
    assert codes["PA_PROC_ID"].dtype == np.uint16
    assert all(codes[column].dtype == np.uint8 for column in QUASI[2:])


def test_there_are_no_invalid_codes(records: pl.DataFrame) -> None:
    cardinalities = [1_500, 200, 111, 15, 12, 5, 2, 1_800]
    assert all(records[column].max() < most for column, most in zip(records.columns, cardinalities, strict=True))


def test_a_procedure_is_processed_in_its_month_or_up_to_three_later(records: pl.DataFrame) -> None:
    lags = records["PA_MVM"].cast(pl.Int8) - records["PA_CMP"].cast(pl.Int8)
    assert lags.unique().sort().to_list() == [0, 1, 2, 3]


def test_a_few_facilities_do_a_large_part_of_everything(records: pl.DataFrame) -> None:
    sizes = records["PA_CODUNI"].value_counts(sort=True)["count"]
    assert sizes.head(15).sum() > 0.25 * len(records)
    assert sizes.median() < 0.05 * sizes.max()


def test_most_people_live_where_they_are_treated(records: pl.DataFrame) -> None:
    pairs = records.group_by("PA_CODUNI", "PA_MUNPCN").len()
    at_home = pairs.group_by("PA_CODUNI").agg(pl.col("len").max())["len"].sum()
    assert 0.6 < at_home / len(records) < 0.9


def test_some_procedures_are_for_one_sex_and_some_for_one_age(records: pl.DataFrame) -> None:
    frequent = (
        records.group_by("PA_PROC_ID")
        .agg(pl.len(), pl.col("PA_SEXO").mean().alias("men"), pl.col("PA_IDADE").median().alias("age"))
        .filter(pl.col("len") > 200)
    )
    assert frequent["men"].min() < 0.05
    assert frequent["men"].max() > 0.9
    assert frequent["age"].min() < 20
    assert frequent["age"].max() > 70


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("rows", lambda: code_arrays(0)),
        ("facilities", lambda: code_arrays(10, facilities=0)),
        ("municipalities", lambda: code_arrays(10, municipalities=5_000)),
    ],
)
def test_numbers_that_make_no_data_are_refused_by_name(argument: str, call) -> None:
    with pytest.raises(UsageError, match=f"^{argument} is "):
        call()
