"""Characters that are masked, and warnings where that hides too little (PDPC 2018, section 8)."""

import warnings

import hypothesis.strategies as st
import polars as pl
import pytest
from hypothesis import given
from refusal import refused
from validate_docbr import CNPJ, CNS, CPF

import biombo as bb
from biombo._i18n import LANGUAGES, set_language


def masked(values: list[object], **options: object) -> list[str | None]:
    plan = bb.Plan([bb.MaskCharacters("x", **options)])
    return bb.apply(pl.DataFrame({"x": values}), plan, keep_order=True).data["x"].to_list()


def test_the_worked_table_of_the_guide() -> None:
    """8.6: the last four digits of postal codes."""
    assert masked(["100111", "200222", "300333"], with_="x", keep_first=2) == ["10xxxx", "20xxxx", "30xxxx"]


VALUES = st.text("ab1-.", min_size=1, max_size=8)


@given(VALUES, st.integers(0, 4), st.integers(0, 4), st.sampled_from(["", "-", "-."]))
def test_all_but_the_first_and_last_are_masked_and_separators_stay(value, first, last, separators) -> None:
    counted = [sign for sign in value if sign not in separators]
    kept = counted[:first] + counted[len(counted) - last :] if first + last < len(counted) else []
    result = bb.MaskCharacters("x", keep_first=first, keep_last=last, separators=separators).masked(value)

    assert len(result) == len(value)
    assert [sign for sign in result if sign not in separators and sign != "*"] == kept
    assert all(after == before for before, after in zip(value, result, strict=True) if before in separators)


@given(VALUES, st.sets(st.integers(-9, 9).filter(bool), min_size=1))
def test_positions_count_from_either_end(value, positions) -> None:
    hidden = {p - 1 if p > 0 else len(value) + p for p in positions} & set(range(len(value)))
    expected = "".join("*" if not hidden or n in hidden else sign for n, sign in enumerate(value))

    assert bb.MaskCharacters("x", positions=positions).masked(value) == expected


@given(VALUES, VALUES)
def test_a_hidden_length_is_the_same_for_all(one, other) -> None:
    masking = bb.MaskCharacters("x", keep_first=1, hide_length=True)
    same = [f"z{value}" for value in (one, other)]

    assert {masking.masked(value) for value in same} == {"z*"}


def test_what_is_hidden_between_separators_becomes_one_mark() -> None:
    mails = ["ana.lima@example.org", "bo@x.br"]

    assert masked(mails, keep_first=1, separators="@.", hide_length=True) == ["a*.*@*.*", "b*@*.*"]


def test_a_value_too_short_to_hide_anything_is_hidden_whole() -> None:
    assert masked(["ab", "cd"], keep_first=3) == ["**", "**"]
    assert masked(["ab", "cd"], positions=[5]) == ["**", "**"]


def test_missing_values_stay_and_numbers_are_taken_as_written() -> None:
    assert masked([123456, None], keep_first=2) == ["12****", None]
    assert masked(["", None, "ab"], keep_first=1) == [None, None, "a*"]


def numbers(kind: type, n: int = 20) -> list[str]:
    return [kind().generate() for _ in range(n)]


@pytest.mark.parametrize("mask", [True, False])
@pytest.mark.parametrize(
    ("kind", "options", "left"),
    [
        (CPF, {"keep_last": 2}, "10,000,000"),  # of 1,000,000,000
        (CPF, {"positions": [1, 2]}, "1 "),
        (CPF, {"keep_first": 9}, "1 "),
        (CPF, {"positions": [1, 2, 3, 11]}, "100 "),
        (CNPJ, {"keep_first": 12}, "1 "),
        (CNS, {"positions": [3, 4]}, "10 "),
    ],
)
def test_check_digits_give_hidden_digits_away(kind, options, left, mask) -> None:
    values = [kind().mask(value) if mask else value for value in numbers(kind)]
    with pytest.warns(bb.BiomboWarning, match=f"{kind.__name__} numbers.*about {left}"):
        masked(values, separators=".-/ ", **options)


@pytest.mark.parametrize(
    ("kind", "options"), [(CPF, {"positions": [1, 2, 3, -2, -1]}), (CNS, {"keep_first": 3}), (CPF, {})]
)
def test_no_warning_where_check_digits_are_hidden_with_others(kind, options) -> None:
    masked(numbers(kind), **options)


def test_no_warning_for_numbers_that_only_look_like_it() -> None:
    masked([f"{n:011}" for n in range(1, 2000)], keep_last=2)


def test_a_length_that_tells_is_warned_of_in_both_languages() -> None:
    for code in LANGUAGES:
        set_language(code)
        with pytest.warns(bb.BiomboWarning, match="(?s)'x'.*2.*7.*hide-length"):
            masked(["ana", "benjamin"], keep_first=1)
    set_language("en")


@pytest.mark.parametrize(
    ("values", "options"),
    [
        (["ana", "eva", None, ""], {"keep_first": 1}),
        (["ana", "benjamin"], {"keep_first": 1, "hide_length": True}),
        (["ana", "benjamin"], {"positions": [1, 2]}),
    ],
)
def test_a_length_that_tells_nothing_is_not_warned_of(values, options) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        masked(values, **options)


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"with_": ""}, "plan.mark"),
        ({"with_": "xx"}, "plan.mark"),
        ({"with_": "-", "separators": "-"}, "plan.mark"),
        ({"keep_first": -1}, "plan.positions"),
        ({"positions": [0]}, "plan.positions"),
        ({"positions": [1], "keep_last": 1}, "plan.positions-and-kept"),
    ],
)
def test_entries_that_make_no_sense_are_refused(options, key) -> None:
    with refused(key, "'x'"):
        bb.MaskCharacters("x", **options)


def test_an_unknown_column_is_refused(people) -> None:
    with refused("column.missing", "'cpf'"):
        bb.apply(people, bb.Plan([bb.MaskCharacters("cpf")]))


def test_a_plan_reads_back_the_same() -> None:
    plan = bb.Plan([bb.MaskCharacters("x", "#", positions=[3, 1], separators="-.")])

    assert bb.Plan.from_tree(plan.to_tree()) == plan
    assert plan.to_tree()["operations"] == [
        {"mask-characters": {"column": "x", "with": "#", "positions": [1, 3], "separators": "-."}}
    ]
