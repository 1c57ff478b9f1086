"""Applying plans, against the definition and in its corners."""

from typing import Any

import hypothesis.strategies as st
import plain_plan as plain
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from refusal import refused

import biombo as bb

ZIP = bb.Hierarchy.load({"021**": {"0213*": ["02138", "02139"], "0214*": ["02141", "02142"]}})
AGE = bb.Hierarchy.by_interval(10, [2], top=60)

RECORDS = st.lists(
    st.fixed_dictionaries(
        {
            "name": st.sampled_from("ABCDEF"),
            "age": st.sampled_from(["7", "007", "31", "38", "62", "999", None]),
            "zip": st.sampled_from(["02138", "02139", "02142", "?", None]),
            "disease": st.sampled_from(["flu", "gout", None]),
            "note": st.sampled_from(["", "a,b", 'x"y', "two\nlines", "007", None]),
        }
    ),
    min_size=1,
    max_size=25,
)
GENERALISATIONS = st.tuples(
    st.builds(
        bb.Generalise, st.just("age"), st.sampled_from([AGE, AGE.with_top()]), st.integers(0, 2), apart=st.just(["999"])
    ),
    st.builds(
        bb.Generalise,
        st.just("zip"),
        st.sampled_from([ZIP, ZIP.with_top()]),
        st.integers(0, 2),
        missing=st.sampled_from(["own-branch", "suppress"]),
    ),
)
CRITERIA = st.lists(
    st.one_of(st.builds(bb.KAnonymity, st.integers(1, 4)), st.just(bb.LDiversity(2))), min_size=1, max_size=2
)


def in_parts(records: list[plain.Record], cuts: int) -> list[pa.Table]:
    size = max(1, len(records) // cuts)
    schema = pa.schema({name: pa.string() for name in records[0]})
    parts = [records[start : start + size] for start in range(0, len(records), size)]
    return [pa.Table.from_pylist(part, schema) for part in parts]


@given(
    RECORDS,
    GENERALISATIONS,
    CRITERIA,
    st.sampled_from([None, "name"]),
    st.booleans(),
    st.booleans(),
    st.integers(1, 4),
)
def test_what_comes_out_is_what_the_definition_gives(
    records, generalise, criteria, person, with_note, keep_order, cuts
) -> None:
    plan = bb.Plan([*generalise, bb.SuppressGroups()], criteria, ["age", "zip"], ["disease"], ["name"], person)
    keep = ["note"] if with_note else []
    expected = [_without_empty(record) for record in plain.applied(records, plan, keep)]
    if not expected:
        with refused("plan.nothing-left", str(len(records))):
            bb.apply(in_parts(records, cuts), plan, keep=keep)
        return
    applied = bb.apply(in_parts(records, cuts), plan, keep=keep, keep_order=keep_order)

    data = pl.DataFrame(applied.data)
    assert data.columns == [name for name in records[0] if name in ("age", "zip", "disease", *keep)]
    assert applied.unspoken == (() if with_note else ("note",))
    assert plain.counted(data.to_dicts()) == plain.counted(expected)
    assert not keep_order or data.to_dicts() == expected
    assert (applied.rows, applied.suppressed) == (len(expected), len(records) - len(expected))
    assert applied.holds


@given(RECORDS, GENERALISATIONS, st.integers(1, 6), st.sampled_from(["mask-more", "drop"]), st.integers(1, 4))
def test_masking_masks_as_many_as_the_definition_does(records, generalise, k, if_failing, cuts) -> None:
    masking = bb.MaskGroups("*", if_failing)
    plan = bb.Plan([*generalise, masking], [bb.KAnonymity(k)], ["age", "zip"], ["disease"], ["name"])
    if len(records) < k:
        with pytest.raises(bb.SuppressionError):
            bb.apply(in_parts(records, cuts), plan)
        return
    expected = plain.applied(records, plan, ["note"])
    applied = bb.apply(in_parts(records, cuts), plan, keep=["note"], keep_order=True)
    released = pl.DataFrame(applied.data).to_dicts()

    assert applied.holds
    assert len(released) == len(expected)
    stars = [sum(row["age"] == row["zip"] == "*" for row in rows) for rows in (released, expected)]
    assert stars[0] == stars[1]
    assert [row["note"] for row in released] == [row["note"] or None for row in expected]


@given(RECORDS, st.sampled_from([".csv", ".parquet"]))
def test_values_that_no_operation_touches_come_out_of_files_as_they_went_in(tmp_path_factory, records, suffix) -> None:
    folder = tmp_path_factory.mktemp("apply")
    whole = pl.DataFrame(records, schema=dict.fromkeys(records[0], pl.String))
    (whole.write_csv if suffix == ".csv" else whole.write_parquet)(folder / f"in{suffix}")
    plan = bb.Plan(quasi=whole.columns)
    for out in (".csv", ".parquet"):
        bb.apply(folder / f"in{suffix}", plan, folder / f"out{out}", keep_order=True)
        again = bb.apply(folder / f"out{out}", plan, keep_order=True).data
        assert again.to_dicts() == [_without_empty(record) for record in records]


def _without_empty(record: plain.Record) -> plain.Record:
    """An empty text is a missing value."""
    return {name: value or None for name, value in record.items()}


class TestColumns:
    def test_identifiers_and_the_person_are_left_out(self) -> None:
        table = {"cpf": ["1"], "name": ["Ana"], "age": ["31"]}
        applied = bb.apply(pl.DataFrame(table), bb.Plan(identifiers=["name"], person="cpf", quasi=["age"]))

        assert applied.data.to_dicts() == [{"age": "31"}]

    def test_with_a_person_groups_are_counted_in_people(self) -> None:
        table = pl.DataFrame({"who": ["Ana", "Ana", "Bia", "Caio"], "sex": ["F", "F", "M", "M"]})
        plan = bb.Plan([bb.SuppressGroups()], [bb.KAnonymity(2)], ["sex"], person="who")

        assert bb.apply(table, plan).data["sex"].to_list() == ["M", "M"]

    def test_a_schema_adds_identifiers_roles_and_the_person(self) -> None:
        table = pl.DataFrame({"who": ["Ana", "Ana", "Bia", "Caio"], "sex": ["F", "F", "M", "M"], "mail": list("abcd")})
        described = {"sex": bb.ColumnSchema("quasi"), "mail": bb.ColumnSchema("identifier")}
        applied = bb.apply(
            table, bb.Plan([bb.SuppressGroups()], [bb.KAnonymity(2)]), schema=bb.Schema(described, person="who")
        )

        assert applied.data.to_dicts() == [{"sex": "M"}, {"sex": "M"}]

    def test_the_plan_goes_before_the_schema(self) -> None:
        described = {"a": bb.ColumnSchema("identifier"), "b": bb.ColumnSchema("quasi"), "c": bb.ColumnSchema("quasi")}
        plan = bb.Plan(criteria=[bb.KAnonymity(1)], quasi=["a"], identifiers=["b"])
        applied = bb.apply(pl.DataFrame({"a": ["1"], "b": ["2"], "c": ["3"]}), plan, schema=bb.Schema(described))

        assert (applied.data.columns, applied.unspoken) == (["a"], ("c",))
        assert applied.judgement.verdicts[0].quasi == ("a",)

    @pytest.mark.parametrize(
        "plan",
        [
            bb.Plan(quasi=["agee"]),
            bb.Plan(identifiers=["agee"]),
            bb.Plan(person="agee"),
            bb.Plan([bb.Generalise("agee", AGE, 1)]),
            bb.Plan(criteria=[bb.LDiversity(2, column="agee")], quasi=["sex"]),
        ],
    )
    def test_a_column_that_is_not_there_is_named_before_any_work(self, plan, tmp_path) -> None:
        with refused("column.missing-close", "'agee'", "'age'"):
            bb.apply(pl.DataFrame({"age": ["1"], "sex": ["F"]}), plan, tmp_path / "out.csv")

    def test_something_must_be_left(self) -> None:
        with refused("plan.no-columns"):
            bb.apply(pl.DataFrame({"name": ["Ana"]}), bb.Plan(identifiers=["name"]))

    def test_types_that_change_on_the_way_are_refused(self) -> None:
        with refused("plan.types", "'x'", "Int64", "String"):
            bb.apply([pl.DataFrame({"x": [1]}), pl.DataFrame({"x": ["007"]})], bb.Plan(), keep=["x"])

    def test_whole_numbers_of_several_sizes_and_missing_columns_are_one_column(self) -> None:
        parts = [pl.DataFrame({"x": pl.Series([n], dtype=kind), "y": [y]}) for n, kind, y in PARTS]

        assert bb.apply(parts, bb.Plan(), keep=["x", "y"], keep_order=True).data.to_dict(as_series=False) == {
            "x": [1, 2, None],
            "y": [None, 7, 2.5],
        }

    def test_values_that_are_no_single_ones_are_refused(self) -> None:
        with refused("plan.column-type", "'x'", "list"):
            bb.apply(pa.table({"x": [[1]]}), bb.Plan(quasi=["x"]))
        for plan, keep in ((bb.Plan(), ["x"]), (bb.Plan(sensitive=["x"]), [])):
            with refused("column.nested", "'x'", "list"):
                bb.apply(pa.table({"x": [[1]]}), plan, keep=keep)


PARTS: list[tuple[Any, Any, Any]] = [(1, pl.Int64, None), (2, pl.Int16, 7), (None, pl.Null, 2.5)]


class TestSources:
    def test_a_stream_is_read_once_for_two_passes(self, people, plan) -> None:
        assert bb.apply(people.to_arrow().to_reader(), plan).rows == 4

    def test_columns_may_stand_in_the_names_of_files(self, people, plan, tmp_path) -> None:
        for state in ("AC", "AM"):
            people.write_csv(tmp_path / f"{state}.csv")
        by_state = bb.Plan(plan.operations, plan.criteria, [*plan.quasi, "uf"])
        applied = bb.apply(tmp_path / "*.csv", by_state, filename="{uf:2}.csv", keep_order=True)

        assert applied.data["uf"].to_list() == ["AC"] * 4 + ["AM"] * 4
        assert applied.suppressed == 4

    def test_a_plan_may_be_named_by_its_file(self, people, plan, tmp_path) -> None:
        plan.save(tmp_path / "plan.yaml")

        assert bb.apply(people, tmp_path / "plan.yaml").plan_hash == plan.hash

    def test_a_file_that_grows_between_the_passes_is_noticed(self, people, plan, tmp_path) -> None:
        path = tmp_path / "people.csv"
        for more in (people, people.head(1)):
            people.write_csv(path)
            seen: list[int] = []

            def change(done: int, _total: int | None, more: pl.DataFrame = more, seen: list[int] = seen) -> None:
                if done == 6 and not seen:
                    pl.concat([people, more] if len(more) > 1 else [more]).write_csv(path)
                seen.append(done)

            with refused("plan.changed", str(path), "6"):
                bb.apply(path, plan, tmp_path / "out.csv", progress=change)
            assert [file.name for file in tmp_path.iterdir()] == ["people.csv"]

    def test_a_table_without_rows_is_refused(self, tmp_path) -> None:
        empty = pl.DataFrame({"x": []}, schema={"x": pl.String})
        for plan in (bb.Plan(quasi=["x"]), bb.Plan([bb.SuppressGroups()], [bb.KAnonymity(2)], ["x"])):
            with refused("input.empty"):
                bb.apply(empty, plan, tmp_path / "out.csv")
        with refused("input.empty"):
            bb.apply(empty, bb.Plan(), tmp_path / "out.csv", keep=["x"])


def test_criteria_are_judged_on_what_comes_out() -> None:
    table = pl.DataFrame({"age": ["31", "38", "62"]})
    applied = bb.apply(table, bb.Plan([bb.Generalise("age", AGE, 1)], [bb.KAnonymity(2)], ["age"]))
    (verdict,) = applied.judgement.verdicts

    assert (applied.holds, verdict.achieved, verdict.groups, verdict.records) == (False, 1, 1, 1)
    assert applied.rows == 3


def test_without_criteria_nothing_is_judged() -> None:
    applied = bb.apply(pl.DataFrame({"age": ["31"]}), bb.Plan(quasi=["age"]))

    assert applied.judgement is None
    assert applied.holds


def test_progress_is_told_once_for_each_pass(people, plan) -> None:
    told: list[tuple[int, int | None]] = []
    bb.apply(people, plan, progress=lambda done, total: told.append((done, total)))

    assert told == [(6, 6), (6, 6)]
