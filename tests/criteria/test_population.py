"""Criteria that are counted in a table of the population."""

from collections import Counter, defaultdict
from fractions import Fraction

import polars as pl
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused

import biombo as bb

WHOLE = pl.DataFrame({"age": [31, 31, 31, 45, 45, 62], "city": ["A", "A", "A", "B", "B", "B"]})
STUDY = pl.DataFrame({"age": [31, 31, 45], "city": ["A", "A", "B"]})
QUASI = ["age", "city"]


def achieved(criterion: bb.Criterion, **options: object) -> float | None:
    asked = {"quasi": QUASI, "population": WHOLE} | options
    return bb.judge(bb.read(STUDY), criterion, **asked).verdicts[0].achieved  # type: ignore[arg-type]


def test_by_hand() -> None:
    # 2 of the 3 people aged 31 are in the study, 1 of the 2 aged 45, and nobody aged 62.
    assert achieved(bb.KMap(2)) == 2
    assert achieved(bb.Presence(0.5)) == 2 / 3
    assert achieved(bb.Presence(0.5, over="table")) == pytest.approx((2 * 2 / 3 + 1 / 2) / 3)
    assert achieved(bb.Absence(0.5)) == 1
    assert achieved(bb.Absence(0.5), population=WHOLE[:5]) == 1 / 2


def test_the_mean_is_the_posterior_of_membership_and_the_highest_its_worst() -> None:
    school = bb.samples.school()
    sample, population = bb.read(school.sample), bb.read(school.population)
    quasi = ["state", "sex", "age"]
    attacked = bb.membership(sample, population, quasi).subset(quasi)

    mean, worst = bb.Presence(0.5, over="table"), bb.Presence(0.5)
    found = bb.judge(sample, [mean, worst], quasi=quasi, population=population).verdicts

    assert [verdict.achieved for verdict in found] == pytest.approx([attacked["posterior"], attacked["worst"]])


@pytest.mark.parametrize("criterion", [bb.KMap(3), bb.Presence(0.6), bb.Presence(0.5, over="table"), bb.Absence(0.75)])
def test_plans_hold_them_as_data(criterion: bb.Criterion) -> None:
    assert bb.Criterion.from_tree(criterion.to_tree()) == criterion
    assert "population" not in next(iter(criterion.to_tree().values()))


people = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy")), min_size=1, max_size=25)
names = st.lists(st.sampled_from("pqrstuv"), min_size=25, max_size=25)


@examples(150)
@given(
    part=people, others=people, named=names, by_people=st.booleans(), gone=st.sets(st.sampled_from("abc"), max_size=2)
)
def test_judging_agrees_with_counting_one_by_one(
    part: list[tuple[str, str]], others: list[tuple[str, str]], named: list[str], by_people: bool, gone: set[str]
) -> None:
    rows = [(q, r, name) for (q, r), name in zip(part, named, strict=False)]
    data = bb.read(
        pl.DataFrame(rows, schema=["q", "r", "person"], orient="row"),
        bb.Schema({}, person="person" if by_people else None),
        columns=["q", "r", "person"],
    )
    whole = Counter([*part, *others])
    suppressed = [q in gone for q, _, _ in rows]
    members = defaultdict[tuple[str, str], list[str]](list)
    for (q, r, name), out in zip(rows, suppressed, strict=True):
        if not out:
            members[q, r].append(name)
    counted = {look: len(set(each) if by_people else each) for look, each in members.items()}
    asked = [bb.KMap(4), bb.Presence(0.5), bb.Presence(0.6, over="table"), bb.Absence(0.6)]

    population = pl.DataFrame([*part, *others], schema=["q", "r"], orient="row")
    judged = bb.judge(
        data, asked, quasi=["q", "r"], population=population, suppressed=pl.Series(suppressed).to_numpy()
    ).verdicts

    if not counted:
        assert [verdict.achieved for verdict in judged] == [None] * 4
        return
    chances = {look: Fraction(f, whole[look]) for look, f in counted.items()}
    mean = sum((f * chances[look] for look, f in counted.items()), Fraction(0)) / sum(counted.values())
    absent = max(1 - chances.get(look, Fraction(0)) for look in whole)
    expected = [min(whole[look] for look in counted), max(chances.values()), mean, absent]
    assert [verdict.achieved for verdict in judged] == pytest.approx([float(each) for each in expected])
    failing = [look for look in counted if whole[look] < 4]
    assert (judged[0].groups, judged[0].records) == (len(failing), sum(len(members[look]) for look in failing))
    assert judged[1].groups == sum(chance > Fraction(1, 2) for chance in chances.values())
    assert judged[2].holds == (mean <= 0.6 + 1e-9)
    assert judged[3].holds == (absent <= 0.6 + 1e-9)


@examples(100)
@given(part=people, others=people, merge=st.sampled_from(["aab", "abb", "aaa"]))
def test_generalising_makes_nothing_worse(
    part: list[tuple[str, str]], others: list[tuple[str, str]], merge: str
) -> None:
    into = dict(zip("abc", merge, strict=True))

    def verdicts(change: bool) -> list[float | None]:
        def table(rows: list[tuple[str, str]]) -> pl.DataFrame:
            return pl.DataFrame([(into[q] if change else q, r) for q, r in rows], schema=["q", "r"], orient="row")

        asked = [bb.KMap(4), bb.Presence(0.5), bb.Presence(0.6, over="table"), bb.Absence(0.6)]
        found = bb.judge(bb.read(table(part)), asked, quasi=["q", "r"], population=table([*part, *others])).verdicts
        assert all(verdict.criterion.monotonic(suppression=False) for verdict in found)
        return [verdict.achieved for verdict in found]

    before, after = verdicts(change=False), verdicts(change=True)
    smallest, *chances = zip(before, after, strict=True)
    assert smallest[1] >= smallest[0]  # type: ignore[operator]
    assert all(later <= earlier + 1e-9 for earlier, later in chances)  # type: ignore[operator]


def test_with_suppression_k_map_stays_monotonic_and_presence_does_not() -> None:
    # Of a, 1 of 4 is there, of b, 2 of 2: b fails a chance of 0.4 and 2 records go. Together 3 of 6 are, and all go.
    part, whole = [("a",), ("b",), ("b",)], [("a",)] * 4 + [("b",)] * 2
    together = [("ab",)] * 3, [("ab",)] * 6

    def failing(rows: list[tuple[str]], population: list[tuple[str]]) -> int:
        table, everybody = (pl.DataFrame(each, schema=["q"], orient="row") for each in (rows, population))
        return bb.judge(bb.read(table), bb.Presence(0.4), quasi=["q"], population=everybody).verdicts[0].records

    assert (failing(part, whole), failing(*together)) == (2, 3)
    assert not bb.Presence(0.4).monotonic(suppression=True)
    assert bb.KMap(3).monotonic(suppression=True)
    assert bb.Presence(0.4, population=100).monotonic(suppression=True)


def test_people_who_stand_twice_in_the_population_count_once() -> None:
    schema = bb.Schema({}, person="id")
    study = bb.read(pl.DataFrame({"id": ["1", "1"], "age": [31, 31]}), schema, columns=["id", "age"])
    whole = pl.DataFrame({"id": ["1", "1", "2"], "age": [31, 31, 31]})

    found = bb.judge(study, [bb.KMap(3), bb.Presence(0.4)], quasi=["age"], population=whole).verdicts

    assert [verdict.achieved for verdict in found] == [2, 1 / 2]
    with refused("criteria.population-person", "'id'"):
        bb.judge(study, bb.KMap(3), quasi=["age"], population=whole.with_columns(age=pl.Series([31, 45, 31])))


def test_what_does_not_go_together_is_refused() -> None:
    study = bb.read(STUDY)
    with refused("criteria.no-population", "(population=...)", "(population_size=...)"):
        bb.judge(study, bb.KMap(2), quasi=QUASI)
    with refused("criteria.population-twice", "(population=...)", "(population_size=...)"):
        bb.judge(study, bb.KMap(2, population=100), quasi=QUASI, population=WHOLE)
    with refused("criteria.population-unused", "population=..."):
        bb.judge(study, bb.KAnonymity(2), quasi=QUASI, population=WHOLE)
    with refused("input.empty"):
        bb.judge(study, bb.KMap(2), quasi=QUASI, population=WHOLE.clear())
    with refused("column.missing", "'city'"):
        bb.judge(study, bb.KMap(2), quasi=QUASI, population=WHOLE.drop("city"))


def test_who_is_not_in_the_population_is_refused_without_any_value() -> None:
    with refused("criteria.not-in-population", "'city'"):
        bb.judge(bb.read(STUDY.with_columns(city=pl.lit("Xapuri"))), bb.KMap(1), quasi=QUASI, population=WHOLE)
    with refused("criteria.more-than-population", "age, city"):
        bb.judge(bb.read(pl.concat([STUDY, STUDY])), bb.KMap(1), quasi=QUASI, population=WHOLE)
    for table in (STUDY.with_columns(city=pl.lit("Xapuri")), STUDY.with_columns(age=pl.lit(4711))):
        with pytest.raises(bb.BiomboError) as caught:
            bb.judge(bb.read(table), bb.KMap(1), quasi=QUASI, population=WHOLE)
        assert "Xapuri" not in str(caught.value)
        assert "4711" not in str(caught.value)
