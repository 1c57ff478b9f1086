"""Criteria that were waived are judged apart, and decide nothing; whoever waives one lists the values concerned."""

import json
from collections import Counter

import numpy as np
import plain_criteria as plain
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused

import biombo as bb
from biombo._criteria import Count

TWO = bb.LDiversity(2, column="s")


def waiver(criterion=TWO, reason="harmless", accepted_by="Ana Souza", **values) -> bb.Waiver:
    return bb.Waiver(criterion, reason=reason, accepted_by=accepted_by, values=values)


def table(rows) -> bb.Dataset:
    schema = bb.Schema({"who": bb.ColumnSchema(role="identifier")}, person="who")
    return bb.read(pl.DataFrame(rows, schema=["who", "q", "s"], orient="row"), schema)


ROWS = [
    *[("ana", "x", "60+"), ("bia", "x", "60+"), ("bia", "x", "60+")],
    *[("caio", "y", "flu"), ("davi", "y", "gout"), ("eva", "y", "60+")],
    *[("fia", "z", None), ("gil", "z", None)],
]


def test_a_waived_criterion_is_judged_and_decides_nothing() -> None:
    judged = bb.judge(table(ROWS), bb.KAnonymity(2), quasi=["q"], waived=waiver())
    (waived,) = judged.waived

    assert judged.holds
    assert not judged.failing_rows().any()
    assert len(judged.verdicts) == 1
    assert not waived.holds
    assert (waived.verdict.groups, waived.verdict.records) == (2, 5)


def test_the_values_concerned_are_those_of_groups_that_fail() -> None:
    (waived,) = bb.judge(table(ROWS), [], quasi=["q"], waived=[waiver(**{"60+": "low"})]).waived

    assert waived.values == {"": 2, "60+": 3}
    assert waived.unlisted == ("",)
    with pytest.raises(bb.WaiverError) as caught:
        waived.refuse_unlisted()
    assert caught.value.unlisted == ("",)


def test_people_who_have_a_value_count_once_wherever_they_are() -> None:
    (waived,) = bb.judge(table(ROWS), [], quasi=["q"], waived=waiver(**{"60+": "low", "nobody's": "high"})).waived

    assert waived.holders() == {"60+": Count(4, 3), "nobody's": Count(0, 0)}


def test_one_that_holds_is_said_to_be_waived_though_it_holds() -> None:
    judged = bb.judge(table(ROWS[3:6]), bb.KAnonymity(2), quasi=["q"], waived=waiver())

    assert judged.waived[0].holds
    assert judged.waived[0].values == {}
    assert "waived, though it holds" in str(judged)
    bb.set_language("pt")
    assert "dispensado, embora atendido" in str(judged)
    bb.set_language("en")


def test_no_sentence_on_one_that_fails_says_that_it_is_met() -> None:
    judged = bb.judge(table(ROWS), [], quasi=["q"], waived=waiver())

    assert str(judged) == (
        "distinct l-diversity with l = 2, for s: waived, not met (least diversity 1; groups that fail: 2, with 5 "
        "records); accepted by Ana Souza, for this reason: harmless"
    )
    assert "nothing is asked" in repr(judged)


def test_plain_values_have_it_apart_and_nothing_of_what_is_in_groups() -> None:
    found = bb.judge(table(ROWS), bb.KAnonymity(2), quasi=["q"], waived=waiver(listed="high")).as_json()

    assert [each["criterion"] for each in found["criteria"]] == [{"k-anonymity": {"k": 2}}]
    assert found["waived"] == [
        {
            "criterion": {"l-diversity": {"l": 2, "column": "s"}},
            "quasi": ["q"],
            "holds": False,
            "achieved": 1.0,
            "failing": {"groups": 2, "records": 5},
            "reason": "harmless",
            "accepted_by": "Ana Souza",
            "values": {"listed": "high"},
        }
    ]
    assert "60+" not in json.dumps(found)


def test_all_values_are_concerned_where_the_table_as_a_whole_fails() -> None:
    loose, strict = (bb.Vulnerability(share, over="table", column="s") for share in (0.95, 0.5))
    first, second = bb.judge(table(ROWS), [], quasi=["q"], waived=[waiver(loose), waiver(strict)]).waived

    assert (first.holds, first.values) == (True, {})
    assert (second.holds, second.values) == (False, {"": 2, "60+": 4, "flu": 1, "gout": 1})


def test_values_are_told_of_each_column_by_itself() -> None:
    frame = pl.DataFrame({"q": list("xxyy"), "s": list("aabc"), "t": [1, 2, 3, 3]})
    (verdict,) = bb.judge(frame, bb.LDiversity(2), quasi=["q"], sensitive=["s", "t"]).verdicts

    assert verdict.values() == {"s": {"a": 2}, "t": {"3": 2}}


def test_a_list_of_values_is_never_cut() -> None:
    frame = pl.DataFrame({"q": [n // 2 for n in range(200)], "s": [f"value {n // 2}" for n in range(200)]})
    (verdict,) = bb.judge(frame, TWO, quasi=["q"]).verdicts

    assert verdict.values() == {"s": {f"value {n}": 2 for n in sorted(range(100), key=str)}}


row = st.tuples(st.sampled_from("uvw"), st.sampled_from("xyz"), st.sampled_from(["a", "b", None]), st.integers(0, 2))


@given(
    rows=st.lists(row, min_size=1, max_size=25),
    criterion=st.sampled_from([TWO, bb.LDiversity(3, column="s"), bb.Vulnerability(0.6, column="s")]),
)
def test_values_and_their_holders_are_those_of_the_definition(rows, criterion) -> None:
    there = [(who, q, s or "") for who, q, s, fate in rows if fate == 0]
    fails = {
        "l-diversity": lambda values: plain.distinct(values) < criterion.l,
        "vulnerability": lambda values: plain.top_share(values) > criterion.max,
    }[criterion.name]
    groups = [[each[2] for each in group] for group in plain.groups_of(there, [1]).values()]
    concerned = Counter(value for group in groups if fails(group) for value in group)
    fate = np.array([each[3] for each in rows])
    if not (fate != 2).any():
        return

    data = table([each[:3] for each in rows])
    marks = {"keep": fate != 2, "suppressed": fate == 1}
    (waived,) = bb.judge(data, [], quasi=["q"], waived=waiver(criterion, a="low"), **marks).waived

    assert waived.values == concerned
    assert waived.holders() == {"a": Count(sum(s == "a" for *_, s in there), len({w for w, _, s in there if s == "a"}))}
    assert waived.holds == (not concerned)


@pytest.mark.parametrize("asked", [TWO, bb.LDiversity(2), bb.LDiversity(2, column="s", quasi=["q"])])
def test_nothing_is_both_asked_for_and_waived(asked) -> None:
    with refused("criteria.asked-and-waived", "l = 2", "s"):
        bb.judge(table(ROWS), [bb.KAnonymity(2), asked], quasi=["q"], sensitive=["s"], waived=waiver())


@pytest.mark.parametrize(
    "asked",
    [
        bb.LDiversity(3, column="s"),
        bb.LDiversity(2, kind="entropy", column="s"),
        bb.LDiversity(2, column="q", quasi=["s"]),
        bb.LDiversity(2, column="s", quasi=["who2"]),
        bb.Vulnerability(0.9),
    ],
)
def test_something_else_on_the_same_column_may_be_asked(asked) -> None:
    data = bb.read(pl.DataFrame({"q": list("xxyy"), "s": list("abcd"), "who2": list("mmmm")}))

    judged = bb.judge(data, asked, quasi=["q"], sensitive=["s"], waived=waiver())

    assert [verdict.criterion for verdict in judged.verdicts] == [asked]


def test_two_waivers_of_the_same_are_one_too_many() -> None:
    with refused("criteria.waived-twice", "l = 2"):
        bb.judge(table(ROWS), [], quasi=["q"], waived=[waiver(a="low"), waiver(b="high")])


def test_the_size_of_groups_cannot_be_waived() -> None:
    with refused("criteria.not-waivable", "k = 3", "l-diversity"):
        waiver(bb.KAnonymity(3))


@pytest.mark.parametrize(
    ("wrong", "key", "mentioned"),
    [
        ({"criterion": "l-diversity"}, "criteria.not-waivable", "l-diversity"),
        ({"criterion": bb.LDiversity(2)}, "criteria.waiver-column", "l = 2"),
        ({"reason": " "}, "document.entry-short-text", "reason"),
        ({"reason": None}, "document.entry-short-text", "reason"),
        ({"reason": "see postgresql://ana:secret@host/db"}, "document.entry-password", "reason"),
        ({"accepted_by": ""}, "document.entry-short-text", "accepted-by"),
        ({"accepted_by": "password=secret"}, "document.entry-password", "accepted-by"),
        ({"values": ["a"]}, "criteria.waiver-values", "['a']"),
        ({"values": {5: "low"}}, "criteria.waiver-values", "5"),
        ({"values": {"a": "harmless"}}, "document.entry-choice", "harmless"),
    ],
)
def test_bad_waivers_are_refused(wrong, key, mentioned) -> None:
    with refused(key, mentioned):
        bb.Waiver(**{"criterion": TWO, "reason": "harmless", "accepted_by": "Ana", "values": {}} | wrong)


def test_texts_are_one_line_however_they_are_broken_in_a_file() -> None:
    assert waiver(reason=" the term\n  is signed\n").reason == "the term is signed"


def test_what_is_no_waiver_is_refused() -> None:
    with refused("criteria.no-waiver", "LDiversity"):
        bb.judge(table(ROWS), bb.KAnonymity(2), quasi=["q"], waived=[TWO])
