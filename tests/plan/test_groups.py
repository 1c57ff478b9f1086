"""Suppressing and masking the records of groups that fail."""

import polars as pl
import pytest
from refusal import refused

import biombo as bb


def table(groups: dict[str, list[str]]) -> pl.DataFrame:
    """One record for each sensitive value of each group."""
    rows = [{"group": group, "disease": disease} for group, diseases in groups.items() for disease in diseases]
    return pl.DataFrame(rows)


def plan_with(*operations: bb.Operation, criteria: list[bb.Criterion], **options: object) -> bb.Plan:
    return bb.Plan(operations, criteria, ["group"], ["disease"], **options)


def groups(applied: bb.Applied) -> dict[str, int]:
    return dict(sorted(applied.data["group"].value_counts().iter_rows()))


def test_all_and_only_the_records_of_failing_groups_are_dropped(people, plan) -> None:
    applied = bb.apply(people, plan, keep_order=True)

    assert applied.data["disease"].to_list() == ["flu", "asthma", "flu", None]
    assert applied.data.columns == ["sex", "age", "zip", "disease"]
    assert (applied.rows, applied.suppressed, applied.masked) == (4, 2, 0)
    assert applied.holds


class TestMasking:
    def test_the_records_of_failing_groups_keep_what_is_not_quasi(self, people, plan) -> None:
        masking = bb.Plan((*plan.operations[:2], bb.MaskGroups("#")), plan.criteria, plan.quasi, plan.sensitive)
        applied = bb.apply(people.with_columns(ward=pl.lit("A")), masking, keep=["ward"], keep_order=True)

        assert applied.data.select("sex", "age", "zip").rows()[3:] == [
            ("M", "[60, 70)", "0214*"),
            ("#", "#", "#"),
            ("#", "#", "#"),
        ]
        assert applied.data.select("ward", "disease").rows() == [("A", disease) for disease in people["disease"]]
        assert (applied.rows, applied.suppressed, applied.masked, applied.masked_further) == (6, 0, 2, 0)
        assert applied.holds

    def test_the_masked_must_be_hidden_among_the_next_smallest_groups(self) -> None:
        data = table({"big": ["flu"] * 9, "small": ["flu"] * 4, "tiny": ["flu"], "medium": ["flu"] * 5})
        applied = bb.apply(data, plan_with(bb.MaskGroups(), criteria=[bb.KAnonymity(3)]))

        assert groups(applied) == {"*": 5, "big": 9, "medium": 5}
        assert (applied.masked, applied.masked_further) == (5, 4)
        assert applied.holds

    def test_as_many_groups_are_masked_as_it_takes_and_no_more(self) -> None:
        data = table({"alone": ["flu"], **{f"pair {n}": ["flu"] * 2 for n in range(20)}, "big": ["flu"] * 60})
        for k in (4, 5, 16, 40, 41, 42, 60):
            lowest = bb.Plan([bb.MaskGroups()], [bb.KAnonymity(2), bb.KAnonymity(k, quasi=["all"])], ["group", "all"])
            applied = bb.apply(data.with_columns(all=pl.lit("x")), lowest)

            assert applied.holds
            assert applied.masked == next(size for size in [*range(1, 42, 2), 101] if size >= k)

    def test_values_count_as_well_as_numbers(self) -> None:
        data = table({"uniform": ["flu"] * 4, "mixed": ["flu", "gout"] * 2, "other": ["flu", "gout", "asthma"] * 2})
        applied = bb.apply(data, plan_with(bb.MaskGroups(), criteria=[bb.LDiversity(2)]))

        assert groups(applied) == {"*": 8, "other": 6}
        assert (applied.masked, applied.masked_further) == (8, 4)

    def test_they_may_be_dropped_instead(self) -> None:
        data = table({"big": ["flu"] * 4, "alone": ["flu"]})
        applied = bb.apply(data, plan_with(bb.MaskGroups(if_failing="drop"), criteria=[bb.KAnonymity(2)]))

        assert groups(applied) == {"big": 4}
        assert (applied.rows, applied.suppressed, applied.unhidden, applied.masked) == (4, 1, 1, 0)

    def test_they_are_not_dropped_when_they_hide_each_other(self) -> None:
        data = table({"big": ["flu"] * 4, "alone": ["flu"], "lonely": ["flu"]})
        applied = bb.apply(data, plan_with(bb.MaskGroups(if_failing="drop"), criteria=[bb.KAnonymity(2)]))

        assert groups(applied) == {"*": 2, "big": 4}
        assert applied.unhidden == 0

    def test_records_that_look_masked_already_hide_them_too(self) -> None:
        data = table({"*": ["flu"] * 4, "alone": ["flu"], "big": ["flu"] * 5})
        applied = bb.apply(data, plan_with(bb.MaskGroups(), criteria=[bb.KAnonymity(4)]))

        assert (groups(applied), applied.masked_further) == ({"*": 5, "big": 5}, 0)

    def test_nothing_is_masked_where_nothing_fails(self) -> None:
        applied = bb.apply(table({"a": ["flu"] * 2}), plan_with(bb.MaskGroups(), criteria=[bb.KAnonymity(2)]))

        assert (applied.masked, groups(applied)) == (0, {"a": 2})

    def test_it_is_said_when_not_even_masking_everybody_would_do(self) -> None:
        with refused("plan.mask-hopeless", "if-failing: drop"):
            bb.apply(table({"a": ["flu"] * 3, "b": ["flu"]}), plan_with(bb.MaskGroups(), criteria=[bb.LDiversity(2)]))

    def test_masked_numbers_become_text_in_every_part(self) -> None:
        parts = [pl.DataFrame({"group": [1, 1, 2]}), pl.DataFrame({"group": [1, 3]})]
        masking = bb.Plan([bb.MaskGroups()], [bb.KAnonymity(2)], ["group"])

        assert bb.apply(parts, masking, keep_order=True).data["group"].to_list() == ["1", "1", "*", "1", "*"]

    def test_smallest_means_fewest_people(self) -> None:
        visits = {"a": ["Ana"] * 5 + ["Bia"], "b": ["Caio", "Davi", "Eva"], "c": ["Fay"], "d": list("ghij")}
        data = table(visits).rename({"disease": "patient"})
        masking = bb.Plan([bb.MaskGroups()], [bb.KAnonymity(2)], ["group"], person="patient")
        applied = bb.apply(data, masking)

        assert groups(applied) == {"*": 7, "b": 3, "d": 4}
        assert applied.data.columns == ["group"]


class TestTheLimit:
    def test_more_than_the_plan_allows_is_refused_and_nothing_written(self, people, plan, tmp_path) -> None:
        strict = bb.Plan(plan.operations, plan.criteria, plan.quasi, max_suppression=0.33)

        with refused("plan.too-much", "2", "6", "1", "33"):
            bb.apply(people, strict, tmp_path / "out.csv")
        with pytest.raises(bb.SuppressionError):
            bb.apply(people, strict)
        assert list(tmp_path.iterdir()) == []

    def test_exactly_as_much_is_allowed(self, people, plan) -> None:
        assert bb.apply(people, bb.Plan(plan.operations, plan.criteria, plan.quasi, max_suppression=0.34)).rows == 4

    def test_masked_records_count(self) -> None:
        data = table({"big": ["flu"] * 6, "a": ["flu"], "b": ["flu"]})
        allowed = plan_with(bb.MaskGroups(), criteria=[bb.KAnonymity(2)], max_suppression=0.25)

        assert bb.apply(data, allowed).masked == 2
        with refused("plan.too-much", "2", "8", "1"):
            bb.apply(data, plan_with(bb.MaskGroups(), criteria=[bb.KAnonymity(2)], max_suppression=0.24))

    def test_an_empty_result_is_refused(self) -> None:
        with refused("plan.nothing-left", "3"):
            bb.apply(table({"a": ["flu"] * 3}), plan_with(bb.SuppressGroups(), criteria=[bb.KAnonymity(4)]))


class TestSeveralOperationsOnGroups:
    def test_each_sees_what_those_before_it_left(self) -> None:
        data = table({"a1": ["flu"] * 2, "a2": ["gout"] * 2, "b1": ["flu"], "b2": ["flu"], "b3": ["gout"] * 2})
        letters = bb.Generalise("group", bb.Hierarchy.by_prefix([1]), 1)
        twice = plan_with(bb.SuppressGroups(), letters, bb.SuppressGroups(), criteria=[bb.KAnonymity(2)])
        applied = bb.apply(data, twice)

        assert (groups(applied), applied.suppressed) == ({"a": 4, "b": 2}, 2)

    def test_a_masked_record_that_is_dropped_later_counts_once(self) -> None:
        data = table({"a": ["flu"] * 4, "b": ["gout"], "c": ["flu"]})
        both = plan_with(bb.MaskGroups(), bb.SuppressGroups(), criteria=[bb.KAnonymity(2)], max_suppression=0.34)
        applied = bb.apply(data, both)

        assert (applied.masked, applied.suppressed, applied.rows) == (2, 0, 6)


def test_suppressed_records_still_count_for_what_was_known_beforehand() -> None:
    """Without those with gout the table is all flu, but it is compared with all records that went in."""
    data = table({"a": ["flu", "gout"], "b": ["flu"] * 4, "c": ["gout"]})
    close = plan_with(bb.SuppressGroups(), criteria=[bb.KAnonymity(2), bb.TCloseness(0.4)])
    applied = bb.apply(data, close)
    verdict = applied.judgement.verdicts[1]

    assert groups(applied) == {"a": 2, "b": 4}
    assert verdict.achieved == pytest.approx(1 - 5 / 7)
    assert applied.holds
