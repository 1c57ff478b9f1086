"""How far plain ``inspect`` agrees with the built-in schemas on the real files: `pytest -s` prints it."""

import pytest

from biombo._data import Schema, inspect, read

FLOORS = {
    "siapa/PAAC2401.dbc": ("siapa", 11, 13),
    "datasus/RDAC2203.dbc": ("sihrd", 17, 18),
    "datasus/DORR2022.dbc": ("simdo", 12, 12),
    "datasus/DNAC2010.dbc": ("sinasc", 16, 16),
    "datasus/HANTBR20.dbc": ("sinan", 8, 9),
}
"""For each file its schema, how many of the columns that this decides on must get the same role, and of how many.

What is missing has one value in these files, or none at all: PA_MVM, PA_CNPJ_CC, CPF_AUT, ID_AGRAVO."""


@pytest.mark.parametrize("file", FLOORS)
def test_inspect_gives_columns_the_roles_of_the_built_in_schema(shared_data, file):
    name, floor, decided_on = FLOORS[file]
    schema, proposed = Schema.load(name), inspect(read(shared_data / file)).schema
    decided = [column for column in proposed.columns if schema[column].role != "undecided"]
    same = [column for column in decided if proposed[column].role == schema[column].role]
    alike = [column for column in proposed.columns if proposed[column].role == schema[column].role]
    print(f"\n{name}: {len(same)} of {len(decided)} decided, {len(alike)} of {len(proposed.columns)} columns")

    assert len(decided) == decided_on
    assert len(same) >= floor, sorted({*decided} - {*same})
    assert not [column for column in decided if proposed[column].role == "other"]


@pytest.mark.parametrize("file", FLOORS)
def test_inspect_finds_the_invalid_codes_that_occur_in_quasi_columns(shared_data, file):
    schema, data = Schema.load(FLOORS[file][0]), read(shared_data / file)
    proposed = inspect(data).schema
    missed = {
        column: sorted(there)
        for column in schema.quasi
        if (there := {*data[column].values.drop_nulls()} & schema[column].invalid - proposed[column].invalid)
    }

    assert missed == EXPECTED_MISSES.get(FLOORS[file][0], {})


EXPECTED_MISSES = {"sinan": {"CS_ESCOL_N": ["9"]}}
"""9 stands beside 8 and 10 there: nothing but the record layout tells that it means unknown."""
