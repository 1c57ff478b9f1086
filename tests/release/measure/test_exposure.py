"""How sure anybody can be whose a record is: against the definition, against what a simulation finds, and in words."""

import random
from collections import Counter, defaultdict
from collections.abc import Sequence

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from examples import examples
from hypothesis import given

import biombo as bb
from biombo._engine import RowPairs
from biombo._plan import schema_in_use
from biombo._release.measure import Exposure, exposure_of

BANDS = ("young", "middle", "old")
CITIES = ("A", "B")
AGES = bb.Hierarchy.by_bounds([[30, 60]])
LABELS = AGES.domain(1)


def measured(table: pl.DataFrame, released: pl.DataFrame, plan: bb.Plan) -> Exposure:
    """Of what came of ``table``, row by row."""
    pairs = RowPairs.of(bb.read(released), bb.read(table))
    found = exposure_of(pairs, plan, schema_in_use(plan, bb.Schema()))
    assert found is not None
    return found


def drawn(table: pl.DataFrame, plan: bb.Plan) -> pl.DataFrame:
    return bb.apply(table, plan, keep_order=True).data


def slow_surest(true: Sequence[tuple], released: Sequence[tuple], who: Sequence[object], chance) -> float:
    """The definition: ``chance(v, q)`` is how likely the values q become v."""
    best = 0.0
    for v in set(released):
        of = defaultdict(float)
        for q, person in zip(true, who, strict=True):
            of[person] += chance(v, q)
        best = max(best, max(of.values()) / sum(of.values()))
    return best


PEOPLE = st.lists(
    st.tuples(st.sampled_from(BANDS), st.sampled_from(CITIES), st.integers(0, 3)), min_size=1, max_size=12
)
ANSWERS = {
    "age": bb.Exponential("age", 2, BANDS, distance="order"),
    "city": bb.RandomisedResponse("city", 1, CITIES),
}


def chance_of(names: Sequence[str], v: tuple, q: tuple) -> float:
    """Of noise on some columns; the others stay."""
    found = 1.0
    for name, old, new in zip(("age", "city"), q, v, strict=True):
        noise = ANSWERS[name]
        places = noise.domain.index(old), noise.domain.index(new)
        found *= noise.channel.chances[places] if name in names else float(old == new)
    return found


def table_of(rows) -> pl.DataFrame:
    return pl.DataFrame(rows, {"age": pl.String, "city": pl.String, "who": pl.Int64}, orient="row")


@examples(30)
@given(PEOPLE, st.sampled_from([["age"], ["age", "city"], ["city"]]), st.booleans())
def test_noise_on_everybody_is_measured_by_the_definition(rows, names, by_people) -> None:
    plan = bb.Plan([ANSWERS[name] for name in names], quasi=["age", "city"], person="who" if by_people else None)
    table = table_of(rows)
    released = drawn(table, plan)
    true, who = [row[:2] for row in rows], [row[2] if by_people else place for place, row in enumerate(rows)]
    expected = slow_surest(true, released.rows(), who, lambda v, q: chance_of(names, v, q))

    found = measured(table, released, plan)
    assert found.surest == pytest.approx(expected)
    assert not found.at_most


@examples(30)
@given(PEOPLE, st.integers(2, 4), st.booleans(), st.sampled_from([["age"], ["age", "city"]]))
def test_so_is_noise_on_small_groups(rows, below, by_people, names) -> None:
    noise = bb.NoiseSmallGroups(below, [ANSWERS[name] for name in names])
    plan = bb.Plan([noise], quasi=["age", "city"], person="who" if by_people else None)
    table = table_of(rows)
    released = drawn(table, plan)
    true, who = [row[:2] for row in rows], [row[2] if by_people else place for place, row in enumerate(rows)]
    people = defaultdict(set)
    for q, person in zip(true, who, strict=True):
        people[q].add(person)
    expected = slow_surest(
        true,
        released.rows(),
        who,
        lambda v, q: chance_of(names, v, q) if len(people[q]) < below else float(v == q),
    )

    found = measured(table, released, plan)
    if found.at_most:  # somebody has records of both kinds
        assert by_people
        assert found.surest >= expected - 1e-12
    else:
        assert found.surest == pytest.approx(expected)


@examples(20)
@given(st.lists(st.tuples(st.integers(0, 9), st.sampled_from(CITIES)), min_size=1, max_size=12))
def test_so_are_numbers_that_move(rows) -> None:
    noise = bb.Geometric("age", 3, (0, 9))
    plan = bb.Plan([noise], quasi=["age", "city"])
    table = pl.DataFrame(rows, {"age": pl.Int64, "city": pl.String}, orient="row")
    released = drawn(table, plan)
    chances = noise.chances(pl.Series(range(10)), pl.Series(range(10)))

    def chance(v, q) -> float:
        return chances[q[0], v[0]] * (q[1] == v[1])

    expected = slow_surest(rows, released.rows(), range(len(rows)), chance)
    assert measured(table, released, plan).surest == pytest.approx(expected)


@examples(20)
@given(PEOPLE, st.booleans())
def test_where_noise_changes_nothing_it_is_one_in_the_smallest_group(rows, by_people) -> None:
    """With such an ε another value is drawn once in e^100 times: k-anonymity is a special case."""
    noise = [bb.RandomisedResponse("age", 100, BANDS)]
    plan = bb.Plan(noise, quasi=["age", "city"], person="who" if by_people else None)
    table = table_of(rows)
    groups = defaultdict(list)
    for place, row in enumerate(rows):
        groups[row[:2]].append(row[2] if by_people else place)
    most = max(max(Counter(of).values()) / len(of) for of in groups.values())

    assert measured(table, drawn(table, plan), plan).surest == pytest.approx(most)
    alone = [of for of in groups.values() if len(of) == 1]
    found = measured(table, drawn(table, plan), plan)
    assert (found.alone.records, found.alone_and_true) == (len(alone), len(alone))
    assert found.alone.people == len({of[0] for of in alone})


CLINIC = pl.DataFrame(
    {
        "age": ["25"] * 6 + ["45"] * 5 + ["75", "80", "33", "34", "20"],
        "city": ["A"] * 6 + ["B"] * 5 + ["A", "B", "A", "A", "B"],
    }
)


@pytest.mark.parametrize("below", [None, 4])
def test_a_simulation_finds_the_same_chances(below) -> None:
    """Drawn again and again: of all records that ever read v, the share that is x's is c(x, v), so that the surest
    guess on a release is right as often as is said.
    """
    noise = [bb.Exponential("age", 3, LABELS, distance="order"), bb.RandomisedResponse("city", 1.5, CITIES)]
    generalise = bb.Generalise("age", AGES, 1)
    if below is None:
        table = CLINIC.with_columns(pl.col("age").map_elements(lambda age: AGES.generalised(age, 1), pl.String))
        plan = bb.Plan(noise, quasi=["age", "city"])
    else:
        table, plan = CLINIC, bb.Plan([generalise, bb.NoiseSmallGroups(below, noise)], quasi=["age", "city"])
    times = 2_500
    repeated = pl.concat(
        [table.with_columns(run=pl.lit(str(run)), who=pl.int_range(table.height)) for run in range(times)]
    )
    # each run is a place of its own, so that all of them are drawn at once and apart
    apart = bb.Plan(plan.operations, quasi=["age", "city", "run"], sensitive=["who"])
    runs = bb.apply(repeated, apart).data.with_columns(pl.col("who").cast(pl.Int64))
    reads = Counter(runs.select("age", "city").rows())
    owns = Counter(runs.select("age", "city", "who").rows())

    sure: dict[tuple, float] = {}
    for run in range(40):
        one = runs.filter(pl.col("run") == str(run)).sort("who").select("age", "city")
        seen = measured(table, one, plan).surest
        shares = {v: max(owns[*v, who] / reads[v] for who in range(table.height)) for v in set(one.rows())}
        v = max(shares, key=shares.get)
        sure[v] = seen
        deviation = np.sqrt(shares[v] * (1 - shares[v]) / reads[v])
        assert abs(seen - shares[v]) < 6 * deviation + 0.01, (v, seen, shares[v])
    assert max(sure.values()) > 1 / 6


def test_the_most_exposed_person_counts_and_not_the_mean() -> None:
    """An outlier among many who are alike: noise hardly hides it, and hides the others well."""
    chance = random.Random(2)
    ages = [chance.randint(20, 40) for _ in range(500)] + [95]
    table = pl.DataFrame({"age": ages})
    plan = bb.Plan([bb.Geometric("age", 20, (0, 110))], quasi=["age"])
    released = pl.DataFrame({"age": [*ages[:-1], 93]})

    found = measured(table, released, plan)
    assert found.surest > 0.95
    assert (found.alone.records, found.alone_and_true) == (1, 0)
    crowd = measured(table, pl.DataFrame({"age": [*ages[:-1], 30]}), plan)
    assert crowd.surest < 0.05


def test_what_epsilon_allows_is_told_where_there_are_too_many_values(monkeypatch) -> None:
    chance = random.Random(3)
    rows = [(chance.choice(BANDS), chance.choice(CITIES), n // 2) for n in range(60)]
    table = table_of(rows)
    for person in (None, "who"):
        plan = bb.Plan([ANSWERS["age"]], quasi=["age", "city"], person=person)
        released = drawn(table, plan)
        exact = measured(table, released, plan)
        with monkeypatch.context() as patched:
            patched.setattr("biombo._release.measure.exposure._MOST", 0)
            bound = measured(table, released, plan)
        assert bound.at_most
        assert exact.surest <= bound.surest < 1
        in_city = Counter(row[1] for row in rows)
        if person is None:
            assert bound.surest == pytest.approx(1 / (1 + (min(in_city.values()) - 1) * np.exp(-2)))


@pytest.mark.parametrize("at_once", [1, 9])
def test_columns_with_many_values_are_measured_piece_by_piece(at_once, monkeypatch) -> None:
    chance = random.Random(5)
    rows = [(chance.randrange(60), chance.choice(CITIES)) for _ in range(80)]
    table = pl.DataFrame(rows, ["age", "city"], orient="row")
    plan = bb.Plan([bb.Geometric("age", 6, (0, 60)), ANSWERS["city"]], quasi=["age", "city"])
    released = drawn(table, plan)
    whole = measured(table, released, plan)
    for place in ("chances", "noise_pattern"):
        monkeypatch.setattr(f"biombo._release.measure.{place}.AT_ONCE", at_once)

    assert measured(table, released, plan).surest == pytest.approx(whole.surest)


def test_noise_whose_chances_are_not_known_hides_nothing() -> None:
    """What the adversary is taken to know is what the noise made of the values."""
    table = pl.DataFrame({"age": [30] * 5 + [40]})
    plan = bb.Plan([bb.AddNoise("age", 0.1)], quasi=["age"])
    assert measured(table, drawn(table, plan), plan).surest == 1

    as_published = bb.Plan([bb.ExponentialAsPublished("age", 5)], quasi=["age"])
    assert measured(table, drawn(table, as_published), as_published).surest == pytest.approx(1 / 6)


@pytest.mark.parametrize(
    "noise",
    [
        bb.Pram("x", invariant=0.5),
        bb.Pram("x", [[0.5, 0.25, 0.25]] * 3, domain=["1", "2", "9"]),
        bb.CorrelatedNoise(["x"], 1, decimals=3),
        bb.CorrelatedNoise(["x"], 1, "multiplicative", decimals=3),
    ],
    ids=["invariant", "matrix", "additive", "multiplicative"],
)
def test_nor_does_a_matrix_or_noise_on_several_columns(noise) -> None:
    """However much changes: what each value became counts as known."""
    table = pl.DataFrame({"x": ["1"] * 30 + ["2"] * 30 + ["9"] * 3})
    plan = bb.Plan([noise], quasi=["x"])
    released = drawn(table, plan)

    assert measured(table, released, plan).surest == pytest.approx(1 / released["x"].value_counts()["count"].min())


def test_post_randomisation_by_epsilon_is_measured_as_randomised_response() -> None:
    table = pl.DataFrame({"x": ["A"] * 9 + ["B"] * 2})
    response = bb.Plan([bb.RandomisedResponse("x", 1, ("A", "B"))], quasi=["x"])
    by_epsilon = bb.Plan([bb.Pram("x", epsilon=1, domain=("A", "B"))], quasi=["x"])
    released = drawn(table, by_epsilon)

    found = measured(table, released, by_epsilon.completed(bb.Schema()))
    assert found == measured(table, released, response)
    assert found.surest < 1


def test_masked_records_are_one_group() -> None:
    table = pl.DataFrame({"age": ["young"] * 6 + ["old"] * 2, "city": ["A"] * 8, "key": range(8)})
    noise = bb.RandomisedResponse("age", 100, BANDS)
    plan = bb.Plan([noise, bb.MaskGroups()], [bb.LDiversity(3)], quasi=["age", "city"], sensitive=["key"])
    released = drawn(table, plan).select("age", "city")

    assert Counter(released.rows()) == {("*", "*"): 8}
    assert measured(table, released, plan).surest == pytest.approx(1 / 8)


def test_without_noise_on_quasi_columns_there_is_nothing_to_measure() -> None:
    table = pl.DataFrame({"age": [30, 40], "disease": ["flu", "gout"]})
    plan = bb.Plan([bb.RandomisedResponse("disease", 1, ("flu", "gout"))], quasi=["age"], sensitive=["disease"])
    pairs = RowPairs.of(bb.read(drawn(table, plan)), bb.read(table))

    assert exposure_of(pairs, plan, schema_in_use(plan, bb.Schema())) is None
