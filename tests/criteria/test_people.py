"""Where the schema names the person, groups are counted in people (PDPC 2018, 16.7)."""

import plain_criteria as plain
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused

import biombo as bb
from biombo._criteria import demand

QUASI = bb.ColumnSchema(role="quasi")
SCHEMA = bb.Schema({"q": QUASI, "s": bb.ColumnSchema(role="sensitive")}, person="patient")
COLUMNS = ["patient", "q", "s"]

row = st.tuples(st.sampled_from(["Ana", "Beto", "Caio", None]), st.sampled_from("xyz"), st.sampled_from("ab"))


def read(rows: list[plain.Row]) -> bb.Dataset:
    return bb.read(pl.DataFrame(rows, schema=COLUMNS, orient="row"), SCHEMA, columns=COLUMNS)


@given(rows=st.lists(row, min_size=1, max_size=30))
def test_a_group_is_as_large_as_it_has_people_and_those_without_a_name_are_one(rows: list[plain.Row]) -> None:
    people = {key[0]: {row[0] for row in group} for key, group in plain.groups_of(rows, [1]).items()}
    failing = {key for key, names in people.items() if len(names) < 2}

    verdict = bb.judge(read(rows), bb.KAnonymity(2)).verdicts[0]

    assert verdict.achieved == min(map(len, people.values()))
    assert verdict.failing_rows().tolist() == [row[1] in failing for row in rows]
    assert {group.values["q"]: group.value for group in verdict.worst()} == {k: len(v) for k, v in people.items()}


def test_many_visits_of_one_person_hide_nobody() -> None:
    visits = [("Ana", "x", "a")] * 5 + [("Beto", "y", "a"), ("Caio", "y", "b")]
    assert not bb.judge(read(visits), bb.KAnonymity(2)).holds
    assert bb.judge(read(visits[5:]), bb.KAnonymity(2)).holds


def test_diversity_and_guesses_are_about_records() -> None:
    visits = [("Ana", "x", "a"), ("Ana", "x", "b"), ("Beto", "x", "a")]
    diversity, share = bb.judge(read(visits), [bb.LDiversity(2), bb.Vulnerability(0.7)]).verdicts
    assert diversity.achieved == 2
    assert share.achieved == pytest.approx(2 / 3)


def test_the_kernel_is_asked_for_distinct_people_instead_of_records() -> None:
    asked = demand(read([("Ana", "x", "a")]), [bb.KAnonymity(3), bb.LDiversity(2), bb.KAnonymity(4)])
    assert asked.k == 1
    assert [target.name for target in asked.targets] == ["patient", "s"]
    assert [(rule.target, rule.kind, rule.bound) for rule in asked.rules] == [
        (0, "distinct", 3),
        (1, "distinct", 2),
        (0, "distinct", 4),
    ]


def test_a_person_who_was_not_read_is_missed_aloud() -> None:
    data = bb.read(pl.DataFrame([("Ana", "x", "a")] * 2, schema=COLUMNS, orient="row"), SCHEMA)
    with pytest.warns(bb.BiomboWarning, match="'patient'"):
        assert bb.judge(data, bb.KAnonymity(2)).holds


@pytest.mark.parametrize("options", [{"quasi": ["q", "patient"]}, {"sensitive": "patient"}])
def test_the_person_is_neither_quasi_nor_sensitive(options: dict[str, object]) -> None:
    with refused("attack.person", "'patient'"):
        bb.judge(read([("Ana", "x", "a")]), bb.LDiversity(2), **options)
