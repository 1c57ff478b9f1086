"""A step is answered when all that it asks is, and answers that no longer fit do not stand."""

import pytest

import biombo as bb
from biombo._guide import STEPS, answered, with_schema

SCHEMA = {"columns": {"age": {"role": "quasi"}, "city": {"role": "quasi"}, "disease": {"role": "sensitive"}}}
WITHOUT_SENSITIVE = {"columns": {"age": {"role": "quasi"}}}
PUBLIC = {"release_model": "public", "harm": "low"}
KNOWN = {"motivation": "low", "acquaintances": 0, "prevalence": 0.0, "breach": 0.0}
CONTROLLED = {"release_model": "controlled", "harm": "low", **KNOWN}
RECORD = {"register": "register.db", "department": "statistics", "review": "2031-01-31"}


@pytest.fixture(autouse=True)
def _without_register(monkeypatch):
    monkeypatch.setenv("BIOMBO_REGISTER", "")


def steps(**entries) -> list[str]:
    tree = {"biombo-request": 1, "kind": "publish", **{name.replace("_", "-"): each for name, each in entries.items()}}
    return [step for step in STEPS if answered(bb.PublishRequest.from_tree(tree), step)]


@pytest.mark.parametrize("entries", [{"release_model": "public"}, {"harm": "high"}, {"threshold": 0.1}])
def test_for_whom_it_is_takes_both_who_and_what_harm(entries):
    assert steps(**entries) == []


def test_for_anybody_that_is_all():
    assert steps(**PUBLIC) == ["recipients"]


@pytest.mark.parametrize("missing", [*KNOWN, "harm"])
def test_for_known_people_every_condition_must_be_said(missing):
    assert steps(**CONTROLLED) == ["recipients"]
    assert steps(**{name: value for name, value in CONTROLLED.items() if name != missing}) == []


@pytest.mark.parametrize("missing", ["department", "review"])
def test_a_register_must_be_told_more(missing):
    assert steps(**PUBLIC, **RECORD) == ["recipients"]
    assert steps(**PUBLIC, **{name: value for name, value in RECORD.items() if name != missing}) == []
    assert steps(**CONTROLLED, **RECORD) == []
    assert steps(**CONTROLLED, **RECORD, recipient=["the ministry"]) == ["recipients"]


def test_what_must_hold_is_about_groups_and_about_sensitive_values():
    assert steps(schema=SCHEMA, k=10) == ["columns"]
    assert steps(schema=SCHEMA, l=3) == ["columns"]
    assert steps(schema=SCHEMA, k=10, l=3) == ["columns", "protection"]
    assert steps(schema=WITHOUT_SENSITIVE, k=10) == ["columns", "protection"]


def test_a_schema_without_anything_that_others_know_is_no_answer():
    assert steps(schema={"columns": {"disease": {"role": "sensitive"}}}) == []


def test_what_was_said_of_columns_goes_with_their_roles():
    request = bb.PublishRequest(
        schema=SCHEMA,
        level={"age": (None, 2), "city": 0},
        weights={"city": 2.0},
        accept_column=["disease"],
        reason="rare",
        k=12,
    )
    other = with_schema(request, {"columns": {"age": {"role": "quasi"}, "city": {"role": "undecided"}}})
    assert (other.level, other.weights, other.accept_column, other.reason) == ({"age": (None, 2)}, None, (), None)
    assert other.k == 12
    assert with_schema(request, SCHEMA) == request
