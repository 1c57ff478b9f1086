import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused

from biombo._data import read
from biombo._data.formats import FilenamePattern

DATASUS = "PA{uf:2}{year:2}{month:2}.dbc"


def test_columns_are_taken_by_their_lengths():
    pattern = FilenamePattern(DATASUS)
    assert pattern.columns == ["uf", "year", "month"]
    assert pattern.match("PAAC2401.dbc") == {"uf": "AC", "year": "24", "month": "01"}


def test_only_the_files_own_name_counts():
    assert FilenamePattern(DATASUS).match("some/PAXX0000.dbc/PAAC2401.dbc")["uf"] == "AC"


def test_upper_and_lower_case_are_the_same_in_what_is_not_a_column():
    assert FilenamePattern(DATASUS).match("paAc2401.DBC")["uf"] == "Ac"


def test_a_column_without_length_takes_what_is_there():
    pattern = FilenamePattern("sales-{region}-{year:4}.csv")
    assert pattern.match("sales-north-east-2024.csv") == {"region": "north-east", "year": "2024"}


def test_what_is_not_a_column_is_taken_literally():
    with refused("input.filename"):
        FilenamePattern("a.b+{x}.csv").match("aXb+1.csv")


@pytest.mark.parametrize("name", ["PAAC240.dbc", "PAAC24011.dbc", "XPAAC2401.dbc", "PAAC2401.dbf", ""])
def test_a_name_that_does_not_fit_is_refused_with_name_and_pattern(name):
    with refused("input.filename", name, DATASUS):
        FilenamePattern(DATASUS).match(name)


@pytest.mark.parametrize(
    ("pattern", "key"),
    [
        ("data.csv", "usage.pattern"),
        ("", "usage.pattern"),
        ("{}.csv", "usage.pattern"),
        ("{uf:0}.csv", "usage.pattern"),
        ("{uf:x}.csv", "usage.pattern"),
        ("{uf.csv", "usage.pattern"),
        ("{a}}.csv", "usage.pattern"),
        ("{uf:2}{uf:2}.csv", "usage.pattern-repeated"),
        ("{a}{b}.csv", "usage.pattern-ambiguous"),
        ("x/{a}.csv", "usage.pattern-folder"),
    ],
)
def test_a_pattern_that_makes_no_sense_is_refused(pattern, key):
    with refused(key, pattern):
        FilenamePattern(pattern)


@given(st.text("ABC0_-", min_size=2, max_size=2), st.text("abc.-", min_size=1))
def test_what_a_pattern_wrote_it_finds_again(short, long):
    assert FilenamePattern("X{short:2}_{long}.csv").match(f"X{short}_{long}.csv") == {"short": short, "long": long}


@pytest.fixture
def months(tmp_path):
    for month, rows in (("02", "a,1\nb,2\n"), ("01", "c,3\n")):
        (tmp_path / f"PAAC24{month}.csv").write_text(f"x,y\n{rows}")
    return tmp_path


def test_files_of_a_glob_are_one_dataset_with_columns_from_their_names(months):
    data = read(months / "PA*.csv", filename="PA{uf:2}{year:2}{month:2}.csv")
    assert list(data.columns) == ["x", "y", "uf", "year", "month"]
    assert data["month"].decoded().to_list() == ["01", "02", "02"]
    assert data["x"].decoded().to_list() == ["c", "a", "b"]
    assert data["uf"].values.to_list() == ["AC"]


def test_columns_from_names_can_be_asked_for_alone(months):
    data = read(months / "*.csv", filename="PA{uf:2}{year:2}{month:2}.csv", columns=["month"])
    assert data["month"].decoded().to_list() == ["01", "02", "02"]


def test_a_column_in_the_file_and_in_its_name_is_refused(months):
    with refused("column.also-in-name", "x"):
        read(months / "*.csv", filename="PA{x:2}{rest}.csv")


def test_one_name_that_does_not_fit_is_refused_before_anything_is_read(months):
    (months / "PA_others.csv").write_text("x,y\n1,2\n")
    with refused("input.filename", "PA_others.csv"):
        read(months / "PA*.csv", filename="PA{uf:2}{year:2}{month:2}.csv", progress=lambda *_: pytest.fail("was read"))


def test_a_table_has_no_file_name():
    import polars as pl

    with refused("usage.pattern-no-file"):
        read(pl.DataFrame({"x": [1]}), filename="{uf:2}.csv")
