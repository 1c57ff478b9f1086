"""CSV files are opened in spreadsheets, which carry out what looks like a formula."""

import csv
import io
import re

import hypothesis.strategies as st
import polars as pl
import pytest
from hypothesis import example, given

import biombo as bb
from biombo._data import escaped, unescaped
from biombo._engine import CsvWriter, csv_text

PLAN = bb.Plan(sensitive=["x", "y"])
NUMBER = re.compile(r"[+-][0-9]*[.,]?[0-9]+([eE][+-]?[0-9]+)?")
NUMBERS = re.compile(r"[+-][-+0-9.,;\t:TePinfNa']*")
"""Numbers, dates and times beside each other, which compute something at most."""

DELIMITERS = [",", ";", "\t"]
nasty = st.text("'\"=+-@\t\r\n5ae,;|. \ufeff", max_size=8)
texts = nasty | st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=6)
names = texts.filter(lambda name: name == name.strip() != "")


def cells(content: str, delimiter: str, quoting: int) -> list[str]:
    """What a spreadsheet that splits at ``delimiter`` sees."""
    reader = csv.reader(io.StringIO(content, newline=""), delimiter=delimiter, quoting=quoting)
    return [cell for row in reader for cell in row]


def formulas(content: str, harmless: re.Pattern[str] = NUMBER) -> list[str]:
    """The cells that any spreadsheet would carry out."""
    return [
        cell
        for delimiter in DELIMITERS
        for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE)
        for cell in cells(content, delimiter, quoting)
        if cell.startswith(("=", "+", "-", "@", "\t", "\r")) and not harmless.fullmatch(cell)
    ]


def written(out, values: list[object]) -> list[str]:
    bb.apply(pl.DataFrame({"y": "-", "x": values}), PLAN, out, keep_order=True, force=True)
    return pl.read_csv(out, infer_schema=False)["x"].to_list()


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    return tmp_path_factory.mktemp("formulas") / "out.csv"


@st.composite
def tables(draw: st.DrawFn) -> pl.DataFrame:
    """Tables with text in them, and numbers too."""
    heads = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    height = draw(st.integers(1, 4))
    kinds = draw(st.lists(st.sampled_from(["text", "whole", "float"]), min_size=len(heads), max_size=len(heads)))
    kinds[draw(st.integers(0, len(heads) - 1))] = "text"
    values = {"text": texts | st.sampled_from(["-5", "+1,5"]), "whole": st.integers(-9, 9), "float": st.floats()}
    columns = {
        head: draw(st.lists(values[kind] | st.none(), min_size=height, max_size=height))
        for head, kind in zip(heads, kinds, strict=True)
    }
    types = {"text": pl.String, "whole": pl.Int64, "float": pl.Float64}
    return pl.DataFrame(columns, {head: types[kind] for head, kind in zip(heads, kinds, strict=True)}, strict=False)


class TestNoSpreadsheetFindsAFormula:
    @given(tables(), st.sampled_from(",;"))
    @example(pl.DataFrame({"=cmd|' /C calc'!A0": ["a"]}), ",")
    @example(pl.DataFrame({"x": ["a;=1+1"], "y": ["a\t=1+1"]}), ",")
    @example(pl.DataFrame({"x": ["x"], "y": ['a;"=1+1"']}), ",")
    @example(pl.DataFrame({"x": [-5], "y": ["7+cmd|' /C calc'!A0"]}), ",")
    def test_wherever_it_splits_the_lines(self, table, separator) -> None:
        file = io.BytesIO()
        with CsvWriter(file, separator) as writer:
            writer.write(table)
            writer.write(table)

        assert formulas(file.getvalue().decode()) == []

    @given(st.lists(st.tuples(st.integers(-9, 9), st.floats(), st.dates(), st.timedeltas()), min_size=1, max_size=4))
    def test_numbers_and_times_stay_as_they_are_beside_each_other(self, rows) -> None:
        table = pl.DataFrame(rows, {"a": pl.Int64, "b": pl.Float64, "c": pl.Date, "d": pl.Duration}, orient="row")

        assert formulas(csv_text(table.select("a", "b", "c")), NUMBERS) == []
        assert formulas(csv_text(table.select("c", "d", "a", "b"))) == []
        assert csv_text(table.select("a", "c")) == table.select("a", "c").write_csv()

    def test_years_before_christ_are_no_formulas_either(self) -> None:
        days = pl.Series("day", [-800_000, 0, None], pl.Int32).cast(pl.Date)

        assert csv_text(pl.DataFrame([days])).splitlines()[1:3] == ["'-0221-09-04", "1970-01-01"]


class TestWhatWasThereComesBack:
    @given(st.lists(texts), st.booleans())
    def test_from_each_text(self, values, numbers) -> None:
        found = escaped(pl.Series(values, dtype=pl.String), numbers=numbers)

        assert unescaped(found.to_arrow()).to_pylist() == values

    @given(tables())
    @example(pl.DataFrame({"=a": ["x"], "'=a": ["y"]}))
    @example(pl.DataFrame({"d": ["1"], "a;b;c": ["1;2;3"]}))
    @example(pl.DataFrame({"a;b": ["1;2"]}))
    @example(pl.DataFrame({"\ufeff=a": ["1"], "b": ["2"]}))
    def test_from_each_file(self, out, table) -> None:
        out.write_text(csv_text(table), "utf-8", newline="")
        texts_only = table.select(pl.col(pl.String).replace("", None))
        found = bb.read(out, columns=texts_only.columns, unescape=True)

        assert list(found.columns) == texts_only.columns
        assert [found[name].decoded().to_list() for name in texts_only.columns] == [
            column.to_list() for column in texts_only
        ]

    @given(st.lists(texts.filter(bool), min_size=1, max_size=9))
    def test_from_what_apply_writes(self, out, values) -> None:
        plan = bb.Plan(sensitive=["=x", "y"])
        bb.apply(pl.DataFrame({"=x": values, "y": "-"}), plan, out, keep_order=True, force=True)

        assert bb.read(out, columns=["=x"], unescape=True)["=x"].decoded().to_list() == values


@pytest.mark.parametrize("text", ["=1+1", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\r=1", "-", "+x"])
def test_text_that_looks_like_a_formula_gets_an_apostrophe(out, text) -> None:
    assert written(out, [text])[0].startswith(f"'{text[0]}")


@pytest.mark.parametrize(
    "text", ["-5", "+5", "-0.5", "-,5", "-1,5", "-1e-7", "a=b", "it's", "'a'", "007", " =1", "5-3", "a; b", "1,5"]
)
def test_numbers_and_other_text_stay(out, text) -> None:
    assert written(out, [text]) == [text]


def test_columns_of_numbers_stay(out) -> None:
    assert written(out, [-5, None, 5]) == ["-5", None, "5"]
    assert written(out, [-0.5, None]) == ["-0.5", None]


def test_other_readers_are_told_nothing_else(out) -> None:
    written(out, ["=1"])

    assert bb.read(out)["x"].decoded().to_list() == ["'=1"]


def test_two_names_that_become_the_same_are_refused(out) -> None:
    out.write_text("=a,'=a\n1,2\n")

    with pytest.raises(bb.InputError, match="=a"):
        bb.read(out, unescape=True)


def test_parquet_is_left_as_it_is(tmp_path) -> None:
    bb.apply(pl.DataFrame({"=x": ["=1"]}), bb.Plan(sensitive=["=x"]), tmp_path / "out.parquet")

    assert pl.read_parquet(tmp_path / "out.parquet")["=x"].to_list() == ["=1"]
    assert bb.read(tmp_path / "out.parquet", unescape=True)["=x"].decoded().to_list() == ["=1"]
