"""How many people are behind the records that are left out or masked."""

from collections.abc import Sequence

import hypothesis.strategies as st
import plain_plan as plain
import polars as pl
import pytest
from examples import examples
from hypothesis import given

import biombo as bb

RECORDS = st.lists(
    st.fixed_dictionaries(
        {
            "who": st.sampled_from(["Ana", "Bia", "Caio", "Davi", None]),
            "group": st.sampled_from("xyz"),
            "disease": st.sampled_from(["flu", "gout", "999"]),
        }
    ),
    min_size=1,
    max_size=15,
)
OPERATIONS = [
    bb.SuppressRecords({"disease": "gout"}),
    bb.SuppressGroups(),
    bb.MaskGroups(),
    bb.MaskGroups(if_failing="drop"),
    bb.Sample(share=0.5),
    bb.DropDuplicates(["group", "disease"]),
    bb.DropInvalid({"disease": ["999"]}),
]
NUMBERS = ("suppressed", "unhidden", "not_drawn", "duplicates", "invalid", "masked", "masked_further")


def people_in(records: Sequence[plain.Record], person: str | None) -> int:
    """Each record is somebody else's, unless a person is named; those whom nobody names may all be the same."""
    return len(records) if person is None else len({record[person] for record in records})


def applied(
    records: Sequence[plain.Record], operations: Sequence[bb.Operation], person: str | None, criteria: bool
) -> bb.Applied | None:
    """What comes of it, with the number of each record in the table; nothing where nothing would be left."""
    table = pl.DataFrame(records, dict.fromkeys(records[0], pl.String)).with_row_index("row")
    asked = [bb.KAnonymity(2)] if criteria else []
    plan = bb.Plan(operations, asked, ["group"], ["disease", "row"], person=person)
    try:
        return bb.apply(table, plan)
    except bb.BiomboError as error:
        if error.key not in ("plan.nothing-left", "plan.mask-hopeless", "plan.sample-impossible"):
            raise
        return None


@pytest.mark.parametrize("person", ["who", None])
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
@examples(40)
@given(records=RECORDS, with_criteria=st.booleans())
def test_people_are_those_of_the_records_that_are_counted(operation, person, records, with_criteria) -> None:
    groups = isinstance(operation, bb.SuppressGroups | bb.MaskGroups)
    found = applied(records, [operation], person, with_criteria or groups)
    if found is None:
        return
    rows = found.data["row"].to_list()
    masked = found.data.filter(pl.col("group") == "*")["row"].to_list()
    gone = [record for row, record in enumerate(records) if row not in rows]
    hidden = [records[row] for row in masked]

    left_out = [name for name in NUMBERS[:5] if name != "unhidden" and getattr(found, name)]
    assert [found.people[name] for name in left_out] == ([people_in(gone, person)] if gone else [])
    assert found.people["masked"] == people_in(hidden, person)
    assert found.people["unhidden"] == (people_in(gone, person) if found.unhidden else 0)
    assert found.people["masked_further"] == people_in(_meeting(hidden, records, person), person)


def _meeting(masked: list[plain.Record], records: Sequence[plain.Record], person: str | None) -> list[plain.Record]:
    """Of the masked, those whose own group was large enough."""
    plan = bb.Plan(criteria=[bb.KAnonymity(2)], quasi=["group"], person=person)
    return [record for record in masked if plain.meets(plain.group_of(record, records, plan), plan)]


@given(RECORDS, st.lists(st.sampled_from(OPERATIONS), max_size=3), st.sampled_from(["who", None]))
def test_there_are_never_more_people_than_records_and_never_none_behind_some(records, operations, person) -> None:
    found = applied(records, operations, person, criteria=True)
    if found is None:
        return
    assert tuple(found.people) == NUMBERS
    assert found.as_json()["people"] == found.people
    for name in NUMBERS:
        count, people = found.count(name), found.people[name]
        assert (count.records, count.people) == (getattr(found, name), people)
        assert people <= count.records
        assert (people == 0) == (count.records == 0)
        assert person is not None or people == count.records


def test_a_person_whose_name_is_replaced_is_still_one() -> None:
    table = pl.DataFrame({"who": ["Ana", "Ana", "Bia"], "disease": ["flu", "flu", "gout"]})
    operations = [bb.Pseudonymise("who", "random"), bb.SuppressRecords({"disease": "flu"})]
    found = bb.apply(table, bb.Plan(operations, sensitive=["disease"], person="who"))

    assert (found.suppressed, found.people["suppressed"]) == (2, 1)
