"""Whatever Python hands to an operation is understood, or refused in one sentence."""

from contextlib import suppress
from dataclasses import fields
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from operation_examples import EXAMPLES
from refusal import refused

import biombo as bb
from biombo._criteria import KINDS
from biombo._data import InPopulation
from biombo._documents import Where, entries_of, hints_of, read_value, spelling_of
from biombo._hierarchy import AllOrNothing, BoundsHierarchy, DateHierarchy, IntervalHierarchy, PrefixHierarchy
from biombo._plan import OPERATIONS

WRONG = (
    *(None, True, 5, -1, 5.5, float("nan"), "x", "", b"x", (), [1], ["a"], [None], [["a"]], (1, 2), ("a", "b")),
    *({"a": 1}, {1: 2}, {"a"}, object(), date(2024, 1, 31), np.float64(0.5), np.int8(3), np.array([1, 2]), len),
)
CRITERIA = (bb.KAnonymity(2),)
CASES = [(name, field.name) for name, kind in OPERATIONS.items() for field in fields(kind)]


def fields_of(name: str) -> dict[str, object]:
    example = OPERATIONS[name].from_entries(EXAMPLES[name], Path())
    return {field.name: getattr(example, field.name) for field in fields(example)}


@pytest.mark.parametrize(("name", "field"), CASES, ids=lambda each: each)
def test_a_value_of_any_type_makes_a_plan_that_can_be_written_or_is_refused_in_a_sentence(name, field) -> None:
    refusals: list[str] = []
    for value in WRONG:
        try:
            operation = OPERATIONS[name](**{**fields_of(name), field: value})
        except bb.UsageError as error:
            refusals.append(str(error))
        else:
            assert bb.Plan.from_tree(bb.Plan([operation], CRITERIA).to_tree()).operations == (operation,)
            assert bb.Plan([operation], CRITERIA).to_yaml()
    assert len(refusals) > len(WRONG) / 2
    assert not any("\n" in sentence for sentence in refusals)


def test_sentences_name_the_entry_and_what_it_must_be() -> None:
    with refused("document.entry-text", "column", "5"):
        bb.SuppressColumn(5)
    with refused("document.entry-whole-number", "decimals", "'two'"):
        bb.AddNoise("x", 1, decimals="two")
    with refused("document.entry-number", "epsilon", "None"):
        bb.Geometric("x", None, (0, 1))
    with refused("document.entry-yes-or-no", "drop", "'no'"):
        bb.DeriveDuration("a", "b", "c", drop="no")
    with refused("document.entry-texts", "apart", "[999]"):
        bb.RankSwap("x", 0.1, apart=[999])
    with refused("document.entry-list", "bounds"):
        bb.Laplace("x", 1, 5)
    with refused("document.entry-mapping", "where"):
        bb.SuppressRecords(["x"])
    with refused("document.entry-hierarchy", "hierarchy", "'age'"):
        bb.Generalise("age", "age", 1)
    with refused("document.entry-choice", "if-failing", "mask-more"):
        bb.MaskGroups(if_failing="hide")


def test_numbers_of_numpy_and_dates_become_what_a_plan_has() -> None:
    noise = bb.AddNoise("x", np.float32(0.5), decimals=np.int64(1))
    assert (type(noise.spread), type(noise.decimals)) == (float, int)
    bounds = bb.Geometric("born", 1, (date(1920, 1, 1), date(2024, 12, 31))).bounds
    assert bounds == ("1920-01-01", "2024-12-31")


HIERARCHIES = (AllOrNothing, IntervalHierarchy, BoundsHierarchy, PrefixHierarchy, DateHierarchy)
RECORDS = (bb.Plan, bb.Schema, bb.ColumnSchema, InPopulation, *OPERATIONS.values(), *KINDS.values(), *HIERARCHIES)


@pytest.mark.parametrize("kind", RECORDS, ids=lambda kind: kind.__name__)
def test_every_entry_of_a_document_is_of_a_type_that_is_known(kind) -> None:
    for entry, field in entries_of(kind).items():
        if spelling_of(field).read is not None:
            continue
        for value in WRONG:
            with suppress(bb.BiomboError):
                read_value(hints_of(kind)[field.name], value, Where(entry))
