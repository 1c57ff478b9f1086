"""What a plan with noise says about its cost and its guarantee."""

from dataclasses import replace

import polars as pl
import pytest

import biombo as bb
from biombo._i18n import LANGUAGES, set_language

SMOKES = bb.RandomisedResponse("smokes", 1, ("yes", "no"))
AGE = bb.Geometric("age", 0.5, (0, 110))
TENS = bb.Hierarchy.by_interval(10)


def test_a_plan_without_noise_has_nothing_to_say() -> None:
    assert bb.guarantees(bb.Plan([bb.SuppressColumn("age")])) is None
    assert bb.apply(pl.DataFrame({"a": [1], "b": [2]}), bb.Plan([bb.SuppressColumn("a")]), keep=["b"]).privacy is None


def test_epsilons_of_columns_add_up_and_so_do_those_of_a_persons_records() -> None:
    once = bb.guarantees(bb.Plan([SMOKES, AGE]))
    declared = bb.guarantees(bb.Plan([SMOKES, bb.Geometric("age", 0.5, (0, 110), records_per_person=4)]))

    assert (once.epsilon_of_record, once.epsilon_of_person) == (1.5, 1.5)
    assert (declared.epsilon_of_record, declared.epsilon_of_person) == (1.5, 1 + 4 * 0.5)


def test_the_records_of_a_person_are_counted_where_they_are_named_and_not_declared() -> None:
    table = pl.DataFrame({"who": ["a", "b", "a", "a", None, None, None, None], "smokes": ["yes"] * 8})
    counted = bb.apply(table, bb.Plan([SMOKES], person="who")).privacy
    declared = bb.apply(
        table, bb.Plan([bb.RandomisedResponse("smokes", 1, ("yes", "no"), records_per_person=5)], person="who")
    ).privacy
    assumed = bb.apply(table, bb.Plan([SMOKES], identifiers=["who"])).privacy

    assert [each.epsilon_of_person for each in (counted, declared, assumed)] == [3, 5, 1]
    assert [each.counted for each in (counted, declared, assumed)] == [3, None, None]
    assert "counted in the table" in str(counted)
    assert "assumes that each person has one record" in str(assumed)
    assert "assumes" not in str(declared)


def test_people_can_be_counted_in_a_stream_that_gives_its_rows_once() -> None:
    table = pl.DataFrame({"who": ["a", "a"], "smokes": ["yes", "no"]})
    stream = table.to_arrow().to_reader()

    assert bb.apply(stream, bb.Plan([SMOKES], person="who")).privacy.epsilon_of_person == 2


def test_columns_left_as_they_are_void_the_guarantee_for_the_table() -> None:
    table = pl.DataFrame({"name": ["Ana"], "smokes": ["yes"], "age": [30], "city": ["x"]})

    plan = bb.Plan([SMOKES, AGE], identifiers=["name"])
    removing = bb.Plan([*plan.operations, bb.SuppressColumn("city")], identifiers=["name"])
    for some_left in (bb.apply(table, plan, keep=["city"]), bb.apply(table, replace(plan, quasi=("city",)))):
        assert some_left.privacy.left == ("city",)
        assert "no guarantee for the table as a whole" in str(some_left.privacy)
        assert some_left.privacy.as_json()["guarantee_for_table"] == "none"

    for none_left in (bb.apply(table, plan), bb.apply(table, removing)):
        assert none_left.data.columns == ["smokes", "age"]
        assert none_left.privacy.left == ()
        assert "as a whole" not in str(none_left.privacy)
        assert none_left.privacy.as_json()["guarantee_for_table"] == "local"

    assert bb.guarantees(bb.Plan([SMOKES])).left is None
    assert "as a whole" in str(bb.guarantees(bb.Plan([SMOKES])))


@pytest.mark.parametrize(
    ("operations", "reader"),
    [
        ([bb.SuppressGroups(), AGE], "suppress-groups"),
        ([bb.MaskGroups(), AGE], "mask-groups"),
        ([AGE, bb.SuppressGroups()], None),
    ],
)
def test_an_operation_that_saw_the_true_values_voids_the_guarantee_of_the_column(operations, reader) -> None:
    plan = bb.Plan(operations, [bb.LDiversity(2)], quasi=["age"], sensitive=["disease"])
    found = bb.guarantees(plan, columns=["age"])

    assert found.spendings[0].read_by == reader
    assert found.epsilon_of_record == (0 if reader else 0.5)
    assert found.left == (("age",) if reader else ())
    assert ("used its true values" in str(found)) == (reader is not None)


def test_groups_that_were_made_without_the_column_do_not_matter() -> None:
    plan = bb.Plan([bb.SuppressGroups(), SMOKES], [bb.KAnonymity(2)], quasi=["age"])

    assert bb.guarantees(plan).epsilon_of_record == 1


def test_as_published_guarantees_nothing_and_says_so() -> None:
    found = bb.guarantees(bb.Plan([bb.ExponentialAsPublished("city", 1), SMOKES]), columns=["city", "smokes"])

    assert found.epsilon_of_record == 1
    assert found.as_published == found.left == ("city",)
    assert {"column": "city", "guarantee": "none"} in found.as_json()["columns"]
    assert "'city' has no guarantee at all" in str(found)
    alone = bb.guarantees(bb.Plan([bb.ExponentialAsPublished("city", 1)]))
    assert alone.sound == ()
    assert "Guaranteed is" not in str(alone)


def test_how_far_values_move_is_told_beforehand_in_both_languages() -> None:
    dates = bb.Geometric("birth", 4, ("1920-01-01", "2024-12-31"))
    plan = bb.Plan([SMOKES, bb.Geometric("age", 0.5, (0, 110)), dates])
    told = {}
    for code in LANGUAGES:
        set_language(code)
        told[code] = str(bb.guarantees(plan))

    assert "stays what it is with a probability of at least 73.1%" in told["en"]
    assert "permanece o mesmo com probabilidade de pelo menos 73,1%" in told["pt"]
    assert "ε = 0.5" in told["en"]
    assert "ε = 0,5" in told["pt"]
    assert "8,290 days" in told["en"]
    assert "8.290 dias" in told["pt"]
    assert len(told["en"].splitlines()) == len(told["pt"].splitlines())


def test_it_is_told_before_anything_is_drawn_or_written(tmp_path) -> None:
    table, out = pl.DataFrame({"smokes": ["yes"]}), tmp_path / "out.csv"

    def stop(privacy: bb.Privacy) -> None:
        assert privacy.epsilon_of_record == 1
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bb.apply(table, bb.Plan([SMOKES]), out, before_noise=stop)
    assert list(tmp_path.iterdir()) == []


def test_epsilons_beyond_what_a_float_can_hold_are_still_told() -> None:
    many = bb.RandomisedResponse("smokes", 100, ("yes", "no"), records_per_person=1000)

    assert "ε = 100,000" in str(bb.guarantees(bb.Plan([many])))
