"""A plan may waive a criterion on sensitive values: nothing is done for it, and nothing goes out unseen."""

from collections import Counter
from dataclasses import replace

import numpy as np
import plain_criteria as plain
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from partition_engine import PartitionEngine
from refusal import refused

import biombo as bb
from biombo._engine import LOCAL
from biombo._plan import released_of

YAML = """
biombo-plan: 1
identifiers: [name]
quasi: [district]
sensitive: [group]
criteria:
- k-anonymity: {k: 3}
waived:
- criterion: {l-diversity: {l: 2, column: group}}
  reason: only age bands occur in the groups concerned, and the researcher has signed the term
  accepted-by: Ana Souza, data manager
  values: {"Faixa Etária": low, "Pessoas de 12 a 17 anos": low}
operations:
- suppress-groups: {}
"""

BANDS = {"Faixa Etária": "low", "Pessoas de 12 a 17 anos": "low"}
WAIVER = bb.Waiver(
    bb.LDiversity(2, column="group"),
    reason="only age bands occur in the groups concerned, and the researcher has signed the term",
    accepted_by="Ana Souza, data manager",
    values=BANDS,
)
PLAN = bb.Plan(
    [bb.SuppressGroups()], [bb.KAnonymity(3)], ["district"], ["group"], identifiers=["name"], waived=[WAIVER]
)
GROUPS = {
    "A": ["Faixa Etária"] * 4,
    "B": ["Pessoas de 12 a 17 anos"] * 3,
    "C": ["Faixa Etária", "Comorbidades", "Trabalhadores de Saúde"],
    "D": ["Comorbidades"] * 2,
}
"""As in Moraes et al.'s case: those of A and B have nothing but an age band in common; those of D are too few."""


def table(groups: dict[str, list[str | None]]) -> pl.DataFrame:
    rows = [(district, group) for district, values in groups.items() for group in values]
    frame = pl.DataFrame(rows, schema={"district": pl.String, "group": pl.String}, orient="row")
    return frame.with_columns(name=pl.format("person {}", pl.int_range(pl.len())))


each_engine = pytest.mark.parametrize("engine", [LOCAL, PartitionEngine(1)], ids=["local", "partitions"])


def test_a_waiver_stands_in_the_plan(tmp_path) -> None:
    (tmp_path / "plan.yaml").write_text(YAML)
    plan = bb.Plan.load(tmp_path / "plan.yaml")

    assert plan == PLAN
    assert bb.Plan.from_tree(plan.to_tree()) == plan
    assert plan.hash == PLAN.hash
    assert "waived" in repr(plan)


@pytest.mark.parametrize(
    "change",
    [
        {"criterion": bb.LDiversity(3, column="group")},
        {"reason": "another"},
        {"accepted_by": "somebody else"},
        {"values": BANDS | {"Comorbidades": "high"}},
        {"values": BANDS | {"Faixa Etária": "medium"}},
    ],
)
def test_the_hash_of_a_plan_is_also_of_what_it_waives(change) -> None:
    other = replace(PLAN, waived=[replace(WAIVER, **change)])

    assert len({PLAN.hash, other.hash, replace(PLAN, waived=()).hash}) == 3
    assert replace(PLAN, waived=[replace(WAIVER, values=dict(reversed(BANDS.items())))]).hash == PLAN.hash


@each_engine
def test_groups_that_fail_only_what_is_waived_come_out(engine) -> None:
    applied = bb.apply(table(GROUPS), PLAN, engine=engine)
    (waived,) = applied.waived

    assert applied.holds
    assert (applied.rows, applied.suppressed) == (10, 2)
    assert [verdict.criterion for verdict in applied.judgement.verdicts] == [bb.KAnonymity(3)]
    assert (waived.verdict.groups, waived.verdict.records) == (2, 7)
    assert waived.values == {"Faixa Etária": 4, "Pessoas de 12 a 17 anos": 3}
    assert applied.as_json()["judgement"]["waived"] == [waived.as_json()]


@each_engine
def test_a_value_that_the_waiver_does_not_list_stops_it(engine, tmp_path) -> None:
    with pytest.raises(bb.WaiverError) as caught:
        bb.apply(table(GROUPS | {"E": ["Gestantes"] * 3, "F": [None] * 3}), PLAN, tmp_path / "out.csv", engine=engine)

    assert caught.value.unlisted == ("", "Gestantes")
    assert "'group'" in str(caught.value)
    assert "Gestantes" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_without_any_value_the_refusal_lists_all_of_them() -> None:
    plan = replace(PLAN, waived=[replace(WAIVER, values={})])

    with pytest.raises(bb.WaiverError) as caught:
        bb.apply(table(GROUPS), plan)
    accepted = replace(WAIVER, values=dict.fromkeys(caught.value.unlisted, "low"))
    assert bb.apply(table(GROUPS), replace(PLAN, waived=[accepted])).rows == 10


def test_an_empty_text_stands_for_a_missing_value() -> None:
    plan = replace(PLAN, waived=[replace(WAIVER, values={"": "medium"})])

    assert bb.apply(table({"A": [None, "", None]}), plan).waived[0].values == {"": 3}


def test_masking_takes_no_notice_of_it() -> None:
    masking = replace(PLAN, operations=[bb.MaskGroups()])
    asked = replace(masking, criteria=[*PLAN.criteria, WAIVER.criterion], waived=())

    assert (bb.apply(table(GROUPS), masking).masked, bb.apply(table(GROUPS), asked).masked) == (5, 9)


def test_synonyms_do_not_hide_a_value_from_whoever_waives() -> None:
    words = {"Comorbidades": ["Doenças prévias", "Outras doenças"]}
    plan = bb.Plan(
        [bb.Diversify("group", words, groups_below=2, missing="leave")],
        [bb.KAnonymity(3)],
        ["district"],
        ["group"],
        waived=[WAIVER],
    )
    people = table(GROUPS | {"D": ["Comorbidades"] * 3}).drop("name")

    with pytest.raises(bb.WaiverError) as caught:
        bb.apply(people, plan)
    assert caught.value.unlisted == ("Comorbidades",)
    accepted = replace(WAIVER, values=BANDS | {"Comorbidades": "high"})
    assert bb.apply(people, replace(plan, waived=[accepted])).waived[0].values["Comorbidades"] == 3


def test_a_plan_may_waive_and_ask_for_nothing() -> None:
    applied = bb.apply(
        table(GROUPS),
        replace(PLAN, operations=(), criteria=(), waived=[replace(WAIVER, values=BANDS | {"Comorbidades": "high"})]),
    )

    assert applied.holds
    assert applied.judgement.verdicts == ()
    assert [waived.holds for waived in applied.waived] == [False]


@given(
    groups=st.dictionaries(
        st.sampled_from("ABCD"), st.lists(st.sampled_from(["x", "y", "z", None]), min_size=1, max_size=5), min_size=1
    ),
    listed=st.sets(st.sampled_from(["x", "y", "z", ""])),
    k=st.integers(2, 3),
)
def test_nothing_comes_out_that_was_not_listed_and_all_else_as_if_nothing_was_waived(groups, listed, k) -> None:
    kept = [[value or "" for value in values] for values in groups.values() if len(values) >= k]
    concerned = Counter(value for values in kept if plain.distinct(values) < 2 for value in values)
    plan = replace(PLAN, criteria=[bb.KAnonymity(k)], waived=[replace(WAIVER, values=dict.fromkeys(listed, "low"))])
    if not kept:
        return
    unlisted = {*concerned} - listed
    if unlisted:
        with pytest.raises(bb.WaiverError) as caught:
            bb.apply(table(groups), plan)
        assert caught.value.unlisted == tuple(sorted(unlisted))
        return

    applied = bb.apply(table(groups), plan, keep_order=True)
    assert applied.waived[0].values == concerned
    without = bb.apply(table(groups), replace(plan, waived=()), keep_order=True)
    assert applied.data.equals(without.data)
    assert applied.outcome.total == without.outcome.total


@pytest.mark.parametrize(
    ("change", "key", "mentioned"),
    [
        ({"criteria": [bb.LDiversity(2)]}, "criteria.asked-and-waived", "l = 2"),
        ({"criteria": [bb.LDiversity(2, column="group", quasi=["district"])]}, "criteria.asked-and-waived", "l = 2"),
        ({"waived": [WAIVER, WAIVER]}, "criteria.waived-twice", "l = 2"),
        ({"waived": [bb.LDiversity(2, column="group")]}, "criteria.no-waiver", "LDiversity"),
        ({"waived": "all"}, "usage.string-for-list", "all"),
        ({"operations": [bb.SuppressColumn("group")]}, "plan.criterion-removed", "'group'"),
    ],
)
def test_plans_that_contradict_themselves_are_refused(change, key, mentioned) -> None:
    with refused(key, mentioned):
        replace(PLAN, **change)


def test_waiving_is_nothing_that_groups_could_be_suppressed_for() -> None:
    with refused("plan.no-criteria", "suppress-groups"):
        replace(PLAN, criteria=())


def test_a_column_that_is_not_there_is_named_before_the_work(tmp_path) -> None:
    elsewhere = replace(PLAN, waived=[replace(WAIVER, criterion=bb.LDiversity(2, column="grupo"))])

    with refused("column.missing-close", "'grupo'"):
        bb.apply(table(GROUPS), elsewhere, tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("written", "instead", "mentioned"),
    [
        ("l-diversity: {l: 2, column: group}", "k-anonymity: {k: 2}", ["1", "k = 2"]),
        ("l-diversity: {l: 2, column: group}", "l-diversity: {l: 2}", ["1", "column"]),
        ("l-diversity: {l: 2, column: group}", "l-diversity: {l: 1, column: group}", ["1", "l-diversity", "'l'"]),
        ("  accepted-by: Ana Souza, data manager\n", "", ["1", "'accepted-by'"]),
        ("Ana Souza, data manager", '""', ["1", "accepted-by"]),
        ("Ana Souza, data manager", "7", ["1", "accepted-by"]),
        ("accepted-by", "accepted", ["1", "'accepted'", "'accepted-by'"]),
        ("reason: only", "reason: password=x only", ["1", "reason"]),
        ('{"Faixa Etária": low, "Pessoas de 12 a 17 anos": low}', "{60: low}", ["1", "60"]),
        ('{"Faixa Etária": low, "Pessoas de 12 a 17 anos": low}', "[x]", ["1", "['x']"]),
        ('"Faixa Etária": low', '"Faixa Etária": none', ["1", "Faixa Etária", "low, medium, high"]),
    ],
)
def test_a_waiver_that_is_wrong_is_one_sentence_that_names_the_file(tmp_path, written, instead, mentioned) -> None:
    assert written in YAML
    path = tmp_path / "plan.yaml"
    path.write_text(YAML.replace(written, instead))

    with refused("document.in-plan", str(path), *mentioned):
        bb.Plan.load(path)


def test_some_of_the_records_are_carried_out_as_if_nothing_was_waived() -> None:
    """Predictions learn from parts of a table, in which other values may be alone in their groups."""
    rows = np.array([7, 8, 8, 8])

    with pytest.raises(bb.WaiverError):
        bb.apply(table({"C": ["Comorbidades"] * 3}), PLAN)
    part = released_of(bb.read(table(GROUPS)), PLAN, rows, ["district", "group"])
    assert part.rows() == [("C", "Faixa Etária"), *[("C", "Comorbidades")] * 3]
    few = released_of(bb.read(table(GROUPS)), PLAN, rows[1:], ["district", "group"])
    assert few.rows() == [("C", "Comorbidades")] * 3
