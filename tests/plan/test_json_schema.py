"""The JSON schema of plans agrees with what is read."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import biombo as bb
from biombo._criteria import KINDS
from biombo._plan import OPERATIONS

SCHEMA = Draft202012Validator(bb.Plan.json_schema())


def plan_with(*operations: dict[str, Any]) -> dict[str, Any]:
    return {"biombo-plan": 1, "operations": list(operations)}


def test_it_is_a_schema_that_knows_all_operations_and_criteria() -> None:
    Draft202012Validator.check_schema(SCHEMA.schema)
    known = {list_: SCHEMA.schema["properties"][list_]["items"]["properties"] for list_ in ("operations", "criteria")}

    assert set(known["operations"]) == set(OPERATIONS)
    assert set(known["criteria"]) == set(KINDS)


PLANS = [
    {"biombo-plan": 1, "quasi": ["age"], "person": "id", "max-suppression": 0.02},
    {"biombo-plan": 1, "criteria": [{"k-anonymity": {"k": 5}}, {"l-diversity": {"l": 2, "column": "disease"}}]},
    {"biombo-plan": 1, "criteria": [{"k-anonymity": {"k": 5}}], "operations": [{"suppress-groups": None}]},
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
