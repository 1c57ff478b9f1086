"""The schemas that come with Biombo say all that is needed of each column, in both languages."""

import pytest

from biombo._data import Schema, built_in
from biombo._hierarchy import Hierarchy
from biombo._i18n import LANGUAGES, set_language, text

NAMES = built_in()


def test_there_is_one_for_each_kind_of_file():
    assert NAMES == ["covid-vaccination", "siapa", "sihrd", "simdo", "sinan", "sinasc"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
class TestEachSchema:
    def test_every_column_has_a_label(self, name, language):
        schema = Schema.load(name)

        assert [column for column in schema.columns if column not in schema.labels(language)] == []

    def test_nothing_is_left_undecided_or_called_other_without_a_reason(self, name, language):
        schema = Schema.load(name)
        unsaid = (*schema.with_role("undecided"), *schema.with_role("other"))

        assert [column for column in unsaid if not schema[column].why(language)] == []

    def test_codes_and_adversaries_have_names(self, name, language):
        schema = Schema.load(name)

        assert all(set(schema.called(name, language)) == set(column.values) for name, column in schema.columns.items())
        assert set(schema.adversaries_called(language)) == set(schema.adversaries) != set()

    def test_what_it_is_for_is_told(self, name, language):
        set_language(language)

        assert text(f"schema.for.{name}")


@pytest.mark.parametrize("name", NAMES)
def test_quasi_columns_are_few_and_have_hierarchies_that_exist(name):
    schema = Schema.load(name)

    assert 5 <= len(schema.quasi) <= 10
    assert all(schema[column].hierarchy is not None for column in schema.quasi)
    for column in schema.columns.values():
        if column.hierarchy is not None:
            assert Hierarchy.load(column.hierarchy).height >= 1


@pytest.mark.parametrize("name", NAMES)
def test_codes_with_names_are_known_to_the_hierarchy_or_invalid(name):
    schema = Schema.load(name)
    for column in (schema[each] for each in schema.quasi):
        hierarchy = Hierarchy.load(column.hierarchy)
        unknown = [code for code in {*column.values} - column.invalid if hierarchy.ancestors(code) is None]
        assert unknown == []


@pytest.mark.parametrize("name", NAMES)
def test_documents_of_people_are_identifiers(name):
    schema = Schema.load(name)
    named = [column for column in schema.columns if column.startswith(("NM_PAC", "NM_MAE", "NUMEROD", "N_AIH"))]

    assert all(schema[column].role == "identifier" for column in named)
    assert schema.with_role("identifier")
