"""Schemas that people edit in a spreadsheet come back as what they were, or as what was changed in them."""

import csv
import io
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusal import refused

from biombo._data import ROLES, ColumnSchema, InPopulation, Schema, built_in
from biombo._errors import SchemaError
from biombo._i18n import LANGUAGES, set_language

words = st.text(min_size=1, max_size=8).filter(lambda word: not any("\ud800" <= mark <= "\udfff" for mark in word))
codes = words | st.sampled_from(
    [
        "00",
        "9",
        "1e3",
        "null",
        "vazio",
        "empty",
        "-",
        "=1+1",
        "1/2",
        ";",
        ",",
        '"',
        "a=b",
        "“x”",
        "TRUE",
        "_x0041_",
        " ",
        "",
    ]
)
names = st.sampled_from(["", "{", "[a]", "'=x", "@a", "+1", "007", "x\ny", "\t"]) | words
texts = words | st.sampled_from(["{", "a: b", "-5", "007", "linha\nnova", "\u2028", "'", "''=1"])
worded = texts | st.dictionaries(st.sampled_from(["en", "pt", "es"]), texts, min_size=1)
columns = st.builds(
    ColumnSchema,
    role=st.sampled_from(ROLES),
    type=st.sampled_from(["categorical", "discrete", "continuous", "date"]),
    label=st.none() | worded,
    invalid=st.frozensets(st.none() | codes, max_size=3),
    domain=st.none() | st.lists(codes, min_size=1, max_size=3).map(tuple),
    bounds=st.none() | st.tuples(st.floats(-9, 0), st.floats(1, 9)),
    reason=st.none() | worded,
    population=st.builds(InPopulation, st.none() | codes, st.dictionaries(codes, codes, max_size=2)),
    hierarchy=st.none() | texts | st.just({"kind": "prefix", "lengths": [2]}) | st.just({"a": {"b": ["007", "c"]}}),
    values=st.dictionaries(codes, worded, max_size=3),
)


@st.composite
def schemas(draw) -> Schema:
    described = draw(st.dictionaries(names.filter(bool), columns, max_size=4))
    quasi = [name for name, column in described.items() if column.role == "quasi"]
    known = st.permutations(quasi).flatmap(lambda order: st.integers(0, len(order)).map(lambda n: tuple(order[:n])))
    adversaries = draw(st.dictionaries(words, known, max_size=2))
    labels = {name: draw(worded) for name in adversaries if draw(st.booleans())}
    return Schema(
        described,
        source=draw(st.none() | texts),
        weight=draw(st.none() | words),
        adversaries=adversaries,
        adversary_labels=labels,
    )


@pytest.mark.parametrize("suffix", [".xlsx", ".csv"])
@settings(max_examples=60)
@given(schema=schemas(), written_in=st.sampled_from(LANGUAGES), read_in=st.sampled_from(LANGUAGES))
def test_what_is_written_as_a_spreadsheet_is_read_back(tmp_path_factory, suffix, schema, written_in, read_in):
    path = tmp_path_factory.mktemp("sheet") / f"schema{suffix}"
    set_language(written_in)
    schema.save(path)
    set_language(read_in)

    assert Schema.load(path) == schema


@pytest.mark.parametrize("name", built_in())
@pytest.mark.parametrize("suffix", [".xlsx", ".csv", ".yaml"])
def test_the_built_in_schemas_survive_a_spreadsheet(tmp_path, name, suffix):
    path = tmp_path / f"schema{suffix}"
    Schema.load(name).save(path)

    assert Schema.load(path) == Schema.load(name)
    assert Schema.load(path).to_yaml() == Schema.load(name).to_yaml()


@pytest.fixture
def sheet(tmp_path):
    """Writes what somebody typed into a spreadsheet, as the spreadsheet saves it."""

    def write(suffix: str, *rows: list[object], delimiter: str = ";", encoding: str = "utf-8-sig") -> Path:
        path = tmp_path / f"schema{suffix}"
        if suffix == ".xlsx":
            book = openpyxl.Workbook()
            for row in rows:
                book.active.append(row)
            book.active.title = "Plan1"
            book.save(path)
        else:
            file = io.StringIO(newline="")
            csv.writer(file, delimiter=delimiter).writerows(rows)
            path.write_bytes(file.getvalue().encode(encoding))
        return path

    return write


EDITED = (
    ["Coluna", "PAPEL", "Tipo", "Título (pt)", "códigos inválidos", "nomes dos códigos (pt)", "adversário: vizinho"],
    ["cpf", "Identificador", None, None, None, None, None],
    ["idade", "quase-identificador", "discreta", "idade", 999, None, "x"],
    ["sexo", "Quase identificador", "categórica", None, "0; 9; vazio", "1 = masculino; 2 = feminino", "X"],
    ["cid", "sensivel", None, None, None, None, None],
    ["uf", "outra", None, None, None, None, None],
    ["obs", "indecisa", None, None, None, None, None],
)


@pytest.mark.parametrize("reader", LANGUAGES)
@pytest.mark.parametrize(
    ("suffix", "how"),
    [
        (".xlsx", {}),
        (".csv", {}),
        (".csv", {"delimiter": ","}),
        (".csv", {"encoding": "cp1252"}),
        (".csv", {"delimiter": "\t", "encoding": "utf-8"}),
    ],
)
def test_what_a_data_manager_types_in_portuguese_is_understood(sheet, suffix, how, reader):
    path = sheet(suffix, *EDITED, **how)
    set_language(reader)
    schema = Schema.load(path)

    assert {role: schema.with_role(role) for role in ROLES} == {
        "identifier": ("cpf",),
        "quasi": ("idade", "sexo"),
        "sensitive": ("cid",),
        "other": ("uf",),
        "undecided": ("obs",),
    }
    assert schema["idade"] == ColumnSchema("quasi", "discrete", {"pt": "idade"}, frozenset({"999"}))
    assert schema["sexo"].invalid == {"0", "9", None}
    assert schema.called("sexo", "pt") == {"1": "masculino", "2": "feminino"}
    assert schema.adversaries == {"vizinho": ("idade", "sexo")}


def test_an_empty_role_is_undecided_and_empty_rows_are_skipped(sheet):
    schema = Schema.load(sheet(".csv", ["column", "role"], ["a", ""], ["", ""], ["b", "other"]))

    assert (schema["a"].role, schema["b"].role) == ("undecided", "other")


@pytest.mark.parametrize("suffix", [".xlsx", ".csv"])
@pytest.mark.parametrize(
    ("rows", "mentioned"),
    [
        ([["column", "role"], ["age", "quasi"], ["sex", "quasy"]], ["Row 3", "'role'", "'quasy'", "quasi-identifier"]),
        ([["column", "type"], ["age", "number"]], ["Row 2", "'type'", "'number'"]),
        ([["column", "rolle"], ["age", "quasi"]], ["Row 1", "'rolle'", "hierarchy"]),
        ([["column", "role", "papel"], ["age", "quasi", "quasi"]], ["Row 1", "'papel'", "twice"]),
        ([["role"], ["quasi"]], ["'column'"]),
        ([["column", "role"], ["age", "quasi"], ["age", "other"]], ["Row 3", "'age'", "twice"]),
        ([["column", "role"], ["age", "quasi"], [None, "other"]], ["Row 3", "names no column"]),
        ([["column", "invalid"], ["age", "9, 99"]], ["Row 2", "semicolons", "'9, 99'"]),
        ([["column", "invalid"], ["age", '"9; 99']], ["Row 2", "quotes"]),
        ([["column", "names of codes"], ["age", "1: male"]], ["Row 2", "1 = male"]),
        ([["column", "names of codes"], ["age", "1 = a; 1 = b"]], ["Row 2", "'1'", "twice"]),
        ([["column", "label", "label (pt)"], ["age", "a", "b"]], ["Row 2", "'b'", "language"]),
        ([["column", "bounds"], ["age", "five"]], ["Row 2", "'five'", "0; 120"]),
        ([["column", "bounds"], ["age", "5; 1"]], ["Row 2", "5", "below"]),
        ([["column", "hierarchy"], ["age", "{kind: [}"]], ["Row 2", "'hierarchy'", "YAML"]),
        ([["column", "role", None], ["age", "quasi", "note"]], ["Row 2", "'note'", "heading"]),
        ([["column", "role", "adversary: boss"], ["age", "other", "x"]], ["'boss'", "age"]),
        ([["column", "about the table", "content"], ["age", "persn", "x"]], ["persn", "person"]),
        ([["column", "about the table", "content"], ["age", "columns", "x"]], ["Row 2", "'columns'"]),
    ],
)
def test_a_mistake_is_told_with_file_row_and_heading(sheet, suffix, rows, mentioned):
    path = sheet(suffix, *rows, delimiter=",")
    where = ["Plan1"] if suffix == ".xlsx" else []
    with pytest.raises(SchemaError) as caught:
        Schema.load(path)
    told = str(caught.value)

    assert "\n" not in told
    assert [word for word in (str(path), *where, *mentioned) if word not in told] == []


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00a", b'column,role\n"age,quasi\n'])
def test_what_is_no_csv_is_refused(tmp_path, content):
    path = tmp_path / "schema.csv"
    path.write_bytes(content)
    with refused("document.in-schema", str(path)):
        Schema.load(path)


def test_what_is_no_workbook_is_refused(tmp_path):
    path = tmp_path / "schema.xlsx"
    path.write_bytes(b"columns: {}")
    with refused("document.in-schema", str(path)):
        Schema.load(path)


@pytest.mark.parametrize("suffix", [".ods", ".xls"])
def test_other_spreadsheets_are_refused_with_what_to_do(tmp_path, suffix):
    path = tmp_path / f"schema{suffix}"
    path.write_bytes(b"PK")
    with refused("document.in-schema", ".xlsx", ".csv"):
        Schema.load(path)


def test_roles_are_chosen_from_a_list_in_the_language_in_use(tmp_path):
    set_language("pt")
    Schema({"idade": ColumnSchema("quasi")}).save(tmp_path / "esquema.xlsx")
    book = openpyxl.load_workbook(tmp_path / "esquema.xlsx")
    offered = [validation.formula1 for validation in book["colunas"].data_validations.dataValidation]

    assert '"identificador,quase-identificador,sensível,outra,indecisa"' in offered
    assert [cell.value for cell in book["colunas"][2]][:3] == ["idade", "quase-identificador", "categórica"]
    assert "ajuda" in book.sheetnames


def test_nothing_in_a_spreadsheet_is_a_formula(tmp_path):
    hostile = '=HYPERLINK("http://x")'
    schema = Schema({hostile: ColumnSchema("quasi", label="@a", reason="+1", invalid=frozenset({"=1", "-"}))})
    schema.save(tmp_path / "schema.xlsx")
    schema.save(tmp_path / "schema.csv")
    typed = {cell.data_type for row in openpyxl.load_workbook(tmp_path / "schema.xlsx").active for cell in row}
    written = csv.reader(io.StringIO((tmp_path / "schema.csv").read_text("utf-8-sig"), newline=""))

    assert typed <= {"s", "n"}, "texts and empty cells"
    assert not [cell for row in written for cell in row if cell.startswith(("=", "+", "-", "@"))]
    assert Schema.load(tmp_path / "schema.xlsx") == Schema.load(tmp_path / "schema.csv") == schema


def test_the_same_schema_gives_the_same_workbook(tmp_path):
    schema = Schema.load("siapa")

    assert schema.as_file("a.xlsx") == schema.as_file("b.xlsx")


def test_what_no_cell_holds_is_refused_and_nothing_is_written(tmp_path):
    schema = Schema({"a": ColumnSchema(reason="x" * 40_000)})
    with refused("sheet.long", "a"):
        schema.save(tmp_path / "schema.xlsx")

    assert list(tmp_path.iterdir()) == []
    schema.save(tmp_path / "schema.csv")
    assert Schema.load(tmp_path / "schema.csv") == schema
