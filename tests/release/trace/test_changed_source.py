"""Nobody is told the number of another record than the one that was published."""

import json
import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import product
from pathlib import Path

import openpyxl
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

import biombo as bb

PLAN = bb.Plan([], sensitive=["disease"], identifiers=["name"])
NAMES = ("north.csv", "south.csv", "west.csv")
ROWS = 8

Table = list[tuple[str | None, ...]]


def tables() -> dict[str, Table]:
    """Made up. Some people are there twice, some differ in what is not released alone."""
    chance = random.Random(4)
    people = list(product(("Ana", "Bia", None), ("flu", "gout"), ("7", "8")))
    return {name: chance.choices(people, k=ROWS) for name in NAMES}


def write(path: Path, table: Table) -> Path:
    frame = pl.DataFrame(table, ["name", "disease", "age"], orient="row")
    frame.cast(pl.String).write_csv(path)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("sources")


@pytest.fixture(scope="module")
def release(folder) -> bb.Release:
    files = [write(folder / name, table) for name, table in tables().items()]
    return bb.publish(files, PLAN, folder / "release", unprotected="a test")


@pytest.fixture(scope="module")
def ids(release, folder) -> dict[str, tuple[str, int]]:
    """The file and the row, from 0, of each trace id, as long as nothing has changed."""
    found = bb.trace(release.out, release.data["trace_id"], reason="test")
    assert all(record.checked for record in found.values())
    return {each: (Path(record.source).name, record.number - 1) for each, record in found.items()}


def test_the_number_is_that_in_its_file(release, ids) -> None:
    diseases = dict(release.data.select("trace_id", "disease").iter_rows())

    assert sorted(ids.values()) == sorted((name, row) for name in NAMES for row in range(ROWS))
    assert all(tables()[name][row][1] == diseases[each] for each, (name, row) in ids.items())


@st.composite
def changed_tables(draw: st.DrawFn) -> dict[str, Table]:
    """A few rows edited, deleted, inserted, or all in another order."""
    changed = tables()
    for name in draw(st.sets(st.sampled_from(NAMES), min_size=1)):
        table = changed[name]
        for kind in draw(st.lists(st.sampled_from(["edit", "delete", "insert", "sort", "shuffle"]), max_size=2)):
            place = draw(st.integers(0, len(table) - 1))
            if kind == "edit":
                table[place] = (*table[place][:2], "9")
            elif kind == "delete":
                del table[place]
            elif kind == "insert":
                table.insert(place, ("Caio", "flu", "7"))
            elif kind == "sort":
                table.sort(key=str)
            else:
                changed[name] = table = draw(st.permutations(table))
    return changed


@settings(max_examples=40)
@given(changed=changed_tables())
def test_what_is_told_is_the_very_record_and_what_is_not_is_refused(changed, release, ids, tmp_path_factory) -> None:
    """Against the definition: the same values in all columns in the same place."""
    now = tmp_path_factory.mktemp("now")
    files = [write(now / name, table) for name, table in changed.items()]
    for trace_id, (name, row) in ids.items():
        original, table = tables()[name][row], changed[name]
        here = [place for place, record in enumerate(table) if record == original]
        if row in here:
            (found,) = bb.trace(release.out, trace_id, source=files, reason="test").values()
            assert (Path(found.source).name, found.number, found.checked) == (name, row + 1, True)
        else:
            said = f"is number {here[0] + 1} now" if len(here) == 1 else f"record {row + 1} is no longer the one"
            with pytest.raises(bb.InputError, match=f"{name} has changed .*{said}"):
                bb.trace(release.out, trace_id, source=files, reason="test")


class TestWhichFile:
    def test_a_file_is_known_by_its_content_wherever_it_is(self, release, ids, folder, tmp_path) -> None:
        copies = [shutil.copy(folder / name, tmp_path / f"copy-of-{name}") for name in reversed(NAMES)]
        found = bb.trace(release.out, ids, source=copies, reason="test")

        assert {each: (Path(record.source).name, record.number - 1) for each, record in found.items()} == ids
        assert all(record.checked for record in found.values())

    def test_only_those_that_are_needed_must_be_given(self, release, ids, folder) -> None:
        north, south = (next(each for each, (name, _) in ids.items() if name == wanted) for wanted in NAMES[:2])

        assert bb.trace(release.out, north, source=folder / "north.csv", reason="test")[north].checked
        with pytest.raises(bb.InputError, match=r"None of what was given is \S*south.csv"):
            bb.trace(release.out, [north, south], source=folder / "north.csv", reason="test")

    def test_where_nothing_is_given_it_is_where_it_was_if_anywhere(self, tmp_path) -> None:
        source = write(tmp_path / "people.csv", tables()["north.csv"])
        release = bb.publish(source, PLAN, tmp_path / "release", unprotected="a test")
        first = release.data["trace_id"][0]
        before = bb.trace(release.out, first, reason="test")[first]
        source.rename(tmp_path / "elsewhere.csv")
        with pytest.warns(bb.BiomboWarning, match=r"people.csv on the day of publication; the source is not at hand"):
            without = bb.trace(release.out, first, reason="test")[first]
        write(source, [("Davi", "gout", "1")] * ROWS)
        with pytest.raises(bb.InputError, match=r"people.csv has changed since it was published"):
            bb.trace(release.out, first, reason="test")

        assert (before.checked, without.checked) == (True, False)
        assert (before.source, before.number) == (without.source, without.number)
        assert bb.trace(release.out, first, source=tmp_path / "elsewhere.csv", reason="test")[first] == before

    def test_nothing_is_said_about_sources_where_no_record_is_known(self, release) -> None:
        assert bb.trace(release.out, "0" * 32, source=pl.DataFrame({"a": [1]}), reason="test") == {"0" * 32: None}


def sources(folder: Path) -> Iterator[tuple[object, object, dict[str, str]]]:
    """Of each kind: one, the same with other values, and what it takes to read them."""
    before = pl.DataFrame({"name": ["Ana", "Bia", None], "disease": ["flu", "gout", "flu"], "age": [7, 8, 9]})
    after = before.with_columns(age=pl.Series([1, 2, 3]))
    yield before, after, {}
    yield before.to_pandas(), after.to_pandas(), {}
    yield before.to_arrow(), after.to_arrow(), {}
    yield before.lazy(), after.lazy(), {}
    yield bb.read(before), bb.read(after), {}
    for name, table in (("before", before), ("after", after)):
        table.write_parquet(folder / f"{name}.parquet")
        workbook = openpyxl.Workbook()
        for row in (table.columns, *table.rows()):
            workbook.active.append(row)
        workbook.save(folder / f"{name}.xlsx")
        with closing(sqlite3.connect(folder / "people.db")) as connection:
            connection.execute(f"CREATE TABLE {name} (name TEXT, disease TEXT, age INTEGER)")
            connection.executemany(f"INSERT INTO {name} VALUES (?, ?, ?)", table.rows())
            connection.commit()
    yield folder / "before.parquet", folder / "after.parquet", {}
    yield folder / "before.xlsx", folder / "after.xlsx", {}
    yield "SELECT * FROM before", "SELECT * FROM after", {"database": f"sqlite:///{folder / 'people.db'}"}


def test_each_kind_of_source_is_recognised_and_told_from_another(tmp_path) -> None:
    for number, (before, after, options) in enumerate(sources(tmp_path)):
        release = bb.publish(before, PLAN, tmp_path / f"release-{number}", unprotected="a test", **options)
        wanted = pl.DataFrame(release.data)["trace_id"]
        found = bb.trace(release.out, wanted, source=before, reason="test", **options)

        assert sorted((record.number, record.checked) for record in found.values()) == [(n, True) for n in (1, 2, 3)]
        with pytest.raises(bb.InputError, match="has changed since"):
            bb.trace(release.out, wanted, source=after, reason="test", **options)


def test_a_column_that_cannot_be_read_is_no_obstacle_as_long_as_nothing_changes(tmp_path) -> None:
    """What it says is not known, so no record of a changed file can be told to be the same."""
    path = tmp_path / "people.parquet"
    people = {"name": ["Ana", "Bia"], "disease": ["flu", "gout"], "visits": [[1, 2], []]}
    parquet.write_table(pa.table(people), path)
    release = bb.publish(path, PLAN, tmp_path / "release", unprotected="a test")
    wanted = release.data["trace_id"]

    assert all(record.checked for record in bb.trace(release.out, wanted, reason="test").values())
    parquet.write_table(pa.table(people | {"disease": ["flu", "cold"]}), path)
    with pytest.raises(bb.InputError, match="some of its columns cannot be read"):
        bb.trace(release.out, release.data.filter(pl.col("disease") == "flu")["trace_id"], reason="test")


def test_columns_of_files_names_are_no_part_of_a_record(tmp_path) -> None:
    files = [write(tmp_path / f"people{year}.csv", tables()["north.csv"]) for year in (23, 24)]
    named = {"filename": "people{year:2}.csv", "other": ["year"], "accept": {"year": "a test"}}
    release = bb.publish(files, PLAN, tmp_path / "release", unprotected="a test", **named)
    found = bb.trace(release.out, release.data["trace_id"], source=files, reason="test")

    for trace_id, year in release.data.select("trace_id", "year").iter_rows():
        assert found[trace_id].source.endswith(f"people{year}.csv")


def test_a_refusal_is_logged_and_tells_no_number_before(release, ids, folder, tmp_path) -> None:
    trace_id, (name, _) = next(iter(ids.items()))
    write(tmp_path / name, [("Davi", "gout", "1")])
    with pytest.raises(bb.InputError, match="no longer the one behind"):
        bb.trace(release.out, trace_id, source=tmp_path / name, reason="a refusal")
    last = json.loads((release.private / "traces.jsonl").read_text().splitlines()[-1])

    assert (last["reason"], last["asked"], last["found"]) == ("a refusal", [trace_id], 0)
    assert last["failure"] == "release.other-record"


def test_neither_values_nor_paths_can_be_read_in_the_vault(release) -> None:
    content = (release.private / "trace.vault").read_bytes()

    assert not any(word in content for word in (b"north.csv", b"disease", b"Ana", b"flu"))
