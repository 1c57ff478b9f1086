"""Tables of other programs may hold what nothing here can: they are read as they are, or refused in one sentence."""

import datetime as dt
from decimal import Decimal

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyarrow import parquet
from refusal import refused

import biombo as bb

PLAN = bb.Plan(sensitive=["x"])
PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6}
EPOCH = dt.datetime(1970, 1, 1)
whole_numbers = st.integers(-(1 << 63), (1 << 63) - 1) | st.integers(-63_000_000_000, 254_000_000_000)


def both(table: pa.Table, folder) -> list[object]:
    """The table in memory and, where it can be, in a file."""
    parquet.write_table(table, folder / "table.parquet")
    return [table, folder / "table.parquet"]


def refuses(source: object, key: str, *mentioned: str) -> None:
    """Neither reading nor applying gets any further."""
    with refused(key, "'x'", *mentioned):
        bb.read(source)
    with refused(key, "'x'", *mentioned):
        bb.apply(source, PLAN)
    with refused(key, "'x'", *mentioned):
        bb.apply(source, bb.Plan(), keep=["x"])


def moment(count: int, unit: str) -> dt.datetime | None:
    try:
        return EPOCH + dt.timedelta(microseconds=count * 10**6 // PER_SECOND[unit])
    except OverflowError:
        return None


@given(whole_numbers, st.sampled_from(sorted(PER_SECOND)))
@example(253_402_300_799, "s")
@example(253_402_300_800, "s")
@example(-62_135_596_800_001, "ms")
def test_times_are_read_as_they_are_or_refused(count, unit) -> None:
    table = pa.table({"x": pa.array([count], pa.int64()).view(pa.timestamp(unit))})
    expected = moment(count, unit)
    if expected is None:
        refuses(table, "input.no-such-time", "9999")
    else:
        assert bb.read(table)["x"].decoded().to_list() == [expected]
        assert bb.apply(table, PLAN).data["x"].to_pylist() == [expected]


@given(st.integers(-(1 << 31), (1 << 31) - 1) | st.integers(-720_000, 2_933_000))
@example(2_932_896)
@example(2_932_897)
def test_so_are_days(days) -> None:
    table = pa.table({"x": pa.array([days], pa.int32()).view(pa.date32())})
    try:
        expected = EPOCH.date() + dt.timedelta(days=days)
    except OverflowError:
        refuses(table, "input.no-such-time", "9999")
    else:
        assert bb.read(table)["x"].decoded().to_list() == [expected]


@given(st.integers(-100_000, 200_000))
def test_so_are_times_of_the_day(seconds) -> None:
    table = pa.table({"x": pa.array([seconds], pa.int32()).view(pa.time32("s"))})
    if 0 <= seconds < 86_400:
        assert bb.read(table)["x"].decoded().to_list() == [(EPOCH + dt.timedelta(seconds=seconds)).time()]
    else:
        refuses(table, "input.no-such-time")


@given(st.lists(st.integers(-128, 127) | st.none(), min_size=1, max_size=9), st.integers(1, 100))
def test_an_entry_that_a_list_of_values_does_not_have_is_refused(places, size) -> None:
    values = [f"value {number}" for number in range(size)]
    chunk = pa.DictionaryArray.from_arrays(pa.array(places, pa.int8()), pa.array(values), safe=False)
    table = pa.table({"x": chunk})
    if all(place is None or 0 <= place < size for place in places):
        expected = [None if place is None else values[place] for place in places]
        assert bb.read(table)["x"].decoded().to_list() == expected
    else:
        refuses(table, "input.no-such-entry")


@pytest.mark.parametrize(
    "kind", [pa.date32(), pa.timestamp("us"), pa.timestamp("ms", "UTC"), pa.timestamp("us", "Asia/Tokyo")], ids=str
)
def test_files_are_refused_as_tables_are(tmp_path, kind) -> None:
    width = pa.int32() if kind.bit_width == 32 else pa.int64()
    for source in both(pa.table({"x": pa.array([0, (1 << kind.bit_width - 2)], width).view(kind)}), tmp_path):
        refuses(source, "input.no-such-time")


@pytest.mark.parametrize("zone", ["Mars/Olympus", "+99:99", "nowhere", "../../etc/passwd"])
def test_a_time_zone_that_nobody_knows_is_named(tmp_path, zone) -> None:
    for source in both(pa.table({"x": pa.array([0], pa.timestamp("us", zone))}), tmp_path):
        refuses(source, "input.time-zone", zone)


@pytest.mark.parametrize("zone", ["UTC", "America/Sao_Paulo", "-03:00"])
def test_others_are_kept(tmp_path, zone) -> None:
    for source in both(pa.table({"x": pa.array([0], pa.timestamp("us", zone))}), tmp_path):
        assert bb.read(source)["x"].decoded()[0] == EPOCH.replace(tzinfo=dt.UTC)


@given(st.lists(st.integers(-(1 << 127), (1 << 127) - 1) | st.integers(-9, 9) | st.none(), min_size=1, max_size=4))
def test_numbers_of_128_bits_are_read_where_64_suffice_and_else_refused(numbers) -> None:
    table = pl.DataFrame({"x": numbers}, {"x": pl.Int128})
    if all(number is None or -(1 << 63) <= number < 1 << 63 for number in numbers):
        assert bb.read(table)["x"].decoded().to_list() == numbers
    else:
        for source in (table, table.lazy()):
            refuses(source, "column.large-numbers")


def test_a_file_with_numbers_of_128_bits_is_refused(tmp_path) -> None:
    pl.DataFrame({"x": [1 << 100]}, {"x": pl.Int128}).write_parquet(tmp_path / "x.parquet")
    with refused("input.unsupported", "x.parquet"):
        bb.read(tmp_path / "x.parquet")


@pytest.mark.parametrize("digits", [30, 5_000])
def test_numbers_of_any_length_in_tables_of_objects_are_text_or_refused(digits) -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"x": [10**digits, -5, None]})
    if digits == 30:
        with pytest.warns(bb.BiomboWarning, match="x"):
            data = bb.read(table)
        assert data["x"].decoded().to_list() == ["1" + "0" * 30, "-5", None]
    else:
        with pytest.warns(bb.BiomboWarning, match="x"):
            refuses(table, "column.large-numbers")


@pytest.mark.parametrize("kind", [pa.decimal32(5, 2), pa.decimal64(10, 2), pa.decimal128(20, 2)], ids=str)
def test_short_decimals_are_decimals(tmp_path, kind) -> None:
    for source in both(pa.table({"x": pa.array([Decimal("1.25")], kind)}), tmp_path):
        assert bb.read(source)["x"].decoded().to_list() == [Decimal("1.25")]
        assert pl.Series(bb.apply(source, PLAN).data["x"]).to_list() == [Decimal("1.25")]


@pytest.mark.parametrize(("written", "meant"), [(b"S\xe3o", "São"), ("São".encode(), "São"), (b"\x81", None)])
def test_text_that_is_not_utf8_is_decoded_or_refused(tmp_path, written, meant) -> None:
    chunk = pa.Array.from_buffers(pa.string(), 1, pa.array([written]).buffers())
    for source in both(pa.table({"x": chunk}), tmp_path):
        if meant is None:
            refuses(source, "input.undecodable")
        else:
            assert bb.read(source)["x"].decoded().to_list() == [meant]
            assert pl.Series(bb.apply(source, PLAN).data["x"]).to_list() == [meant]
