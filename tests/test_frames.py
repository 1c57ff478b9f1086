"""pandas in, pandas out: whatever takes a table takes those in memory, and gives back what it was given."""

import subprocess
import sys
from datetime import UTC, date, datetime
from decimal import Decimal

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from refusal import refused

import biombo as bb
from biombo._frames import as_polars, frame_kind, framed

QUASI = ["age", "sex", "city"]
BY_COLUMN = {name: bb.Hierarchy.all_or_nothing() for name in QUASI}
PLAN = bb.Plan(
    [bb.Generalise("city", bb.Hierarchy.all_or_nothing(), 1), bb.SuppressGroups()],
    [bb.KAnonymity(2)],
    quasi=QUASI,
    sensitive=["disease"],
    identifiers=["name"],
)

MADE = {
    "polars": lambda table: table,
    "lazy": lambda table: table.lazy(),
    "pandas": lambda table: table.to_pandas(),
    "arrow": lambda table: table.to_arrow(),
    "reader": lambda table: table.to_arrow().to_reader(),
}
CLASS = {
    "polars": pl.DataFrame,
    "lazy": pl.DataFrame,
    "pandas": pd.DataFrame,
    "arrow": pa.Table,
    "reader": pa.Table,
}


@pytest.fixture(params=MADE)
def kind(request) -> str:
    return request.param


@pytest.fixture
def given(kind):
    """The made-up clinic as a table of some kind; a new one each time, since some can be read only once."""
    return lambda: MADE[kind](bb.samples.clinic())


def rows(frame) -> list[tuple]:
    return sorted(as_polars(frame).rows())


def test_what_is_applied_comes_out_as_it_went_in(kind, given):
    applied = bb.apply(given(), PLAN)

    assert type(applied.data) is CLASS[kind]
    assert rows(applied.data) == rows(bb.apply(bb.samples.clinic(), PLAN).data)


def test_what_is_published_comes_out_as_it_went_in(kind, given, tmp_path):
    released = bb.publish(given(), PLAN, tmp_path / "release").data

    assert type(released) is CLASS[kind]
    assert as_polars(released).columns == ["trace_id", "sex", "age", "city", "disease"]


def test_a_preview_shows_records_as_they_went_in(kind, given):
    seen = bb.preview(given(), PLAN, rows=3)

    assert type(seen.before) is type(seen.after) is CLASS[kind]
    assert seen.to_dict() == bb.preview(bb.samples.clinic(), PLAN, rows=3).to_dict() | {"source": seen.source}


def test_a_table_that_was_read_goes_out_as_it_came(kind, given):
    data = bb.read(given())

    assert rows(data.to_frame()) == rows(bb.samples.clinic())
    assert {type(frame) for frame in (data.to_frame(), data.head(2), data.describe())} == {CLASS[kind]}
    assert type(bb.apply(bb.read(given()), PLAN).data) is CLASS[kind]


def test_attacks_take_tables(kind, given):
    read = bb.read(bb.samples.clinic())

    found = bb.risk(given(), QUASI, "disease")
    assert found.to_dict() == bb.risk(read, QUASI, "disease").to_dict()
    assert type(found.to_frame()) is CLASS[kind]
    assert bb.reidentification(given(), QUASI).subsets.equals(bb.reidentification(read, QUASI).subsets)
    assert bb.attribute_inference(given(), QUASI, "disease", by=None).prior == 5 / 12
    assert len(bb.risk_by_part(given(), ["sex"], ["age"], "disease").parts) == 2
    assert len(bb.risk_by_part({"a": given(), "b": given()}, None, ["age"], "disease").parts) == 2
    assert bb.attribute_inference(given(), ["age"], "disease", truth=given()).prior == 5 / 12
    assert bb.reidentification(given(), ["age"], truth=given()).rows == 12
    assert bb.target(given(), {"age": "34"}, sensitive="disease").candidates == 6
    assert bb.population_risk(given(), QUASI, fraction=0.1).rows == 12


def test_a_sample_and_its_population_may_be_tables(kind):
    school = bb.samples.school()
    found = bb.membership(MADE[kind](school.sample), MADE[kind](school.population), ["state", "sex", "age"])

    assert found.prior == 0.4
    assert type(found.to_frame()) is CLASS[kind]
    someone = {"state": "SP", "sex": "F", "age": "31-40"}
    assert bb.membership_target(MADE[kind](school.sample), MADE[kind](school.population), someone).case == "unique-in"


def test_whatever_else_takes_a_table_takes_these(kind, given):
    found = bb.search(given(), bb.KAnonymity(3), quasi=QUASI, sensitive="disease", hierarchies=BY_COLUMN)
    frontier = bb.frontier(given(), ks=[2], limits=[0], quasi=QUASI, hierarchies=BY_COLUMN)
    judged = bb.judge(given(), bb.KAnonymity(2), quasi=["age"])
    lost = bb.utility(given(), bb.apply(given(), PLAN).data, plan=PLAN)

    for result in (found, frontier, judged, lost, bb.inspect(given())):
        assert type(result.to_frame()) is CLASS[kind]
    assert judged.holds
    assert lost.original_rows == 12


def test_the_columns_that_are_not_asked_for_are_not_read():
    odd = pl.DataFrame({"age": [31, 31], "many": [[1], [2]]})

    assert bb.reidentification(odd, ["age"]).rows == 2


def test_a_hierarchy_takes_columns():
    tens = bb.Hierarchy.by_interval(10)

    for column in (pl.Series([31, None]), pd.Series([31, None], dtype="Int64"), pa.array([31, None]), ("31", None)):
        assert tens.recode(column).labels[1] == ("[30, 40)", None)
        assert tens.unknown(column) == []


VALUES = pl.DataFrame(
    {
        "large": [2**53 + 1, None],
        "small": pl.Series([200, None], dtype=pl.UInt8),
        "flag": [True, None],
        "share": [0.5, None],
        "text": ["0013", None],
        "day": [date(2024, 2, 29), None],
        "moment": [datetime(2024, 2, 29, 12, tzinfo=UTC), None],
        "money": [Decimal("1.50"), None],
        "state": pl.Series(["AC", None], dtype=pl.Categorical),
    }
)


@pytest.mark.parametrize("kind", ["pandas", "arrow", "polars"])
def test_values_are_the_same_in_every_kind_of_frame(kind):
    frame = framed(VALUES, kind)

    assert frame_kind(frame) == kind
    assert bb.read(frame).decoded().select(pl.exclude("moment", "state")).rows() == [
        (2**53 + 1, 200, True, 0.5, "0013", date(2024, 2, 29), Decimal("1.50")),
        (None,) * 7,
    ]
    assert bb.read(frame)["state"].decoded().cast(pl.String).to_list() == ["AC", None]


def test_a_kind_may_be_asked_for():
    data = bb.read(bb.samples.clinic())

    assert isinstance(data.to_frame("pandas"), pd.DataFrame)
    assert isinstance(bb.risk(data, ["age"]).to_frame("arrow"), pa.Table)
    with refused("usage.frame-kind", "'spark'"):
        data.to_frame("spark")


def test_pandas_need_not_be_installed():
    program = (
        "import sys\n"
        "class NoPandas:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'pandas': raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, NoPandas())\n"
        "import biombo as bb\n"
        "found = bb.risk(bb.samples.clinic(), ['age'], 'disease')\n"
        "found.to_frame(), found.to_dict(), repr(found), found._repr_html_()\n"
        "try:\n"
        "    found.to_frame('pandas')\n"
        "except bb.UsageError as error:\n"
        "    print(error.key)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)

    assert ended.stdout == "usage.no-pandas\n"


def test_names_of_columns_are_texts_also_where_pandas_numbers_them() -> None:
    table = pd.DataFrame([["F", 30, "flu"], ["M", 31, "gout"]])
    with pytest.raises(bb.UsageError, match="Columns are named by texts, and 2 is none; write '2'"):
        bb.risk(table, quasi=["0", "1"], sensitive=2)
