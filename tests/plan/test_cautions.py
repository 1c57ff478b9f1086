"""What the guide says is easily overlooked, warned of whoever carries a plan out (PDPC 2018, 4.1, 12.4 and 12.5)."""

import datetime
import re

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from examples import examples
from hypothesis import given

import biombo as bb

HEIGHTS = [120 + place % 71 for place in range(500)]
"""120 to 190, as in 12.6."""
INCOMES = [1000 + place for place in range(400)] + [50_000_000]


def warned(operations, table, *, do=bb.apply, **roles) -> list[str]:
    heard: list[str] = []
    with bb.Watch(warning=heard.append):
        do(pl.DataFrame(table), bb.Plan(operations, **roles))
    return heard


@pytest.mark.parametrize(
    ("base", "told"), [(5, []), (3, []), (0.5, ["less than a hundredth"]), (50, ["more than half"])]
)
def test_the_base_is_held_against_the_range(base: float, told: list[str]) -> None:
    """12.6 takes 5 for heights of 120 to 190 cm, and 3 for 60 kg of weights."""
    for operation in (bb.Round("x", base), bb.AddNoise("x", base / 2)):
        heard = warned([operation], {"x": HEIGHTS})
        assert [part in sentence for part, sentence in zip(told, heard, strict=True)] == [True] * len(told)


def test_a_few_values_far_from_all_others_are_warned_of_and_not_told() -> None:
    (heard,) = warned([bb.Round("income", 50)], {"income": INCOMES})

    assert "far from all others" in heard
    assert not re.search(r"\d{2}", heard)


@pytest.mark.parametrize(
    ("operation", "values"),
    [
        (bb.Round("x", 0.001), [1, 100, 10_000, 99_999] * 10),  # too few records to say
        (bb.Round("x", 5), [7] * 500),
        (bb.Round("x", 5, apart=["9999999"]), [*HEIGHTS, 9_999_999]),
        (bb.Round("x", 5, decimal=",", thousands="."), [f"{each},0" for each in HEIGHTS]),
        (bb.AddNoise("x", 30), [datetime.date(2020, 1, 1) + datetime.timedelta(place) for place in range(1000)]),
        (bb.Round("x", 0.2), np.random.default_rng(1).normal(size=20_000).tolist()),
        (bb.Round("x", 0.3), np.random.default_rng(1).exponential(size=20_000).tolist()),
    ],
)
def test_what_is_in_proportion_is_not_warned_of(operation: bb.Operation, values: list) -> None:
    assert warned([operation], {"x": values}) == []


@examples(30)
@given(st.lists(st.integers(-1000, 1000), min_size=50, max_size=200), st.integers(1, 3000))
def test_warnings_are_those_of_the_plain_definition(values: list[int], base: int) -> None:
    ordered = sorted(values)

    def between(low: float, high: float) -> int:
        first, last = (ordered[max(0, int(np.ceil(share * len(ordered))) - 1)] for share in (low, high))
        return last - first

    most = between(0.05, 0.95)
    expected = [
        part
        for part, tells in [
            ("less than a hundredth", base < most / 100),
            ("more than half", base > most / 2),
            ("far from all others", ordered[-1] - ordered[0] > 20 * (between(0.25, 0.75) or most)),
        ]
        if tells and most > 0
    ]
    heard = warned([bb.Round("x", base)], {"x": values})

    assert [part in sentence for part, sentence in zip(expected, heard, strict=True)] == [True] * len(expected)


def test_many_different_values_are_told_of_by_some() -> None:
    amounts = np.random.default_rng(2).uniform(0, 1000, 9000).round(3).tolist()

    assert warned([bb.Round("x", 20)], {"x": amounts}) == []
    assert len(warned([bb.Round("x", 8)], {"x": amounts})) == 1
    assert len(warned([bb.Round("x", 460)], {"x": amounts})) == 1
    assert len(warned([bb.Round("x", 20)], {"x": [*amounts, 1e9]})) == 1


PEOPLE = {"birth year": [1990, 1962, 1957], "age": [34, 62, 67], "city": ["A", "B", "C"]}


@pytest.mark.parametrize("do", [bb.apply, bb.preview])
def test_a_year_of_birth_beside_an_age(do) -> None:
    ages = bb.Generalise("age", bb.Hierarchy.by_interval(10), 1)

    (heard,) = warned([ages], PEOPLE, do=do, quasi=["age"], sensitive=["birth year"])
    assert "'birth year' and 'age'" in heard
    assert warned([ages, bb.SuppressColumn("birth year")], PEOPLE, do=do, quasi=["age"]) == []
    assert warned([ages], PEOPLE, do=do, quasi=["age", "city"]) == []
    assert warned([ages], PEOPLE, do=do, quasi=["age", "birth year"]) == []  # groups are by both
    assert warned([ages], PEOPLE, do=do, quasi=["age"], identifiers=["birth year"]) == []


def test_what_is_computed_of_changed_values() -> None:
    stays = {"in": ["2024-01-01", "2024-02-02"], "out": ["2024-01-04", "2024-02-20"], "ward": ["A", "B"]}
    noise, stay = bb.AddNoise("in", 3), bb.DeriveDuration("in", "out", "stay", drop=False)

    (heard,) = warned([noise, stay], stays)
    assert "'stay' is computed of 'in', which 'add-noise' changes before" in heard
    assert warned([bb.AddNoise("out", 3)], stays) == []


def test_no_public_file_tells_of_warnings(tmp_path) -> None:
    heard: list[str] = []
    table = pl.DataFrame({"income": INCOMES, "sex": ["F", "M"] * 200 + ["F"]})
    plan = bb.Plan([bb.Round("income", 50)], [bb.KAnonymity(2)], quasi=["sex"])
    with bb.Watch(warning=heard.append):
        bb.publish(table, plan, tmp_path / "release", private=tmp_path / "kept", accept={"income": "made up"})
    public = b"".join(path.read_bytes() for path in (tmp_path / "release").rglob("*") if path.is_file())

    assert any("far from all others" in sentence for sentence in heard)
    assert not [sentence for sentence in heard if sentence.encode() in public]
