"""What a plan can be, and what it cannot."""

import pytest
from refusal import refused

import biombo as bb
from biombo._i18n import LANGUAGES, _catalogue
from biombo._plan import OPERATIONS

AGES = bb.Hierarchy.built_in("age")
GENERALISE = bb.Generalise("age", AGES, 1)


def test_lists_will_do_where_tuples_are_kept() -> None:
    plan = bb.Plan([GENERALISE], [bb.KAnonymity(2)], ["age"], ["disease"], ["name"], "patient", 0.1)

    assert plan.operations == (GENERALISE,)
    assert plan.quasi == ("age",)
    assert dict(plan.roles) == {
        "age": "quasi",
        "disease": "sensitive",
        "name": "identifier",
        "patient": "identifier",
    }


def test_the_person_may_be_listed_among_the_identifiers_too() -> None:
    assert bb.Plan(identifiers=["cpf"], person="cpf").roles == {"cpf": "identifier"}


@pytest.mark.parametrize(
    "roles",
    [
        {"quasi": ["age"], "sensitive": ["age"]},
        {"quasi": ["age"], "identifiers": ["age"]},
        {"quasi": ["age", "age"]},
        {"sensitive": ["age"], "person": "age"},
    ],
)
def test_a_column_is_one_thing(roles) -> None:
    with refused("plan.two-roles", "'age'"):
        bb.Plan(**roles)


def test_two_operations_on_one_column_are_refused() -> None:
    with refused("plan.overlap", "'age'", "generalise"):
        bb.Plan([GENERALISE, bb.Generalise("age", bb.Hierarchy.by_interval(7), 1)])


def test_identifiers_are_left_out_and_not_generalised() -> None:
    with refused("plan.wrong-role", "'age'", "identifier", "generalise"):
        bb.Plan([GENERALISE], identifiers=["age"])


@pytest.mark.parametrize("operation", [bb.SuppressGroups(), bb.MaskGroups()])
def test_operations_on_failing_groups_need_criteria(operation) -> None:
    with refused("plan.no-criteria", operation.name):
        bb.Plan([operation], quasi=["age"])


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_lies_between_none_and_all(share) -> None:
    with refused("plan.max-suppression", str(share)):
        bb.Plan(max_suppression=share)


def test_a_text_is_no_list_of_columns() -> None:
    with refused("usage.string-for-list", "quasi", "'age'"):
        bb.Plan(quasi="age")


@pytest.mark.parametrize("level", [-1, 5])
def test_a_level_must_exist(level) -> None:
    with refused("plan.level", "'age'", str(level), "4"):
        bb.Generalise("age", AGES, level)


def test_what_becomes_of_unknown_values_is_one_of_three_answers() -> None:
    with refused("document.entry-choice", "missing", "'guess'", "own-branch"):
        bb.Generalise("age", AGES, 1, missing="guess")


@pytest.mark.parametrize(
    ("share", "rows", "limit"), [(None, 7, 7), (0.29, 100, 29), (0.02, 49, 0), (0.02, 50, 1), (0, 10, 0), (1, 10, 10)]
)
def test_the_limit_is_the_share_of_the_records_rounded_down_in_decimals(share, rows, limit) -> None:
    assert bb.Plan(max_suppression=share).suppression_limit(rows) == limit


def test_every_operation_says_what_it_is() -> None:
    for name, operation in OPERATIONS.items():
        assert operation.name == name
        assert operation.scope in ("row", "two-pass", "table"), name
        assert set(operation.roles) <= {"identifier", "quasi", "sensitive", "other"}, name
        assert isinstance(operation.truthful, bool), name
        assert isinstance(operation.reversible, bool), name
        assert all(operation.leaks in _catalogue(language) for language in LANGUAGES), name
