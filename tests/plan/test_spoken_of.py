"""Only columns that somebody spoke of come out; the others are left out and listed."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import openpyxl
import plain_plan as plain
import polars as pl
import pytest
from dbase import dbf
from examples import examples
from hypothesis import assume, given
from made_up import health_table
from operation_examples import EXAMPLES, PEOPLE
from refusal import refused

import biombo as bb
from biombo._plan import OPERATIONS

TABLE = pl.DataFrame({"sex": ["F", "F", "M"], "ward": ["A", "B", "A"], "note": ["x", "y", "z"]})
PLAN = bb.Plan(quasi=["sex"])


def in_csv(folder: Path) -> dict[str, Any]:
    TABLE.write_csv(folder / "in.csv")
    return {"source": folder / "in.csv"}


def in_parquet(folder: Path) -> dict[str, Any]:
    TABLE.write_parquet(folder / "in.parquet")
    return {"source": folder / "in.parquet"}


def in_xlsx(folder: Path) -> dict[str, Any]:
    book = openpyxl.Workbook()
    for row in (TABLE.columns, *TABLE.rows()):
        book.active.append(row)
    book.save(folder / "in.xlsx")
    return {"source": folder / "in.xlsx"}


def in_dbf(folder: Path) -> dict[str, Any]:
    rows = [[value.encode() for value in row] for row in TABLE.rows()]
    (folder / "in.dbf").write_bytes(dbf([(name, "C", 1) for name in TABLE.columns], rows))
    return {"source": folder / "in.dbf"}


def in_sqlite(folder: Path) -> dict[str, Any]:
    with sqlite3.connect(folder / "in.db") as connection:
        connection.execute("CREATE TABLE t (sex TEXT, ward TEXT, note TEXT)")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?)", TABLE.rows())
    connection.close()
    return {"source": "SELECT * FROM t", "database": f"sqlite:///{folder / 'in.db'}"}


def in_names_of_files(folder: Path) -> dict[str, Any]:
    for ward in "AB":
        TABLE.filter(pl.col("ward") == ward).drop("ward").write_csv(folder / f"{ward}.csv")
    return {"source": folder / "[AB].csv", "filename": "{ward:1}.csv"}


SOURCES: dict[str, Callable[[Path], dict[str, Any]]] = {
    "csv": in_csv,
    "parquet": in_parquet,
    "xlsx": in_xlsx,
    "dbf": in_dbf,
    "sqlite": in_sqlite,
    "names of files": in_names_of_files,
    "polars": lambda _: {"source": TABLE},
    "pandas": lambda _: {"source": TABLE.to_pandas()},
    "arrow": lambda _: {"source": TABLE.to_arrow()},
    "stream": lambda _: {"source": TABLE.to_arrow().to_reader()},
    "parts": lambda _: {"source": [TABLE[:2], TABLE[2:]]},
}


@pytest.mark.parametrize("keep", [[], ["ward"], ["note", "ward"]])
@pytest.mark.parametrize("out", [None, "out.csv", "out.parquet"])
@pytest.mark.parametrize("kind", SOURCES)
def test_what_nobody_spoke_of_stays_out_of_every_format_from_every_source(tmp_path, kind, out, keep) -> None:
    applied = bb.apply(**SOURCES[kind](tmp_path), plan=PLAN, out=out and tmp_path / out, keep=keep)
    data = (
        pl.DataFrame(applied.data)
        if out is None
        else (pl.read_csv if out == "out.csv" else pl.read_parquet)(applied.out)
    )

    assert set(data.columns) == {"sex", *keep}
    assert set(applied.unspoken) == {"ward", "note"} - {*keep}
    assert applied.as_json()["undecided"] == list(applied.unspoken)
    assert sorted(data.select("sex", *keep).rows()) == sorted(TABLE.select("sex", *keep).rows())


NAMES = sorted({*EXAMPLES} - {"noise-small-groups", "aggregate"})  # whose columns must be quasi; which has no records
SAID = st.sampled_from([None, "quasi", "sensitive", "identifier"])
DESCRIBED = st.sampled_from([None, "undecided", "other", "quasi", "sensitive", "identifier"])


@st.composite
def plans(draw: st.DrawFn) -> bb.Plan:
    """Some operations on columns of some roles, with quasi columns or none."""
    roles = {name: draw(SAID) for name in PEOPLE.columns if name != "sex"}
    operations: list[bb.Operation] = []
    for name in draw(st.lists(st.sampled_from(NAMES), max_size=4, unique=True)):
        operation = OPERATIONS[name].from_entries(EXAMPLES[name], Path())
        taken = {column for each in operations for column in each.columns}
        if taken.isdisjoint(operation.columns):
            operations.append(operation)
            roles |= {column: None for column in operation.columns if (roles[column] or "other") not in operation.roles}
    operations.sort(key=lambda each: not isinstance(each, bb.SelectRecords))  # which stands first
    by_role = {said: [name for name, role in roles.items() if role == said] for said in ("sensitive", "identifier")}
    quasi = ["sex", *(name for name, role in roles.items() if role == "quasi")]
    return bb.Plan(
        operations,
        [bb.KAnonymity(1, quasi=["sex"])],
        quasi if draw(st.booleans()) else [],
        by_role["sensitive"],
        by_role["identifier"],
    )


@st.composite
def schemas(draw: st.DrawFn) -> bb.Schema:
    """A quasi column, some columns with a role or none, and others that are not described at all."""
    roles = {name: "quasi" if name == "sex" else draw(DESCRIBED) for name in PEOPLE.columns}
    return bb.Schema({name: bb.ColumnSchema(role) for name, role in roles.items() if role is not None})


@pytest.mark.filterwarnings("ignore::biombo._errors.BiomboWarning")
@examples(120)
@given(plans(), schemas(), st.lists(st.sampled_from(PEOPLE.columns), max_size=4, unique=True))
def test_nothing_comes_out_that_neither_plan_nor_schema_nor_anybody_else_speaks_of(plan, schema, keep) -> None:
    assume(schema["disease"].role != "quasi" or not any(isinstance(each, bb.Diversify) for each in plan.operations))
    options = {"schema": schema, "keep": keep}
    refusal = _why_refused(plan, schema, keep)
    if refusal is not None:
        for act in (bb.apply, bb.preview):
            with refused(refusal):
                act(PEOPLE, plan, **options)
        return
    applied = bb.apply(PEOPLE, plan, **options)

    assert applied.data.columns == plain.released_columns(PEOPLE.columns, plan, schema, keep)
    assert list(applied.unspoken) == plain.unspoken_columns(PEOPLE.columns, plan, schema, keep)
    seen = bb.preview(PEOPLE, plan, **options)
    assert (seen.after.columns, seen.unspoken) == (applied.data.columns, applied.unspoken)


def _why_refused(plan: bb.Plan, schema: bb.Schema, keep: list[str]) -> str | None:
    """Identifiers may not be kept, nor may names, which look like some."""
    if any(plan.roles.get(name, schema[name].role) == "identifier" for name in keep):
        return "plan.keep-identifier"
    if any("name" in plain.changed(operation) for operation in plan.operations):
        return None
    described = schema["name"].role
    counts = described == "other" or (described == "sensitive" and not plan.sensitive)
    wanted = "name" in keep and plain.fate("name", plan, schema) == "unspoken"
    role = plan.roles.get("name") or (described if counts else "other" if wanted else None)
    return "plan.recognised-identifier" if role in ("other", "sensitive") else None


class TestSchemas:
    @pytest.mark.parametrize("role", ["quasi", "sensitive", "other"])
    def test_a_role_lets_a_column_out(self, role) -> None:
        applied = bb.apply(TABLE, bb.Plan(), schema=bb.Schema({"ward": bb.ColumnSchema(role)}))

        assert (applied.data.columns, applied.unspoken) == (["ward"], ("sex", "note"))

    def test_an_entry_without_a_role_does_not(self, tmp_path) -> None:
        (tmp_path / "schema.yaml").write_text("columns: {ward: {label: Ward}, note: {role: undecided}, sex: }")

        assert bb.apply(TABLE, PLAN, schema=tmp_path / "schema.yaml").unspoken == ("ward", "note")

    def test_what_inspect_proposes_lets_out_nothing_that_it_does_not_understand(self) -> None:
        table = pl.DataFrame(health_table(60))
        schema = bb.inspect(bb.read(table)).schema
        applied = bb.apply(table, bb.Plan(), schema=schema)

        assert set(applied.data.columns) == {*schema.quasi, *schema.sensitive}
        assert applied.unspoken == schema.with_role("undecided") != ()

    def test_quasi_columns_that_a_plan_with_its_own_does_not_protect_stay_out(self) -> None:
        schema = bb.Schema({name: bb.ColumnSchema("quasi") for name in ("sex", "ward")})

        assert bb.apply(TABLE, bb.Plan(), schema=schema).unspoken == ("note",)
        assert bb.apply(TABLE, PLAN, schema=schema).unspoken == ("ward", "note")

    @pytest.mark.parametrize("plan", [bb.Plan([bb.SuppressGroups()], [bb.KAnonymity(2)]), bb.Plan(quasi=["sex"])])
    def test_a_person_that_the_table_does_not_have_is_named(self, plan) -> None:
        schema = bb.Schema({"sex": bb.ColumnSchema("quasi")}, person="cpf")
        with refused("column.missing", "'cpf'"):
            bb.apply(TABLE, plan, schema=schema)


class TestKeeping:
    def test_what_is_kept_is_as_it_is_and_in_its_place(self) -> None:
        applied = bb.apply(TABLE, PLAN, keep=["note", "ward"], keep_order=True)

        assert applied.data.equals(TABLE)

    @pytest.mark.parametrize("keep", [["ward"], ("ward",), {"ward"}, {"ward": "shown at the door"}, iter(["ward"])])
    def test_names_come_in_any_collection(self, keep) -> None:
        assert bb.apply(TABLE, PLAN, keep=keep).unspoken == ("note",)

    def test_the_same_goes_for_a_preview(self) -> None:
        seen = bb.preview(TABLE, PLAN, keep=iter(["ward"]))

        assert (seen.after.columns, seen.unspoken) == (["sex", "ward"], ("note",))
        assert seen.as_json()["undecided"] == ["note"]

    def test_it_is_no_way_out_of_the_criteria(self) -> None:
        """By its own word the schema's column is quasi, and whoever keeps it does not say that nobody knows it."""
        schema = bb.Schema({"sex": bb.ColumnSchema("quasi"), "ward": bb.ColumnSchema("sensitive")})
        for plan in (bb.Plan((), [bb.KAnonymity(2), bb.LDiversity(2)]), bb.Plan([], [bb.KAnonymity(2)], ["sex"])):
            kept, not_kept = (bb.apply(TABLE, plan, schema=schema, keep=keep) for keep in (["sex", "ward"], []))

            assert not kept.holds
            assert str(kept.judgement) == str(not_kept.judgement)

    def test_what_the_plan_removes_or_changes_is_not_brought_back(self) -> None:
        plan = bb.Plan([bb.SuppressColumn("note"), bb.MaskCharacters("ward", keep_first=0)])
        applied = bb.apply(TABLE, plan, keep=TABLE.columns, keep_order=True)

        assert applied.data.to_dict(as_series=False) == {"sex": ["F", "F", "M"], "ward": ["*"] * 3}

    def test_a_text_and_a_column_that_is_not_there_are_refused(self) -> None:
        for act in (bb.apply, bb.preview):
            with refused("usage.string-for-list", "keep", "'ward'"):
                act(TABLE, PLAN, keep="ward")
            with refused("column.missing-close", "'wards'", "'ward'"):
                act(TABLE, PLAN, keep=["wards"])

    def test_values_of_several_types_are_no_matter_to_whoever_looks_for_identifiers(self, tmp_path) -> None:
        """A warning here would say that the values are compared, and nothing compares them."""
        parts = [pl.DataFrame({"x": [1]}), pl.DataFrame({"x": ["a"]})]
        applied = bb.apply(parts, bb.Plan(), tmp_path / "out.csv", keep=["x"], keep_order=True)

        assert applied.out.read_text() == "x\n1\na\n"


def described(**roles: str) -> bb.Schema:
    return bb.Schema({name: bb.ColumnSchema(role) for name, role in roles.items()})


LOOK_ALIKES = ("NomePaciente", "documento", "cartao", "empregador", "contato", "recado", "sequencial")


class TestIdentifiers:
    @pytest.mark.parametrize(
        ("plan", "schema"),
        [
            (bb.Plan(quasi=["sex"], identifiers=["ward"]), None),
            (bb.Plan(quasi=["sex"], person="ward"), None),
            (PLAN, described(ward="identifier")),
            (PLAN, bb.Schema(person="ward")),
            (bb.Plan([bb.SuppressColumn("ward")], quasi=["sex"]), described(ward="identifier")),
        ],
    )
    def test_none_by_its_role_can_be_kept(self, plan, schema, tmp_path) -> None:
        with refused("plan.keep-identifier", "'ward'"):
            bb.apply(TABLE, plan, tmp_path / "out.csv", schema=schema, keep=["note", "ward"])
        with refused("plan.keep-identifier", "'ward'"):
            bb.preview(TABLE, plan, schema=schema, keep=["ward"])
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("column", LOOK_ALIKES)
    @pytest.mark.parametrize("by_schema", [False, True])
    def test_nothing_that_looks_like_one_goes_out_as_it_is(self, column, by_schema, tmp_path) -> None:
        table, plan = pl.DataFrame(health_table(60)), bb.Plan(quasi=["sexo"])
        word = {"schema": described(**{column: "other"})} if by_schema else {"keep": [column]}
        for source in (table, table.to_arrow().to_reader()):
            with refused("plan.recognised-identifier", repr(column)):
                bb.apply(source, plan, tmp_path / "out.csv", **word)
        with refused("plan.recognised-identifier", repr(column)):
            bb.preview(table, plan, **word)

        assert list(tmp_path.iterdir()) == []
        assert column in bb.apply(table, plan).unspoken
        assert "setor" in bb.apply(table, plan, keep=["setor"]).data.columns

    def test_the_plan_may_protect_it_or_give_it_a_role(self) -> None:
        table = pl.DataFrame(health_table(60)).select("sexo", "documento")
        masked = bb.Plan([bb.MaskCharacters("documento", keep_first=3)], quasi=["sexo"])
        hidden = bb.Plan([bb.Pseudonymise("documento", "random")], quasi=["sexo"], identifiers=["documento"])
        declared = bb.Plan(quasi=["sexo", "documento"])

        for plan, schema in ((masked, described(documento="other")), (hidden, None), (declared, None)):
            assert bb.apply(table, plan, schema=schema).data.columns == ["sexo", "documento"]


def test_a_column_without_a_name_is_told_in_a_sentence() -> None:
    with refused("plan.nameless", "Polars"):
        bb.apply(pl.DataFrame({"": ["x", "y"] * 5, "b": ["p"] * 10}), bb.Plan(quasi=["b"]), keep=[""])
