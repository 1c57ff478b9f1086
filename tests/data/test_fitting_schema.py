import pytest
from hypothesis import given
from hypothesis import strategies as st

from biombo._data import Schema, SourceTable, built_in, fitting_schema

REAL = {
    "siapa/PAAC2401.dbc": "siapa",
    "datasus/RDAC2203.dbc": "sihrd",
    "datasus/DORR2022.dbc": "simdo",
    "datasus/DNAC2010.dbc": "sinasc",
    "datasus/HANTBR20.dbc": "sinan",
    "adult/adult.csv": None,
}


@pytest.mark.parametrize("file", REAL)
def test_the_files_of_datasus_are_recognised_by_their_columns(shared_data, file):
    assert fitting_schema(SourceTable.open(shared_data / file).columns) == REAL[file]


@pytest.mark.parametrize("name", built_in())
def test_each_built_in_schema_fits_its_own_columns(name):
    assert fitting_schema(Schema.load(name).columns) == name
    assert fitting_schema(column.swapcase() for column in Schema.load(name).columns) == name


@given(st.sampled_from(built_in()), st.data())
def test_columns_may_be_missing_and_others_there(name, data):
    schema = Schema.load(name)
    decided = [*schema.quasi, *schema.sensitive]
    fewer = data.draw(st.permutations(decided))[: -(-len(decided) * 3 // 4)]
    more = data.draw(st.permutations(sorted({*schema.columns} - {*decided})))

    assert fitting_schema([*fewer, *more[: len(more) // 2], *(f"own_{n}" for n in range(100))]) == name


@pytest.mark.parametrize(
    "columns",
    [
        [],
        ["SEXO", "IDADE", "RACACOR", "CODMUNRES", "DTNASC", "ESCMAE", "GESTACAO", "PARTO"],
        ["age", "sex", "race", "workclass", "education", "salary-class"],
        ["CNES", "CEP", "IDADE", "SEXO", "CPF", "NOME", "DATA", "VALOR", "MORTE", "ETNIA", "COMPLEX", "x", "y", "z"],
    ],
)
def test_other_tables_fit_none(columns):
    assert fitting_schema(columns) is None
