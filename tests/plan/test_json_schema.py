"""The JSON schema of plans agrees with what is read."""

import json
from math import isfinite
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from operation_examples import EXAMPLES

import biombo as bb
from biombo._criteria import KINDS
from biombo._documents import entries_of, limit_of
from biombo._plan import OPERATIONS

SCHEMA = Draft202012Validator(bb.Plan.json_schema())


def plan_with(*operations: dict[str, Any]) -> dict[str, Any]:
    return {"biombo-plan": 1, "operations": list(operations)}


def test_it_is_a_schema_that_knows_all_operations_and_criteria() -> None:
    Draft202012Validator.check_schema(SCHEMA.schema)
    known = {list_: SCHEMA.schema["properties"][list_]["items"]["properties"] for list_ in ("operations", "criteria")}

    assert set(known["operations"]) == set(OPERATIONS)
    assert set(known["criteria"]) == set(KINDS)


WAIVER = {"criterion": {"l-diversity": {"l": 2, "column": "x"}}, "reason": "why", "accepted-by": "who"}
PLANS = [
    {"biombo-plan": 1, "quasi": ["age"], "person": "id", "max-suppression": 0.02},
    {"biombo-plan": 1, "quasi": None, "operations": None, "max_suppression": 0.5, "person": None},
    plan_with({"sample": {"share": None, "records": 5}}, {"rank-swap": {"column": "x", "at_most": 1}}),
    plan_with({"generalise": {"column": "x", "hierarchy": {"A": ["b"], "B": {}}, "level": 1, "apart": None}}),
    {"biombo-plan": 1, "criteria": [{"k-anonymity": {"k": 5}}, {"l-diversity": {"l": 2, "column": "disease"}}]},
    {"biombo-plan": 1, "criteria": [{"k-anonymity": {"k": 5}}], "operations": [{"suppress-groups": None}]},
    {"biombo-plan": 1, "waived": [WAIVER, WAIVER | {"criterion": {"leakage": {"max": 0.1, "column": "x"}}}]},
    {"biombo-plan": 1, "waived": [{name.replace("-", "_"): value for name, value in WAIVER.items()}]},
    plan_with({"suppress-column": {"column": "x"}}, {"round": {"column": "y", "base": 0.5, "apart": ["999"]}}),
    plan_with({"suppress-records": {"where": {"age": {"at-least": 90}, "city": ["A", "B"]}}}),
    plan_with({"mask-characters": {"column": "x", "with": "#", "positions": [1, -1], "hide-length": True}}),
    plan_with({"generalise": {"column": "x", "hierarchy": {"kind": "interval", "width": 5}, "level": 1}}),
    plan_with({"generalise": {"column": "x", "hierarchy": "age", "level": 1, "missing": "suppress"}}),
    plan_with({"top-bottom-code": {"column": "x", "top": 90, "bottom": None}}),
    plan_with({"derive-duration": {"from": "a", "to": "b", "into": "c", "unit": "years", "drop": False}}),
]


@pytest.mark.parametrize("tree", PLANS)
def test_plans_that_are_read_are_valid_and_so_is_what_is_written(tree) -> None:
    SCHEMA.validate(tree)
    SCHEMA.validate(json.loads(json.dumps(bb.Plan.from_tree(tree).to_tree())))


@pytest.mark.parametrize(
    "tree",
    [
        {"quasi": ["age"]},
        {"biombo-plan": 2},
        {"biombo-plan": True},
        {"biombo-plan": 1, "criteria": [{"k-anonymity": {"k": 0}}]},
        {"biombo-plan": 1, "criteria": [{"k-anonymity": {"k": 2, "quasi": []}}]},
        {"biombo-plan": 1, "criteria": [{"l-diversity": {"l": 1}}]},
        {"biombo-plan": 1, "waived": [WAIVER | {"criterion": {"k-anonymity": {"k": 2}}}]},
        {"biombo-plan": 1, "waived": [WAIVER | {"values": {"x": "harmless"}}]},
        {"biombo-plan": 1, "waived": [WAIVER | {"values": ["x"]}]},
        {"biombo-plan": 1, "waived": [WAIVER | {"reason": None}]},
        {"biombo-plan": 1, "waived": [{name: value for name, value in WAIVER.items() if name != "accepted-by"}]},
        plan_with({"sample": {}}),
        plan_with({"sample": None}),
        plan_with({"sample": {"share": 0.5, "records": 5}}),
        plan_with({"rank-swap": {"column": "x"}}),
        plan_with({"generalise": {"column": "x", "hierarchy": {"kind": "interval", "width": -5}, "level": 1}}),
        plan_with({"generalise": {"column": "x", "hierarchy": {"kind": "intervall"}, "level": 1}}),
        plan_with({"generalise": {"column": "x", "hierarchy": {"A": [1]}, "level": 1}}),
        {"biombo-plan": 1, "quasi": "age"},
        {"biombo-plan": 1, "quasis": ["age"]},
        {"biombo-plan": 1, "max-suppression": 2},
        {"biombo-plan": 1, "criteria": [{"k-anonymity": {}}]},
        plan_with({"suppress-colum": {"column": "x"}}),
        plan_with({"suppress-column": {"column": 7}}),
        plan_with({"suppress-column": None}),
        plan_with({"round": {"column": "x"}}),
        plan_with({"round": {"column": "x", "base": "5"}}),
        plan_with({"round": {"column": "x", "base": 5, "apart": [999]}}),
        plan_with({"derive-duration": {"from": "a", "to": "b", "into": "c", "unit": "weeks"}}),
        plan_with({"suppress-column": {"column": "x"}, "round": {"column": "y", "base": 5}}),
    ],
)
def test_plans_that_are_refused_are_not_valid(tree) -> None:
    assert not SCHEMA.is_valid(tree)
    with pytest.raises(bb.BiomboError):
        bb.Plan.from_tree(tree)


CRITERIA: dict[str, dict[str, Any]] = {
    "k-anonymity": {"k": 5},
    "l-diversity": {"l": 2},
    "t-closeness": {"t": 0.2},
    "vulnerability": {"max": 0.5},
    "leakage": {"max": 0.5},
    "deassociation": {"alpha": 0.5},
    "beta-likeness": {"beta": 2},
    "delta-disclosure": {"delta": 1.5},
    "k-map": {"k": 5, "population": 1000},
    "presence": {"max": 0.2, "population": 1000},
    "average-risk": {"max": 0.1},
    "uniqueness": {"max": 0.01},
    "population-uniqueness": {"max": 0.01, "population": 1000},
}
ENTRIES = {("criteria", name): tree for name, tree in CRITERIA.items()} | {
    ("operations", name): tree for name, tree in EXAMPLES.items()
}
FIELDS = {(list_, name): entries_of((KINDS if list_ == "criteria" else OPERATIONS)[name]) for list_, name in ENTRIES}
VALUES = (
    st.sampled_from([None, True, False, "", "x", "age", [], ["x"], ["x", "x"], {}, {"x": ["a"]}, {"x": None}])
    | st.integers(-3, 12)
    | st.floats(-2, 12).map(lambda number: round(number, 1))
)


def plan_of(list_: str, name: str, entries: dict[str, Any]) -> dict[str, Any]:
    others = {} if list_ == "criteria" else {"criteria": [{"k-anonymity": {"k": 2}}]}
    return {"biombo-plan": 1, list_: [{name: entries}], **others}


def is_read(tree: dict[str, Any]) -> bool:
    try:
        bb.Plan.from_tree(tree)
    except bb.BiomboError:
        return False
    return True


@settings(max_examples=300)
@given(st.sampled_from(sorted(which for which in ENTRIES if FIELDS[which])), st.data())
def test_whatever_is_read_is_valid(which, data) -> None:
    entry = data.draw(st.sampled_from(sorted(FIELDS[which])))
    spelled = data.draw(st.sampled_from([entry, entry.replace("-", "_")]))
    others = {name: value for name, value in ENTRIES[which].items() if name != entry}
    tree = plan_of(*which, others | {spelled: data.draw(VALUES)})

    assert SCHEMA.is_valid(tree) or not is_read(tree)


def outside(limit: Any) -> list[Any]:
    """Values that a limit does not allow, next to it."""
    ends = [limit.low if limit.above else limit.low - 1, limit.high + 1]
    return [[]] if limit.members else [end for end in ends if isfinite(end)]


OUTSIDE = [
    (*which, entry, value)
    for which, fields in FIELDS.items()
    for entry, field in fields.items()
    for value in outside(limit_of(field))
]


@pytest.mark.parametrize(("list_", "name", "entry", "value"), OUTSIDE)
def test_what_is_beyond_a_limit_is_neither_read_nor_valid(list_, name, entry, value) -> None:
    tree = plan_of(list_, name, ENTRIES[list_, name] | {entry: value})

    assert not is_read(tree)
    assert not SCHEMA.is_valid(tree)
