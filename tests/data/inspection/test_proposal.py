import polars as pl
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from made_up import dataset, health_table

from biombo._data import Inspection, Schema, inspect, read
from biombo._i18n import LANGUAGES, set_language, speaking


@pytest.fixture(scope="module")
def health() -> Inspection:
    return inspect(dataset(health_table()))


@pytest.mark.parametrize(
    ("column", "role", "type", "reason"),
    [
        ("NomePaciente", "identifier", "categorical", "a person's name"),
        ("documento", "identifier", "categorical", "100.0% of the values: valid CPF"),
        ("cartao", "identifier", "categorical", "100.0% of the values: valid CNS"),
        ("empregador", "identifier", "categorical", "100.0% of the values: valid CNPJ"),
        ("contato", "identifier", "categorical", "100.0% of the values: valid e-mail address"),
        ("recado", "identifier", "categorical", "100.0% of the values: valid phone number"),
        ("sequencial", "identifier", "categorical", "nearly every row has a value of its own (100.0%)"),
        ("Município", "quasi", "categorical", "place; tells the same as lotacao"),
        ("lotacao", "quasi", "categorical", "same role as Município; tells the same as Município"),
        ("sexo", "quasi", "categorical", "sex or gender"),
        ("RaçaCor", "quasi", "categorical", "race or ethnicity"),
        ("idade", "quasi", "discrete", "age"),
        ("dt_nasc", "quasi", "date", "birth"),
        ("vinculo", "quasi", "date", "as dates of birth are"),
        ("atendido", "quasi", "date", "a date that others may know"),
        ("correspondencia", "quasi", "categorical", "100.0% of the values: valid postal code"),
        ("escolaridade", "quasi", "categorical", "education"),
        ("cid_principal", "sensitive", "categorical", "diagnosis"),
        ("resultado", "sensitive", "categorical", "result"),
        ("renda_familiar", "undecided", "continuous", "income or money; but 100.0% of the values"),
        ("tem_telefone", "undecided", "categorical", "no sign of a role"),
        ("visitas", "undecided", "discrete", "no sign of a role"),
        ("setor", "undecided", "categorical", "no sign of a role"),
        ("origem", "undecided", "categorical", "the same value in every row"),
        ("vazio", "undecided", "categorical", "no values at all"),
    ],
)
def test_each_kind_of_column_gets_its_role_type_and_reason(health, column, role, type, reason):
    proposed = health.schema[column]

    assert (proposed.role, proposed.type) == (role, type)
    assert reason in proposed.reason


def test_a_name_alone_does_not_make_a_cpf_certain():
    values = [f"1010{n:07}" for n in range(100)]
    reason = inspect(dataset({"cpf": values})).schema["cpf"].reason

    assert reason.startswith("its name suggests CPF, but only ")
    assert reason.endswith("of the values validate: check it")


def test_values_of_a_cpf_win_over_a_harmless_name():
    cpfs = health_table(50)["documento"]

    assert inspect(dataset({"sexo": cpfs})).schema["sexo"].role == "identifier"


def test_decimals_are_measurements_even_when_all_of_them_differ():
    found = inspect(dataset({"glicose": [f"{80 + n / 100:.2f}" for n in range(200)]}))

    assert found.schema["glicose"].role == "undecided"
    assert "100.0% of the rows have a value of their own" in found.schema["glicose"].reason


def test_a_short_table_makes_no_identifiers_by_chance():
    assert inspect(dataset({"tom": list("abcdef")})).schema["tom"].role == "undecided"


NAMES = st.sampled_from(["cpf", "nome", "sexo", "idade", "cid", "renda", "outros", "other", "x", "y"])
VALUES = st.sampled_from([None, "", "1", "0.5", "a", "31/01/2024", "69900-970", "ana@exemplo.org", "529.982.247-25"])


@given(st.dictionaries(NAMES, st.lists(VALUES, min_size=30, max_size=30), min_size=1, max_size=4))
def test_that_a_column_may_go_out_as_it_is_only_a_person_can_say(columns):
    found = inspect(dataset({name: pl.Series(values, dtype=pl.String) for name, values in columns.items()}))

    assert {*found.schema.columns} == {*columns}
    assert found.schema.with_role("other") == ()
    assert Schema.from_tree(yaml.safe_load(found.to_yaml())).with_role("other") == ()


def test_a_column_that_tells_the_same_as_one_with_a_role_is_not_undecided():
    towns = ["A", "B", "C"] * 10
    found = inspect(
        dataset({"Município": towns, "lotacao": [f"in {town}" for town in towns], "setor": ["1", "2"] * 15})
    )

    assert {name: column.role for name, column in found.schema.columns.items()} == {
        "Município": "quasi",
        "lotacao": "quasi",
        "setor": "undecided",
    }


def test_the_person_is_a_repeated_identifier_of_one_person():
    table = health_table(40)
    found = inspect(dataset({"empregador": table["empregador"] * 3, "cartao": table["cartao"] * 3}))

    assert found.person == "cartao"
    assert inspect(dataset({"cartao": table["cartao"]})).person is None


def test_the_proposal_is_the_same_in_every_run(health):
    assert inspect(dataset(health_table())).schema == health.schema


def test_reasons_are_worded_in_the_language_in_use():
    set_language("pt")

    reason = inspect(dataset({"sexo": ["F", "M"] * 2})).schema["sexo"].reason
    assert reason == "o nome sugere: sexo ou gênero; 2 categorias, que ficam como estão ou saem por inteiro"


@pytest.mark.parametrize("language", ["en", "pt"])
def test_the_file_for_people_reads_back_as_the_schema_proposed(language, tmp_path):
    set_language(language)
    found = inspect(dataset(health_table()))
    path = tmp_path / "schema.yaml"
    path.write_text(found.to_yaml(), "utf-8")

    assert Schema.load(path) == found.schema
    assert found.to_yaml().startswith("# ")


def test_strange_names_do_not_break_the_file_for_people():
    names = ["a: b", "# c", "\x1b[31mred", "line\nbreak", "- d", "null", "yes", "12"]
    found = inspect(dataset({name: ["x", "y"] for name in names}))

    assert list(yaml.safe_load(found.to_yaml())["columns"]) == names


def test_columns_judged_by_a_draw_are_said_to_be(health):
    assert health.bounds == ()
    assert len(inspect(dataset({"n": list(range(3000))})).bounds) == 1


def test_sia_pa_gets_the_roles_of_the_built_in_schema(siapa_file):
    proposed = inspect(read(siapa_file)).schema
    built_in = Schema.load("siapa")

    assert set(built_in.quasi) - set(proposed.quasi) == {"PA_MVM"}, "one month's file has a single month"
    assert {"PA_PROC_ID", "PA_CIDPRI"} <= set(proposed.sensitive)
    assert proposed["PA_CNSMED"].role == proposed["PA_CNPJCPF"].role == "identifier"
    assert "PA_CODUNI" in proposed["PA_UFMUN"].reason


def test_adult_gets_the_roles_that_its_literature_uses(shared_data):
    found = inspect(read(shared_data / "adult" / "adult.csv"))

    assert found.schema.sensitive == ("salary-class",)
    assert len(found.schema.quasi) == 8
    assert found.schema["age"].type == "discrete"
    assert found.profiles["sex"].max_frequency == 20380


_FIRST = ["Ana", "Maria", "João", "José", "Tarsila", "Carla", "Yara", "Bruno", "Iracema", "Sônia"]
_LAST = ["Silva", "Prado", "Costa", "Lima", "Bopp", "Rocha"]
_PEOPLE = [f"{a} {b} {c} {d}" for a in _FIRST for b in _FIRST[:4] for c in _LAST for d in _LAST][:1000]


@pytest.mark.parametrize(
    ("column", "values", "reason"),
    [
        ("diagnostico", _PEOPLE, "names of people"),
        ("diagnostico", [name.upper() for name in _PEOPLE[:30]] * 20, "names of people"),
        ("cid_principal", [f"relata dor há {n} dias, mora com a filha" for n in range(300)], "a text of its own"),
        ("observacao", [f"diabetes; vizinha da casa {n}, rua das Flores" for n in range(300)], "a text of its own"),
        ("renda", [f"{1000 + 7 * n},37" for n in range(300)], "100.0% of the values are those"),
        (
            "resultado",
            [f"lote-{n}" if n % 2 else None for n in range(300)],
            "100.0% of the values are those of one row",
        ),
    ],
)
def test_values_that_tell_people_apart_are_not_sensitive_by_a_name_alone(column, values, reason):
    about = {"id": list(range(len(values))), column: values, "sexo": ["F", "M"] * (len(values) // 2)}

    proposed = inspect(dataset(about)).schema[column]

    assert proposed.role == "undecided"
    assert reason in proposed.reason


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("diagnostico", ["Infarto Agudo do Miocárdio", "Doença de Parkinson", "Insuficiência Renal"] * 20),
        ("cid", [f"{letter}0{n}" for letter in "ABC" for n in range(10)]),
        ("renda", [1000, 2000, 3500, 4100] * 20),
    ],
)
def test_diagnoses_codes_and_classes_of_income_are_sensitive_as_before(column, values):
    assert inspect(dataset({column: values})).schema[column].role == "sensitive"


@pytest.mark.parametrize("table", [health_table(), {"nome": ["Ana Lima", "Rui Sá"] * 30, "sintomas": ["a b c"] * 60}])
def test_in_every_language_reasons_are_what_inspecting_in_it_gives(table) -> None:
    data = dataset(table)
    with speaking("en"):
        found = inspect(data).schema_in_every_language
    for code in LANGUAGES:
        with speaking(code):
            here = inspect(data).schema
        assert {name: column.why(code) for name, column in found.columns.items()} == {
            name: column.reason for name, column in here.columns.items()
        }
    assert any(column.why("en") != column.why("pt") for column in found.columns.values())
    assert Schema.from_tree(yaml.safe_load(found.to_yaml())) == found
