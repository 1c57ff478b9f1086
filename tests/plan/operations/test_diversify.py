"""Sensitive values in other words: what it does, and that criteria see through it."""

import re
from collections import Counter, defaultdict

import hypothesis.strategies as st
import polars as pl
import pytest
from hypothesis import given
from refusal import refused
from seeded import applied

import biombo as bb

SYNONYMS = {"flu": ["influenza", "grippe"], "gout": ["podagra", "uric arthritis", "gouty arthritis"]}
MEANING = {word: value for value, words in SYNONYMS.items() for word in (value, *words)}


def table(groups: dict[str, list[str | None]]) -> pl.DataFrame:
    """One record for each sensitive value of each group."""
    rows = [(group, disease) for group, diseases in groups.items() for disease in diseases]
    return pl.DataFrame(rows, {"group": pl.String, "disease": pl.String}, orient="row")


def plan_with(*after: bb.Operation, criteria: list[bb.Criterion] | None = None, **entries: object) -> bb.Plan:
    operation = bb.Diversify("disease", **{"synonyms": SYNONYMS, "groups_below": 2} | entries)
    return bb.Plan([operation, *after], criteria or [], ["group"], ["disease"])


def words_by_group(applied: bb.Applied) -> dict[str, Counter[str | None]]:
    found: defaultdict[str, Counter[str | None]] = defaultdict(Counter)
    for group, disease in applied.data.iter_rows():
        found[group][disease] += 1
    return dict(found)


class TestWhatItDoes:
    def test_the_records_of_a_uniform_group_take_the_value_and_its_synonyms_in_turn(self) -> None:
        applied = bb.apply(table({"a": ["flu"] * 6, "b": ["flu", "gout", "gout"]}), plan_with())
        words = words_by_group(applied)

        assert words["a"] == {"flu": 2, "influenza": 2, "grippe": 2}
        assert words["b"] == {"flu": 1, "gout": 2}

    def test_two_records_never_get_the_same_word(self) -> None:
        for _ in range(20):
            (words,) = words_by_group(bb.apply(table({"a": ["flu"] * 2}), plan_with())).values()
            assert sorted(words.values()) == [1, 1]

    def test_who_gets_which_word_is_drawn_anew_each_time(self) -> None:
        data = table({"a": ["flu"] * 300})
        first, second = (bb.apply(data, plan_with(), keep_order=True).data["disease"].to_list() for _ in range(2))

        assert first != second
        assert Counter(first) == Counter(second)

    def test_every_word_is_as_likely_as_the_others(self) -> None:
        words = Counter(applied(plan_with(), table({f"{n}": ["flu"] for n in range(30_000)}), 5).data["disease"])

        assert all(abs(count - 10_000) < 5 * (30_000 * 2 / 9) ** 0.5 for count in words.values())
        assert len(words) == 3

    def test_synonyms_that_are_in_the_table_mean_the_same_from_the_start(self) -> None:
        applied = bb.apply(table({"a": ["grippe"] * 3, "b": ["flu", "influenza"]}), plan_with(groups_below=3))

        assert words_by_group(applied)["a"] == {"flu": 1, "influenza": 1, "grippe": 1}
        assert sum(words_by_group(applied)["b"].values()) == len(words_by_group(applied)["b"])
        assert set(words_by_group(applied)["b"]) <= {"flu", "influenza", "grippe"}

    def test_a_missing_value_stays_missing_and_counts_as_one(self) -> None:
        applied = bb.apply(table({"a": [None] * 3, "b": [None, "flu", "flu"]}), plan_with())

        assert words_by_group(applied) == {"a": {None: 3}, "b": {None: 1, "flu": 2}}

    def test_numbers_are_taken_as_they_are_written_and_become_text(self) -> None:
        coded = pl.DataFrame({"group": ["a"] * 3 + ["b"] * 2, "disease": [7, 7, 7, 7, 8]})
        applied = bb.apply([coded, coded], plan_with(synonyms={"7": ["7A", "7B"]}), keep_order=True)
        words = applied.data["disease"].to_list()

        assert Counter(words[:3] + words[5:8]) == {"7": 2, "7A": 2, "7B": 2}
        assert words[3:5] == words[8:] == ["7", "8"]

    def test_groups_are_those_that_the_operations_before_left(self) -> None:
        letters = bb.Generalise("group", bb.Hierarchy.by_prefix([1]), 1)
        before = bb.Plan([letters, *plan_with().operations], quasi=["group"], sensitive=["disease"])
        applied = bb.apply(table({"a1": ["flu"], "a2": ["gout"], "b1": ["flu"], "b2": ["flu"]}), before)
        words = words_by_group(applied)

        assert words["a"] == {"flu": 1, "gout": 1}
        assert len(words["b"]) == 2

    def test_records_that_are_dropped_are_in_no_group(self) -> None:
        """Of group a, the record with gout is alone by age and dropped; those that stay are uniform."""
        data = table({"a": ["flu", "flu", "gout"]}).with_columns(age=pl.Series(["1", "1", "2"]))
        operations = [bb.SuppressGroups(), *plan_with().operations]
        both = bb.Plan(operations, [bb.KAnonymity(2, quasi=["age"])], ["group"], ["disease"])
        applied = bb.apply(data, both)

        assert (applied.rows, len(set(applied.data["disease"]))) == (2, 2)

    def test_the_schema_may_say_what_the_columns_are(self) -> None:
        bare = bb.Plan(plan_with().operations)

        assert words_by_group(bb.apply(table({"a": ["flu"] * 3}), bare, schema=_schema()))["a"].total() == 3

    @given(
        st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from([*MEANING, "asthma", None])), min_size=1),
        st.integers(2, 6),
        st.integers(1, 3),
    )
    def test_it_is_as_by_definition(self, records, below, parts) -> None:
        data = pl.DataFrame(records, {"group": pl.String, "disease": pl.String}, orient="row")
        size = -(-len(records) // parts)
        sources = [data[start : start + size] for start in range(0, len(records), size)]
        applied = bb.apply(sources, plan_with(groups_below=below, missing="leave"), keep_order=True)
        after = list(applied.data.iter_rows())

        for group in {group for group, _ in records}:
            pairs = [(old, new) for (of, old), (_, new) in zip(records, after, strict=True) if of == group]
            if len({old for old, _ in pairs}) >= below:
                assert all(old == new for old, new in pairs)
                continue
            assert all(MEANING.get(old, old) == MEANING.get(new, new) for old, new in pairs)
            for value, synonyms in SYNONYMS.items():
                words = Counter(new for _, new in pairs if MEANING.get(new) == value)
                uses = [words[word] for word in (value, *synonyms)]
                assert max(uses) - min(uses) <= 1


class TestWhatIsJudged:
    def test_criteria_take_synonyms_for_one_value(self) -> None:
        data = table({"a": ["flu"] * 4, "b": ["flu", "gout"]})
        applied = bb.apply(data, plan_with(criteria=[bb.LDiversity(2)], groups_below=3))

        assert not applied.holds
        assert (applied.judgement.verdicts[0].achieved, applied.judgement.verdicts[0].records) == (1, 4)

    def test_the_literal_diversity_stands_beside_it(self) -> None:
        data = table({"a": ["flu"] * 4, "b": ["flu", "gout"]})
        applied = bb.apply(data, plan_with(criteria=[bb.LDiversity(2)], groups_below=3))
        (beside,) = applied.literal_diversities

        assert (beside.column, beside.literal.achieved, beside.understood.achieved) == ("disease", 2, 1)
        assert applied.as_json()["literal_diversities"] == [
            {
                "column": "disease",
                "asked": 3,
                "literal": {"least": 2, "groups_below": 1},
                "understood": {"least": 1, "groups_below": 2},
            }
        ]

    @pytest.mark.parametrize(("code", "sentence"), [("en", "in words: 3;"), ("pt", "pelas palavras: 3;")])
    def test_it_is_said_in_a_sentence(self, code, sentence) -> None:
        (beside,) = bb.apply(table({"a": ["flu"] * 4}), plan_with()).literal_diversities
        bb.set_language(code)

        assert sentence in str(beside)
        assert str(beside).endswith(" 1.")

    def test_it_is_shown_where_nothing_was_asked_and_not_where_nothing_was_diversified(self) -> None:
        data = table({"a": ["flu"] * 4})

        assert bb.apply(data, plan_with()).judgement is None
        assert bb.apply(data, bb.Plan([], [bb.LDiversity(2)], ["group"], ["disease"])).literal_diversities == ()

    def test_groups_that_only_look_diverse_are_suppressed(self) -> None:
        data = table({"a": ["flu"] * 4, "b": ["flu", "gout"]})
        applied = bb.apply(data, plan_with(bb.SuppressGroups(), criteria=[bb.LDiversity(2)]))

        assert (set(applied.data["group"]), applied.suppressed, applied.holds) == ({"b"}, 4, True)

    def test_what_was_known_beforehand_is_in_values_too(self) -> None:
        """Flu is 4 of 6 records, however many words there are for it."""
        data = table({"a": ["flu"] * 4, "b": ["gout"] * 2})
        (verdict,) = bb.apply(data, plan_with(criteria=[bb.TCloseness(0.5)])).judgement.verdicts

        assert verdict.achieved == pytest.approx(4 / 6)

    @given(
        st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(["flu", "gout", "asthma", None])), min_size=1),
        st.sampled_from([bb.LDiversity(2), bb.LDiversity(2, kind="entropy"), bb.TCloseness(0.3), bb.Leakage(0.1)]),
    )
    def test_the_judgement_is_that_of_the_table_before(self, records, criterion) -> None:
        data = pl.DataFrame(records, {"group": pl.String, "disease": pl.String}, orient="row")
        (after,) = bb.apply(data, plan_with(criteria=[criterion], missing="leave", groups_below=4)).judgement.verdicts
        (before,) = bb.judge(bb.read(data), criterion, quasi=["group"], sensitive="disease").verdicts

        assert (after.holds, after.groups, after.records) == (before.holds, before.groups, before.records)
        assert after.achieved == pytest.approx(before.achieved)


class TestWhatIsRefused:
    def test_values_without_synonyms_are_listed(self) -> None:
        data = table({"a": ["asthma"], "b": ["scurvy"] * 2, "c": ["flu", "plague"], "d": [None]})

        with refused("plan.without-synonyms", "disease", "asthma", "scurvy", "2", "missing: leave"):
            bb.apply(data, plan_with())
        left = bb.apply(data, plan_with(missing="leave"), keep_order=True)
        assert left.data.equals(data)

    @given(st.sets(st.integers(100, 999), min_size=1, max_size=60))
    def test_and_none_of_them_is_left_out(self, numbers) -> None:
        data = table({f"city {number}": [f"disease {number}"] for number in numbers})

        with pytest.raises(bb.BiomboError) as caught:
            bb.apply(data, plan_with())
        assert set(re.findall(r"disease \d+", str(caught.value))) == {f"disease {number}" for number in numbers}

    @pytest.mark.parametrize("words", [[], ["influenza"], ["influenza", "influenza"], ["flu", "influenza"], ["x", ""]])
    def test_a_value_needs_two_synonyms(self, words) -> None:
        with refused("plan.few-synonyms", "disease", "flu", "2"):
            bb.Diversify("disease", {"flu": words}, 2)

    @pytest.mark.parametrize(
        "synonyms",
        [{"flu": ["a", "b"], "gout": ["b", "c"]}, {"flu": ["a", "gout"], "gout": ["b", "c"]}],
    )
    def test_a_word_has_one_meaning(self, synonyms) -> None:
        with refused("plan.two-meanings", "disease", "flu", "gout"):
            bb.Diversify("disease", synonyms, 2)

    @pytest.mark.parametrize("words", ["influenza", [1, 2], {"a": "b"}, None])
    def test_synonyms_are_lists_of_texts(self, words) -> None:
        with refused("usage.string-for-list" if isinstance(words, str) else "document.entry-texts", "flu"):
            bb.Diversify("disease", {"flu": words}, 2)

    @pytest.mark.parametrize("below", [1, 0, -3])
    def test_fewer_than_two_values_are_never_too_few(self, below) -> None:
        with refused("plan.groups-below", str(below)):
            bb.Diversify("disease", SYNONYMS, below)

    def test_there_must_be_groups(self) -> None:
        with refused("attack.no-quasi"):
            bb.apply(table({"a": ["flu"]}), bb.Plan(plan_with().operations, sensitive=["disease"]))

    def test_quasi_columns_are_not_for_it(self) -> None:
        with refused("plan.wrong-role", "disease", "diversify"):
            bb.Plan(plan_with().operations, quasi=["disease"])

    def test_an_unknown_column_is_named(self) -> None:
        with refused("column.missing", "sickness"):
            bb.apply(table({"a": ["flu"]}), bb.Plan([bb.Diversify("sickness", SYNONYMS, 2)], quasi=["group"]))


def test_it_is_written_and_read_and_the_order_of_synonyms_does_not_matter() -> None:
    plan = plan_with()
    backwards = {value: words[::-1] for value, words in reversed(SYNONYMS.items())}

    assert bb.Plan.from_tree(plan.to_tree()) == plan
    assert plan_with(synonyms=backwards).hash == plan.hash
    assert plan_with(synonyms=SYNONYMS | {"gout": ["podagra", "x"]}).hash != plan.hash


def _schema() -> bb.Schema:
    return bb.Schema({"group": bb.ColumnSchema(role="quasi"), "disease": bb.ColumnSchema(role="sensitive")})
