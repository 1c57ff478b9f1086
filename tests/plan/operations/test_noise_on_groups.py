"""Noise on the groups that fail and on nobody else: whom it chooses, what it draws, and what it guarantees."""

import random
from collections import Counter, defaultdict
from datetime import date

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from examples import examples
from goodness_of_fit import assert_follows
from hypothesis import given
from partition_engine import PartitionEngine
from refusal import refused

import biombo as bb
from biombo._engine import LOCAL

AGES = bb.Hierarchy.by_interval(10)
BANDS = AGES.domain(1, bounds=(0, 99))
DISEASES = ("flu", "gout", "cold")
ENGINES = [pytest.param(LOCAL, id="local"), pytest.param(PartitionEngine(1), id="partitions")]


def small(below: int, *noise: bb.Operation) -> bb.NoiseSmallGroups:
    return bb.NoiseSmallGroups(below, noise or [bb.Exponential("age", 2, BANDS, distance="order")])


def uniform(below: int, epsilon: float = 1) -> bb.NoiseUniformGroups:
    return bb.NoiseUniformGroups(below, bb.RandomisedResponse("disease", epsilon, DISEASES))


def clinic(rows: int = 400, seed: int = 4) -> pl.DataFrame:
    """Made up. Few people are very old, so that their groups are small, and diseases go with places."""
    chance = random.Random(seed)
    ages = [min(99, int(chance.expovariate(1 / 25))) for _ in range(rows)]
    city = chance.choices(["A", "B", "C"], [6, 3, 1], k=rows)
    return pl.DataFrame(
        {
            "key": range(rows),
            "age": ages,
            "city": city,
            "disease": ["flu" if age > 60 else chance.choice(DISEASES) for age in ages],
        }
    )


def band(age: int) -> str:
    return AGES.generalised(str(age), 1)


HYBRID = bb.Plan(
    [bb.Generalise("age", AGES, 1), small(7), uniform(2)], quasi=["age", "city"], sensitive=["disease", "key"]
)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_hybrid_way_changes_the_records_of_groups_that_fail_and_no_others(engine) -> None:
    table = clinic()
    applied = bb.apply(table, HYBRID, engine=engine)
    after = {row["key"]: row for row in applied.data.iter_rows(named=True)}
    groups = Counter((band(row["age"]), row["city"]) for row in table.iter_rows(named=True))
    values: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    chosen = Counter[str]()
    for row in table.iter_rows(named=True):  # sensitive values are judged by the groups that there are by then
        values[after[row["key"]]["age"], row["city"]].add(row["disease"])
    for row in table.iter_rows(named=True):
        released, own = after[row["key"]], (band(row["age"]), row["city"])
        assert released["city"] == row["city"]
        if groups[own] >= 7:
            assert released["age"] == own[0]
        if len(values[released["age"], row["city"]]) >= 2:
            assert released["disease"] == row["disease"]
        chosen["small"] += groups[own] < 7
        chosen["uniform"] += len(values[released["age"], row["city"]]) < 2
        assert released["age"] in BANDS
        assert released["disease"] in DISEASES

    assert [each.count.records for each in applied.noised] == [chosen["small"], chosen["uniform"]]
    assert 0 < chosen["small"] < 200
    assert chosen["uniform"] > 0
    assert [(each.operation, each.columns) for each in applied.noised] == [
        ("noise-small-groups", ("age",)),
        ("noise-uniform-groups", ("disease",)),
    ]


ROWS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", None]), st.sampled_from(["x", "y"]), st.integers(0, 3), st.sampled_from("fgc")
    ),
    min_size=1,
    max_size=25,
)


@examples(25)
@given(ROWS, st.integers(2, 4), st.booleans(), st.sampled_from([LOCAL, PartitionEngine(2)]))
def test_who_is_chosen_is_who_a_plain_count_says(rows, below, by_people, engine) -> None:
    """A missing value is a value like others."""
    kinds = {"a": pl.String, "b": pl.String, "who": pl.Int64, "s": pl.String}
    table = pl.DataFrame(rows, kinds, orient="row").with_row_index("key")
    noise = bb.NoiseSmallGroups(below, [bb.RandomisedResponse("a", 100, ("a", "b", None))])
    spread = bb.NoiseUniformGroups(below, bb.RandomisedResponse("s", 100, ("f", "g", "c")))
    person = "who" if by_people else None
    plan = bb.Plan([noise, spread], quasi=["a", "b"], sensitive=["s", "key"], person=person)
    applied = bb.apply(table, plan, engine=engine)
    people, values = defaultdict(set), defaultdict(set)
    for place, (a, b, who, s) in enumerate(rows):
        people[a, b].add(who if by_people else place)
        values[a, b].add(s)
    few = [row for row in rows if len(people[row[:2]]) < below]
    alike = [row for row in rows if len(values[row[:2]]) < below]

    told = [(each.count.records, each.count.people) for each in applied.noised]
    assert told == [(len(each), len({row[2] for row in each}) if by_people else len(each)) for each in (few, alike)]
    # with such an ε another value is drawn once in e^100 times
    assert sorted(applied.data.sort("key").select("a", "b", "s").rows(), key=str) == sorted(
        [(a, b, s) for a, b, _, s in rows], key=str
    )


class TestWhatIsDrawn:
    @pytest.mark.parametrize("engine", ENGINES)
    def test_values_follow_the_chances_of_their_mechanism(self, engine) -> None:
        """Each group has one record, so that all of them are drawn, and each draws for itself."""
        records = 3_000 if engine is LOCAL else 600
        table = pl.DataFrame({"age": ["35"] * records, "city": [f"{n}" for n in range(records)]})
        noise = bb.Exponential("age", 4, BANDS, distance="order")
        plan = bb.Plan([bb.Generalise("age", AGES, 1), small(2, noise)], quasi=["age", "city"])
        drawn = bb.apply(table, plan, engine=engine).data["age"]

        assert_follows(drawn, dict(zip(BANDS, noise.channel.chances[BANDS.index("[30, 40)")], strict=True)))

    def test_columns_are_drawn_apart_from_each_other(self) -> None:
        records = 4_000
        table = pl.DataFrame({"age": ["35"] * records, "sex": ["F"] * records, "id": [f"{n}" for n in range(records)]})
        noise = [bb.RandomisedResponse("age", 1, BANDS[:4]), bb.RandomisedResponse("sex", 1, ("F", "M"))]
        plan = bb.Plan([bb.Generalise("age", AGES, 1), small(2, *noise)], quasi=["age", "sex", "id"])
        drawn = bb.apply(table, plan).data.select("age", "sex").rows()
        ages, sexes = (each.channel.chances[place] for each, place in zip(noise, (3, 0), strict=True))
        chances = {(a, s): p * q for a, p in zip(BANDS, ages, strict=False) for s, q in zip("FM", sexes, strict=True)}

        assert_follows(drawn, chances)

    def test_it_is_drawn_once_and_anew_in_each_run(self) -> None:
        """Groups are judged on the values that come out."""
        table = clinic()
        operations = [*HYBRID.operations[:2], bb.SuppressGroups()]
        plan = bb.Plan(operations, [bb.LDiversity(3, column="key")], ["age", "city"], ["disease", "key"])
        first, second = (bb.apply(table, plan) for _ in range(2))

        for applied in (first, second):
            assert applied.data.group_by("age", "city").len()["len"].min() >= 3
            assert applied.outcome.total["suppressed"] == applied.suppressed
        assert first.data.sort("key")["age"].to_list() != second.data.sort("key")["age"].to_list()

    def test_numbers_and_dates_move_within_their_bounds_and_are_all_written_alike(self) -> None:
        table = pl.DataFrame(
            {
                "weight": ["070,5"] * 30 + ["82,0", "055,5"],
                "born": [date(1990, 5, 17)] * 30 + [date(1950, 1, 1), date(2000, 2, 29)],
            }
        )
        noise = [
            bb.Laplace("weight", 1, (0, 200), decimals=1, decimal=","),
            bb.Geometric("born", 1, ("1940-01-01", "2010-12-31")),
        ]
        released = bb.apply(table, bb.Plan([small(7, *noise)], quasi=["weight", "born"]), keep_order=True).data

        assert set(released.rows()[:30]) == {("70.5", "1990-05-17")}
        for weight, born in released.rows()[30:]:
            assert 0 <= float(weight) <= 200
            assert weight == f"{round(float(weight), 1):g}"
            assert date(1940, 1, 1) <= date.fromisoformat(born) <= date(2010, 12, 31)


SYNONYMS = {"flu": ["influenza", "grippe"], "gout": ["podagra", "uric arthritis"]}


class TestSynonyms:
    def plan(self, epsilon: float) -> bb.Plan:
        words = bb.Diversify("disease", SYNONYMS, groups_below=2)
        return bb.Plan([words, uniform(2, epsilon)], quasi=["city"], sensitive=["disease"])

    def test_words_for_one_value_make_no_group_diverse(self) -> None:
        table = pl.DataFrame({"city": ["A"] * 9 + ["B"] * 3, "disease": ["flu"] * 9 + ["flu", "gout", "gout"]})
        applied = bb.apply(table, self.plan(100))

        (noised,) = applied.noised
        assert noised.count.records == 9  # though in words they have three values
        assert Counter(applied.data.rows()) == {("A", "flu"): 9, ("B", "flu"): 1, ("B", "gout"): 2}

    def test_a_value_is_drawn_by_what_it_means(self) -> None:
        table = pl.DataFrame({"city": ["A"] * 3_000, "disease": ["flu"] * 3_000})
        drawn = bb.apply(table, self.plan(1)).data["disease"]

        assert_follows(drawn, dict(zip(DISEASES, uniform(2).noise.channel.chances[0], strict=True)))


def test_suppressed_records_are_in_no_group_and_get_no_noise() -> None:
    table = pl.DataFrame({"age": ["35"] * 6 + ["45"] * 2, "city": ["A"] * 5 + ["B"] + ["A"] * 2})
    drop = bb.SuppressRecords({"city": "B"})
    plan = bb.Plan([drop, bb.Generalise("age", AGES, 1), small(6)], quasi=["age"], sensitive=["city"])
    applied = bb.apply(table, plan)

    assert applied.noised[0].count.records == 7


class TestMistakes:
    def applied(self, table: pl.DataFrame, *operations: bb.Operation, **roles: list[str]) -> bb.Applied:
        return bb.apply(table, bb.Plan(operations, **{"quasi": ["age", "city"], "sensitive": ["disease"]} | roles))

    def test_what_cannot_be_drawn_is_refused_without_a_word_of_what_it_is(self) -> None:
        table = clinic().with_columns(age=pl.when(pl.col("key") == 3).then(170).otherwise("age"))
        with pytest.raises(bb.ColumnError, match="'age' holds 1 value that exponential cannot draw") as caught:
            self.applied(table, bb.Generalise("age", AGES, 1), small(7))
        assert "170" not in str(caught.value)
        for value in (None, "n/a", "30.5", "-1", "1990-01-01"):
            with refused("plan.noise-strangers", "age", "geometric", "1"):
                self.applied(
                    table.with_columns(age=pl.Series([value, *(str(n % 90) for n in range(399))], dtype=pl.String)),
                    small(7, bb.Geometric("age", 1, (0, 99))),
                )

    def test_a_missing_value_is_one_that_can_be_declared(self) -> None:
        table = clinic().with_columns(disease=pl.when(pl.col("key") > 2).then("disease"))
        with refused("plan.noise-strangers", "disease"):
            self.applied(table, uniform(2))
        noise = bb.RandomisedResponse("disease", 1, (*DISEASES, None))
        assert set(self.applied(table, bb.NoiseUniformGroups(2, noise)).data["disease"]) <= {*DISEASES, None}

    def test_columns_must_be_quasi_and_there_must_be_noise(self) -> None:
        with refused("plan.wrong-role", "disease", "noise-small-groups"):
            self.applied(clinic(), small(7, bb.RandomisedResponse("disease", 1, DISEASES)))
        with refused("plan.noise-not-quasi", "disease", "noise-small-groups"):
            self.applied(clinic(), small(7, bb.RandomisedResponse("disease", 1, DISEASES)), sensitive=[])
        with refused("plan.no-noise", "noise-small-groups"):
            bb.NoiseSmallGroups(7, [])
        with refused("plan.noise-smaller-than", "1"):
            small(1)
        with refused("plan.noise-fewer-values", "1"):
            uniform(1)
        with refused("plan.overlap", "age"):
            small(7, bb.Exponential("age", 1, BANDS), bb.RandomisedResponse("age", 1, BANDS))
        with refused("plan.noise-shape"):
            bb.NoiseSmallGroups(7, [bb.AddNoise("age", 1)])
        with refused("privacy.no-domain", "age"):
            self.applied(clinic(), small(7, bb.Exponential("age", 1)))

    def test_only_generalising_may_come_before_it_on_the_same_column(self) -> None:
        for before in (bb.Round("age", 5), bb.Geometric("age", 1, (0, 99)), small(7)):
            with refused("plan.overlap", "age", before.name, "noise-small-groups"):
                bb.Plan([before, small(7)])
        with refused("plan.overlap", "age", "noise-small-groups", "generalise"):
            bb.Plan([small(7), bb.Generalise("age", AGES, 1)])
        with refused("plan.overlap", "disease", "noise-uniform-groups", "diversify"):
            bb.Plan([uniform(2), bb.Diversify("disease", SYNONYMS, 2)])

    def test_in_a_file_noise_is_one_of_the_mechanisms(self) -> None:
        entries = {"smaller-than": 7, "noise": [{"add-noise": {"column": "age", "spread": 1}}]}
        with refused("plan.in-operation", "noise-small-groups", "exponential"):
            bb.Plan.from_tree({"biombo-plan": 1, "operations": [{"noise-small-groups": entries}]})


NOISE = [
    bb.Geometric("age", 1, (0, 99)),
    bb.RandomisedResponse("age", 1, BANDS),
    bb.ExponentialAsPublished("age", 1),
    bb.AddNoise("age", 1),
    small(7),
]


@pytest.mark.parametrize("noise", NOISE, ids=lambda each: each.name)
def test_no_k_is_asked_of_groups_of_noised_values(noise) -> None:
    with refused("plan.k-of-noise", "age", noise.name, "k = 5"):
        bb.Plan([noise], [bb.KAnonymity(5)], quasi=["age", "city"])
    with refused("plan.k-of-noise", "age", noise.name):
        bb.Plan([noise], [bb.KAnonymity(5, quasi=["age"])], quasi=["city"])
    unnamed = bb.Plan([noise], [bb.KAnonymity(5)])
    schema = bb.Schema({"age": bb.ColumnSchema("quasi"), "city": bb.ColumnSchema("quasi")})
    for attempt in (bb.apply, bb.preview):
        with refused("plan.k-of-noise", "age", noise.name):
            attempt(clinic(), unnamed, schema=schema)
    assert bb.Plan([noise], [bb.KAnonymity(5, quasi=["city"])], quasi=["age", "city"]).criteria


def test_k_may_be_asked_beside_noise_on_sensitive_values() -> None:
    plan = bb.Plan([uniform(2)], [bb.KAnonymity(2)], quasi=["city"], sensitive=["disease"])
    assert bb.apply(clinic(), plan).holds


class TestGuarantee:
    def test_there_is_none_and_why_is_said(self) -> None:
        found = bb.guarantees(HYBRID, columns=["age", "city", "disease"])

        assert found is not None
        assert (found.sound, found.epsilon_of_record) == ((), 0)
        assert [(each.column, each.operation, each.mechanism) for each in found.chosen] == [
            ("age", "noise-small-groups", "exponential"),
            ("disease", "noise-uniform-groups", "randomised-response"),
        ]
        first, *_ = found.sentences()
        assert "guarantee: none, because which records are noised depends on the data" in first
        assert {each["guarantee"] for each in found.as_json()["columns"]} == {"none"}
        assert found.as_json()["guarantee_for_table"] == "none"

    def test_groups_that_have_been_looked_at_void_the_guarantee_of_noise_that_follows(self) -> None:
        plan = bb.Plan([small(7), bb.RandomisedResponse("city", 1, ("A", "B", "C"))], quasi=["age", "city"])
        found = bb.guarantees(plan)

        assert found is not None
        assert found.sound == ()
        assert found.spendings[0].read_by == "noise-small-groups"

    def test_a_preview_says_it_too(self) -> None:
        seen = bb.preview(clinic(), HYBRID)

        assert seen.privacy is not None
        assert len(seen.privacy.chosen) == 2
        assert seen.drawn == ("age",)
        assert [each.operation for each in seen.noised] == ["noise-small-groups", "noise-uniform-groups"]


def test_chances_are_those_of_what_is_drawn() -> None:
    """Of every mechanism, beside what it draws; those of a number add up to 1 over all that can be drawn."""
    grid = bb.Geometric("x", 3, (0, 9))
    steps = pl.Series([str(n) for n in range(10)])
    found = grid.chances(pl.Series([0, 4, 50]), steps)

    assert found.sum(axis=1) == pytest.approx(np.ones(3))
    drawn = grid.drawn(pl.Series([4] * 20_000).to_arrow()).to_pylist()
    assert_follows(map(str, drawn), dict(zip(steps, found[1], strict=True)))
    weight = bb.Laplace("x", 2, (0, 1), decimals=1, decimal=",")
    halves = weight.chances(pl.Series(["0,5"]), pl.Series([f"0.{n}" for n in range(10)] + ["1.0"]))
    assert halves.sum() == pytest.approx(1)
    answers = bb.RandomisedResponse("x", 1, ("yes", None))
    assert answers.chances(pl.Series(["yes"]), pl.Series([None, "yes", "no"])) == pytest.approx(
        np.array([[1 / (np.e + 1), np.e / (np.e + 1), 0]])
    )
