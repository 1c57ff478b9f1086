"""Values that change by a matrix: given, invariant for the data, or by ε."""

from collections import Counter
from math import exp, inf, log

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from goodness_of_fit import assert_follows
from hypothesis import given, settings
from refusal import refused

import biombo as bb
from biombo._plan.operations import invariant_matrix

DOMAIN = ("a", "b", None)
MATRIX = ((0.7, 0.2, 0.1), (0.05, 0.9, 0.05), (0, 0.5, 0.5))
ROOFS = {"2": 814, "4": 3697, "5": 19, "6": 34, "9": 16}
ROOFS_AFTERWARDS = {"2": 810, "4": 3710, "5": 14, "6": 26, "9": 20}
ROOFS_CHANGED = {0.8: 144, 0.95: 13}
"""By the least chance to stay (pd), in one run each, with half of the identity mixed in (alpha = 0.5)."""
COUNTS = st.lists(st.integers(0, 500), min_size=1, max_size=9).filter(any)


def released(values: list[object], operation: bb.Operation) -> list[object]:
    table = pl.DataFrame({"x": pl.Series(values, dtype=pl.String)})
    return bb.apply(table, bb.Plan([operation]), keep_order=True).data["x"].to_list()


def two_stages(counts: list[int], stay: float) -> list[list[float]]:
    """Kooiman, Willenborg and Gouweleeuw's two stages, chance by chance, for values that all occur."""
    m, total = len(counts), sum(counts)
    t = [count / total for count in counts]
    first = [[stay if k == j else (1 - stay) / (m - 1) for j in range(m)] for k in range(m)]
    shown = [sum(t[k] * first[k][j] for k in range(m)) for j in range(m)]
    back = [[first[k][j] * t[k] / shown[j] for k in range(m)] for j in range(m)]
    return [[sum(first[k][j] * back[j][to] for j in range(m)) for to in range(m)] for k in range(m)]


class TestGiven:
    @pytest.mark.parametrize("place", range(3))
    def test_each_value_becomes_what_its_row_says(self, place: int) -> None:
        drawn = released([DOMAIN[place]] * 30_000, bb.Pram("x", MATRIX, domain=DOMAIN))

        assert_follows(drawn, dict(zip(DOMAIN, MATRIX[place], strict=True)))

    def test_a_whole_column_passes_a_chi_square_test(self) -> None:
        true = ["a", "b", None] * 20_000
        pairs = Counter(zip(true, released(true, bb.Pram("x", MATRIX, domain=DOMAIN)), strict=True))
        expected = {
            (own, new): 20_000 * chance
            for own, row in zip(DOMAIN, MATRIX, strict=True)
            for new, chance in zip(DOMAIN, row, strict=True)
            if chance
        }

        assert set(pairs) == set(expected)
        # 8 cells in 3 rows: 5 degrees of freedom, beyond which a right sampler comes once in ten million runs
        assert sum((pairs[cell] - count) ** 2 / count for cell, count in expected.items()) < 40.87

    @given(st.lists(st.sampled_from(DOMAIN), min_size=1, max_size=30))
    @settings(max_examples=20)
    def test_by_the_identity_nothing_changes_as_sdcmicro_says_of_its_own(self, values) -> None:
        assert released(values, bb.Pram("x", np.eye(3).tolist(), domain=DOMAIN)) == values

    def test_a_matrix_that_exchanges_values_is_followed_row_by_row(self) -> None:
        assert released(["a", "b", "a"], bb.Pram("x", [[0, 1], [1, 0]], domain=["a", "b"])) == ["b", "a", "b"]

    def test_the_domain_may_come_from_the_schema(self) -> None:
        table, schema = pl.DataFrame({"x": ["a"]}), bb.Schema({"x": bb.ColumnSchema(domain=("a", "b"))})
        plan = bb.Plan([bb.Pram("x", [[0, 1], [1, 0]])])

        assert bb.apply(table, plan, schema=schema).data["x"].to_list() == ["b"]
        with refused("privacy.no-domain", "'x'"):
            bb.apply(table, plan)

    def test_values_outside_the_domain_are_refused(self) -> None:
        with refused("privacy.stranger", "'z'"):
            released(["z"], bb.Pram("x", MATRIX, domain=DOMAIN))
        with refused("privacy.missing", "'x'"):
            released([None], bb.Pram("x", [[0.5, 0.5], [0.5, 0.5]], domain=["a", "b"]))


class TestInvariant:
    @given(COUNTS, st.floats(0.01, 0.99))
    def test_every_value_is_expected_as_often_as_before(self, counts, stay) -> None:
        matrix = invariant_matrix(np.array(counts), stay)
        shares = np.array(counts) / sum(counts)

        assert (matrix >= 0).all()
        assert matrix.sum(axis=1) == pytest.approx(np.ones(len(counts)))
        assert shares @ matrix == pytest.approx(shares)

    @given(st.lists(st.integers(1, 500), min_size=2, max_size=9), st.floats(0.01, 0.99))
    def test_it_is_the_product_of_the_two_stages(self, counts, stay) -> None:
        found = invariant_matrix(np.array(counts), stay)

        assert found.tolist() == [pytest.approx(row) for row in two_stages(counts, stay)]

    def test_by_hand(self) -> None:
        """Three yes and one no, 80% stay: of what shows yes, 0.6 / 0.65 were yes; of what shows no, 0.15 / 0.35."""
        yes_stays = 0.8 * 0.6 / 0.65 + 0.2 * 0.15 / 0.35
        no_stays = 0.2 * 0.05 / 0.65 + 0.8 * 0.2 / 0.35

        assert invariant_matrix(np.array([3, 1]), 0.8).diagonal() == pytest.approx([yes_stays, no_stays])

    def test_of_equal_counts_the_first_stage_is_done_twice(self) -> None:
        """It is symmetric then, so that drawing back is drawing again."""
        first = np.full((4, 4), 0.1) + np.eye(4) * 0.6

        assert invariant_matrix(np.array([7, 7, 7, 7]), 0.7) == pytest.approx(first @ first)

    def test_where_the_first_stage_tells_nothing_neither_does_the_whole(self) -> None:
        matrix = invariant_matrix(np.array([10, 5, 5]), 1 / 3)

        assert matrix.tolist() == [pytest.approx([0.5, 0.25, 0.25])] * 3

    def test_released_counts_stay_near_and_values_change(self) -> None:
        true = ["a"] * 20_000 + ["b"] * 8_000 + [None] * 2_000
        drawn = released(true, bb.Pram("x", invariant=0.6))
        rows = two_stages([20_000, 8_000, 2_000], 0.6)

        for own, start, end, row in (("a", 0, 20_000, rows[0]), ("b", 20_000, 28_000, rows[1])):
            assert true[start] == own
            assert_follows(drawn[start:end], dict(zip(("a", "b", None), row, strict=True)))
        assert Counter(drawn)["a"] == pytest.approx(20_000, abs=600)

    def test_only_the_records_that_come_out_count_and_only_their_values_are_drawn(self) -> None:
        table = pl.DataFrame({"x": ["a", "b", "rare"] * 100, "out": ["no", "no", "yes"] * 100})
        plan = bb.Plan([bb.SuppressRecords({"out": "yes"}), bb.Pram("x", invariant=0.5)], sensitive=["x"])

        assert set(bb.apply(table, plan).data["x"]) == {"a", "b"}

    def test_a_single_value_stays(self) -> None:
        assert released(["a", "a"], bb.Pram("x", invariant=0.5)) == ["a", "a"]


class TestByEpsilon:
    BY_EPSILON = bb.Pram("x", epsilon=1.2, domain=DOMAIN, records_per_person=2)

    def test_it_is_randomised_response_and_has_its_guarantee(self) -> None:
        response = bb.RandomisedResponse("x", 1.2, DOMAIN, records_per_person=2)
        found = bb.guarantees(bb.Plan([self.BY_EPSILON]))

        assert self.BY_EPSILON.completed(bb.Schema()) == response
        assert found == bb.guarantees(bb.Plan([response]))
        assert (found.epsilon_of_record, found.epsilon_of_person) == (1.2, 2.4)

    def test_it_draws_by_its_chances(self) -> None:
        total = exp(1.2) + 2

        drawn = released(["b"] * 30_000, self.BY_EPSILON)
        assert_follows(drawn, {"a": 1 / total, "b": exp(1.2) / total, None: 1 / total})


class TestGuarantee:
    @pytest.mark.parametrize(
        ("operation", "ratio", "said"),
        [
            (bb.Pram("x", [[0.9, 0.1], [0.3, 0.7]], domain=["a", "b"]), log(7), "without looking at the data"),
            (bb.Pram("x", MATRIX, domain=DOMAIN), inf, "rule the others out"),
            (bb.Pram("x", invariant=0.8), None, "made of the data themselves"),
        ],
    )
    def test_only_epsilon_is_a_guarantee(self, operation, ratio, said) -> None:
        privacy = bb.guarantees(bb.Plan([operation]), columns=["x"])

        assert (privacy.epsilon_of_record, privacy.sound, privacy.left) == (0, (), ("x",))
        assert privacy.by_matrix[0].loss == (None if ratio is None else pytest.approx(ratio))
        assert said in str(privacy)
        told = privacy.as_json()
        assert (told["columns"][0]["guarantee"], told["guarantee_for_table"]) == ("none", "none")
        assert told["columns"][0]["log_ratio"] == (pytest.approx(log(7)) if ratio == log(7) else None)

    @given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any), min_size=3, max_size=3))
    def test_the_ratio_that_is_told_is_the_largest_there_is(self, weights) -> None:
        chances = [[weight / sum(row) for weight in row] for row in weights]
        ratios = [
            inf if chances[b][y] == 0 else chances[a][y] / chances[b][y]
            for a in range(3)
            for b in range(3)
            for y in range(3)
            if chances[a][y]
        ]
        (told,) = bb.guarantees(bb.Plan([bb.Pram("x", chances, domain=DOMAIN)])).by_matrix

        assert exp(told.loss) == pytest.approx(max(ratios))

    @pytest.mark.parametrize("how", [{"invariant": 0.8}, {"epsilon": 1, "domain": ["a", "b"]}])
    def test_no_k_is_asked_of_values_that_were_drawn(self, how) -> None:
        with refused("plan.k-of-noise", "'x'", "pram"):
            bb.Plan([bb.Pram("x", **how)], [bb.KAnonymity(2)], quasi=["x"])


class TestEntries:
    def test_one_of_three_must_be_there(self) -> None:
        for entries in ({}, {"invariant": 0.5, "epsilon": 1}, {"matrix": MATRIX, "epsilon": 1, "domain": DOMAIN}):
            with refused("plan.pram-matrix", "'x'"):
                bb.Pram("x", **entries)

    @pytest.mark.parametrize(
        "matrix", [((0.5, 0.4), (0, 1)), ((1.1, -0.1), (0, 1)), ((1,), (0, 1)), ((float("nan"), 1), (0, 1))]
    )
    def test_rows_are_chances_that_add_up_to_1(self, matrix) -> None:
        with refused("plan.pram-row", "'x'", "1"):
            bb.Pram("x", matrix, domain=("a", "b"))

    def test_thirds_need_not_add_up_to_the_last_digit(self) -> None:
        assert bb.Pram("x", ((1 / 3, 1 / 3, 1 / 3),) * 3, domain=DOMAIN).channel.loss == 0

    def test_matrix_and_domain_go_together(self) -> None:
        for domain in (("a", "b"), ("a", "a", "b")):
            with refused("plan.pram-domain", "'x'", "3"):
                bb.Pram("x", MATRIX, domain=domain)
        with refused("privacy.domain", "'x'"):
            bb.Pram("x", ((1,),), domain=("a",))

    def test_what_would_be_ignored_is_refused(self) -> None:
        with refused("plan.pram-needless", "domain", "invariant"):
            bb.Pram("x", invariant=0.5, domain=DOMAIN)
        with refused("plan.pram-needless", "records-per-person", "matrix"):
            bb.Pram("x", MATRIX, domain=DOMAIN, records_per_person=2)

    @pytest.mark.parametrize("share", [0, 1, 1.5, -0.2, float("nan")])
    def test_a_chance_that_is_none(self, share) -> None:
        with refused("plan.pram-invariant", "'x'"):
            bb.Pram("x", invariant=share)

    def test_epsilon_has_the_limits_of_all_others(self) -> None:
        with refused("privacy.epsilon", "'x'"):
            bb.Pram("x", epsilon=0, domain=DOMAIN)
        with refused("privacy.records-per-person", "'x'"):
            bb.Pram("x", epsilon=1, domain=DOMAIN, records_per_person=0)

    def test_plans_are_written_and_read_again(self, tmp_path) -> None:
        operations = (bb.Pram("x", MATRIX, domain=DOMAIN), bb.Pram("y", invariant=0.5), bb.Pram("z", epsilon=1))
        plan = bb.Plan(operations)
        plan.save(tmp_path / "plan.yaml")

        assert bb.Plan.load(tmp_path / "plan.yaml") == plan
        assert bb.Plan.load(tmp_path / "plan.yaml").hash == plan.hash


class TestSdcMicro:
    """What sdcMicro prints of its own test data (Templ, Kowarik and Meindl 2015): the roofs of 4,580 households."""

    def test_the_identity_changes_no_roof(self) -> None:
        roofs = [value for value, count in ROOFS.items() for _ in range(count)]

        assert released(roofs, bb.Pram("x", np.eye(5).tolist(), domain=tuple(ROOFS))) == roofs

    @pytest.mark.parametrize("stay", [0.8, 0.95])
    def test_no_more_changes_than_half_of_ours_for_the_least_chance_to_stay(self, stay: float) -> None:
        """Its own diagonals are drawn between that chance and 1, so that it changes less."""
        counts = np.array(list(ROOFS.values()))
        changing = counts * (1 - np.diag(invariant_matrix(counts, stay)))

        assert 0 < ROOFS_CHANGED[stay] < 0.5 * changing.sum() + 4 * np.sqrt(changing.sum())

    def test_counts_afterwards_are_what_an_invariant_matrix_lets_expect(self) -> None:
        counts = np.array(list(ROOFS.values()))
        matrix = invariant_matrix(counts, 0.8)
        deviations = np.sqrt((counts[:, None] * matrix * (1 - matrix)).sum(axis=0))

        assert np.allclose(counts @ matrix, counts)
        assert (np.abs(np.array(list(ROOFS_AFTERWARDS.values())) - counts) < 3 * deviations).all()
