"""A number that cannot be is told by the option that it was given for, not by an entry of plans that nobody typed."""

import pytest
from refusal import refused

import biombo as bb

PEOPLE = {"population_size": 1000}


@pytest.mark.parametrize(
    ("key", "option", "given"),
    [
        ("usage.option-whole", "--l", {"l": 0}),
        ("usage.option-whole", "--l", {"l": {"disease": 1}}),
        ("usage.option-above", "--c", {"l": 2, "l_kind": "recursive", "c": -1}),
        ("usage.c-needed", "--c", {"l": 2, "l_kind": "recursive"}),
        ("usage.c-unused", "--c", {"l": 2, "c": 3}),
        ("usage.option-above-to", "--alpha", {"alpha": 2}),
        ("usage.option-between", "--t", {"t": -1}),
        ("usage.option-above", "--beta", {"beta": 0}),
        ("usage.option-above", "--delta-disclosure", {"delta_disclosure": 0}),
        ("usage.option-above-to", "--max-vulnerability", {"max_vulnerability": 2}),
        ("usage.option-between", "--max-leakage", {"max_leakage": 7}),
        ("usage.option-above-to", "--max-presence", {"max_presence": 2, **PEOPLE}),
        ("usage.option-above-to", "--max-average-risk", {"max_average_risk": -1}),
        ("usage.option-between", "--max-uniqueness", {"max_uniqueness": 2}),
        ("usage.option-between", "--max-population-uniqueness", {"max_population_uniqueness": -1, **PEOPLE}),
    ],
)
def test_a_number_that_cannot_be_is_told_by_its_option(key, option, given) -> None:
    with refused(key, option.removeprefix("--").replace("-", "_")):
        _ = bb.SearchRequest(sensitive=["disease"], **given).criteria
