"""CSV files are opened in spreadsheets, which carry out what looks like a formula."""

import hypothesis.strategies as st
import polars as pl
import pytest
from hypothesis import given

import biombo as bb

PLAN = bb.Plan()


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    return tmp_path_factory.mktemp("formulas") / "out.csv"


def written(out, values: list[object]) -> list[str]:
    bb.apply(pl.DataFrame({"x": values, "y": "-"}), PLAN, out, keep_order=True, force=True)
    return pl.read_csv(out, infer_schema=False)["x"].to_list()


@pytest.mark.parametrize("text", ["=1+1", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-", "+x"])
def test_text_that_looks_like_a_formula_gets_an_apostrophe(out, text) -> None:
    assert written(out, [text]) == [f"'{text}"]


@pytest.mark.parametrize(
    "text", ["-5", "+5", "-0.5", "-,5", "-1,5", "-1e-7", "a=b", "it's", "'a'", "007", " =1", "5-3"]
)
def test_numbers_and_other_text_stay(out, text) -> None:
    assert written(out, [text]) == [text]


def test_columns_of_numbers_stay(out) -> None:
    assert written(out, [-5, None, 5]) == ["-5", None, "5"]
    assert written(out, [-0.5, None]) == ["-0.5", None]


@given(st.lists(st.text("'=+-@\t\r5ae,. ", min_size=1, max_size=6), min_size=1, max_size=20))
def test_our_reader_gives_back_what_was_there(out, values) -> None:
    bb.apply(pl.DataFrame({"x": values, "y": "-"}), PLAN, out, keep_order=True, force=True)

    assert bb.read(out, columns=["x"], unescape=True)["x"].decoded().to_list() == values


def test_other_readers_are_told_nothing_else(out) -> None:
    written(out, ["=1"])

    assert bb.read(out)["x"].decoded().to_list() == ["'=1"]


def test_parquet_is_left_as_it_is(tmp_path) -> None:
    bb.apply(pl.DataFrame({"x": ["=1"]}), PLAN, tmp_path / "out.parquet")

    assert pl.read_parquet(tmp_path / "out.parquet")["x"].to_list() == ["=1"]
    assert bb.read(tmp_path / "out.parquet", unescape=True)["x"].decoded().to_list() == ["=1"]
