"""Pseudonyms (PDPC 2018, section 9)."""

import re
from pathlib import Path

import hypothesis.strategies as st
import polars as pl
import pytest
from hypothesis import given
from refusal import refused

import biombo as bb
from biombo._secrets import Key

KEY, OTHER = Key(bytes(range(32))), Key(bytes(32))
texts = st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1) | st.none(), min_size=1)
numbers = st.lists(st.from_regex(r"[0-9]{6,12}", fullmatch=True), min_size=1)


def keyed(column: str = "id", key: Key = KEY, **entries) -> bb.Pseudonymise:
    return bb.Pseudonymise(column, "keyed", key=key.id, **{"scope_": "everywhere"} | entries)


def ciphered(column: str = "id", key: Key = KEY, **entries) -> bb.Pseudonymise:
    return bb.Pseudonymise(
        column, "format-preserving", key=key.id, **{"scope_": "everywhere", "format": "digits"} | entries
    )


def pseudonyms(values: list[str | None], operation: bb.Pseudonymise, key: Key | None = KEY) -> list[str | None]:
    table = pl.DataFrame({operation.column: pl.Series(values, dtype=pl.String), "n": range(len(values))})
    return bb.apply(table, bb.Plan([operation]), key=key, keep_order=True).data[operation.column].to_list()


@pytest.mark.parametrize("make", [keyed, ciphered])
@given(values=numbers)
def test_the_same_key_gives_the_same_result(make, values) -> None:
    assert pseudonyms(values, make()) == pseudonyms(values[::-1], make())[::-1]


@pytest.mark.parametrize("make", [keyed, ciphered])
def test_another_key_gives_another_result(make) -> None:
    values = [f"{number:012d}" for number in range(200)]
    pairs = zip(pseudonyms(values, make()), pseudonyms(values, make(key=OTHER), OTHER), strict=True)

    assert all(one != other for one, other in pairs)


@given(texts)
def test_equal_values_have_equal_pseudonyms_and_different_ones_different(values) -> None:
    for operation in (keyed(), bb.Pseudonymise("id", "random")):
        found = pseudonyms(values, operation)

        assert [value is None for value in found] == [value is None for value in values]
        assert len(set(zip(values, found, strict=True))) == len(set(values)) == len(set(found))
        assert not {*found} & {*values} - {None}


def test_columns_have_unrelated_pseudonyms() -> None:
    values = [f"{number:09d}" for number in range(200)]

    for make in (keyed, ciphered):
        assert not {*zip(values, pseudonyms(values, make("a")), strict=True)} & {
            *zip(values, pseudonyms(values, make("b")), strict=True)
        }


def test_datasets_have_unrelated_pseudonyms_unless_they_are_to_be_the_same_everywhere() -> None:
    def of(**entries) -> list[str | None]:
        return pseudonyms(["Ana", "Bia"], keyed(**entries))

    assert of(scope_="dataset", dataset="2024") == of(scope_="dataset", dataset="2024")
    assert not {*of(scope_="dataset", dataset="2024")} & {*of(scope_="dataset", dataset="2025")}
    assert not {*of(scope_="dataset", dataset="2024")} & {*of(scope_="everywhere")}


def test_random_pseudonyms_never_come_again() -> None:
    values = [str(number) for number in range(500)]
    first, second = (pseudonyms(values, bb.Pseudonymise("id", "random"), None) for _ in range(2))

    assert not {*first} & {*second}


def test_length_and_letters_are_as_asked_for() -> None:
    found = pseudonyms(["Ana", "Bia"], keyed(alphabet="0123456789", length=30))

    assert all(re.fullmatch("[0-9]{30}", str(each)) for each in found)


def test_numbers_count_as_they_are_written() -> None:
    table = pl.DataFrame({"id": [7, 1234567, None]})
    found = bb.apply(table, bb.Plan([keyed()]), key=KEY, keep_order=True).data["id"].to_list()

    assert found == pseudonyms(["7", "1234567", None], keyed())
    assert pseudonyms(["007"], keyed()) != pseudonyms(["7"], keyed())


def test_an_identifier_that_is_pseudonymised_is_released_and_people_are_still_counted() -> None:
    table = pl.DataFrame({"cpf": ["a", "a", "b", "c"], "name": ["A", "A", "B", "C"], "sex": ["F", "F", "F", "M"]})
    plan = bb.Plan(
        [bb.Pseudonymise("cpf", "random"), bb.SuppressGroups()],
        [bb.KAnonymity(2)],
        quasi=["sex"],
        identifiers=["name"],
        person="cpf",
    )
    applied = bb.apply(table, plan, keep_order=True)

    assert applied.data is not None
    assert applied.data.columns == ["cpf", "sex"]
    first, second, third = applied.data["cpf"]
    assert first == second != third
    assert not {first, third} & {"a", "b"}
    assert applied.holds


def test_random_pseudonyms_are_the_same_in_all_passes() -> None:
    table = pl.DataFrame({"id": [str(number // 2) for number in range(100)], "x": ["a"] * 100})
    plan = bb.Plan([bb.Pseudonymise("id", "random"), bb.SuppressGroups()], [bb.KAnonymity(2)], quasi=["id"])
    applied = bb.apply(table, plan)

    assert applied.holds
    assert applied.rows == 100


def test_what_is_pseudonymised_is_told() -> None:
    applied = bb.apply(pl.DataFrame({"id": ["a"]}), bb.Plan([bb.Pseudonymise("id", "random")]))

    assert applied.pseudonymised == ("id",)
    assert applied.as_json()["pseudonymised"] == ["id"]
    assert applied.as_json()["identity_tables"] == []


@pytest.mark.parametrize("kind", ["hash", "md5", "SHA256", "sha-512", "blake2b"])
def test_hashes_without_a_key_are_refused_with_the_reason(kind) -> None:
    with refused("pseudonyms.unkeyed", kind, "CPF"):
        bb.Pseudonymise("id", kind)
    with refused("pseudonyms.unkeyed", kind, "CPF"):
        bb.Pseudonymise.from_entries({"column": "id", "kind": kind}, Path())


@pytest.mark.parametrize(
    ("key", "entries"),
    [
        ("document.entry-choice", {"kind": "magic"}),
        ("document.entry-choice", {"kind": "keyed", "key": KEY.id, "scope_": "here"}),
        ("document.entry-choice", {"kind": "format-preserving", "key": KEY.id, "dataset": "x", "format": "passport"}),
        ("pseudonyms.no-key", {"kind": "keyed", "scope_": "everywhere"}),
        ("pseudonyms.no-key", {"kind": "format-preserving", "format": "cpf", "scope_": "everywhere"}),
        ("pseudonyms.no-key", {"kind": "random", "reversible_": True}),
        ("pseudonyms.key-unused", {"kind": "random", "key": KEY.id}),
        ("pseudonyms.random-scope", {"kind": "random", "scope_": "everywhere"}),
        ("pseudonyms.random-scope", {"kind": "random", "dataset": "2024"}),
        ("pseudonyms.no-dataset", {"kind": "keyed", "key": KEY.id}),
        ("pseudonyms.no-dataset", {"kind": "keyed", "key": KEY.id, "dataset": ""}),
        ("pseudonyms.dataset-unused", {"kind": "keyed", "key": KEY.id, "scope_": "everywhere", "dataset": "x"}),
        ("pseudonyms.alphabet", {"kind": "random", "alphabet": "a"}),
        ("pseudonyms.alphabet", {"kind": "random", "alphabet": "aa"}),
        ("pseudonyms.alphabet", {"kind": "random", "alphabet": "ab="}),
        ("pseudonyms.length", {"kind": "random", "length": 0}),
        ("pseudonyms.length", {"kind": "random", "length": 33}),
        ("pseudonyms.short-keyed", {"kind": "keyed", "key": KEY.id, "dataset": "x", "length": 15}),
        ("pseudonyms.format-unused", {"kind": "random", "format": "cpf"}),
        (
            "pseudonyms.always-reversible",
            {"kind": "format-preserving", "key": KEY.id, "dataset": "x", "format": "cpf", "reversible_": False},
        ),
        ("pseudonyms.which-format", {"kind": "format-preserving", "key": KEY.id, "dataset": "x"}),
        (
            "pseudonyms.which-format",
            {"kind": "format-preserving", "key": KEY.id, "dataset": "x", "format": "cpf", "alphabet": "ab"},
        ),
        (
            "pseudonyms.length-kept",
            {"kind": "format-preserving", "key": KEY.id, "dataset": "x", "format": "cpf", "length": 9},
        ),
    ],
)
def test_entries_that_make_no_sense_are_refused(key, entries) -> None:
    with refused(key):
        bb.Pseudonymise("id", **entries)


@pytest.mark.parametrize(
    "operation",
    [
        bb.Pseudonymise("id", "random", length=6, alphabet="0123456789"),
        bb.Pseudonymise("id", "random", key=KEY.id, reversible_=True),
        keyed(reversible_=True),
        keyed(scope_="dataset", dataset="2024"),
        ciphered(format="cpf"),
        ciphered(format=None, alphabet="ACGT"),
    ],
)
def test_plans_with_pseudonyms_are_documents(operation) -> None:
    plan = bb.Plan([operation])
    again = bb.Plan.from_tree(plan.to_tree())

    assert again == plan
    assert again.hash == plan.hash


def test_no_key_is_in_a_plan_or_its_looks() -> None:
    plan = bb.Plan([keyed()])

    assert KEY.secret.hex() not in plan.to_yaml() + repr(plan) + repr(KEY) + str(KEY)


@pytest.mark.parametrize(
    "operation", [keyed(), ciphered(), bb.Pseudonymise("id", "random", key=KEY.id, reversible_=True)]
)
def test_a_wrong_or_missing_key_is_recognised_before_anything_is_written(operation, tmp_path) -> None:
    table, plan = pl.DataFrame({"id": ["123456"]}), bb.Plan([operation])

    with refused("keys.wrong", KEY.id, OTHER.id):
        bb.apply(table, plan, tmp_path / "out.csv", key=OTHER)
    with refused("keys.missing", KEY.id):
        bb.apply(table, plan, tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


def test_the_right_one_of_several_keys_is_used() -> None:
    table, plan = pl.DataFrame({"id": ["a"]}), bb.Plan([keyed()])

    assert bb.apply(table, plan, key=[OTHER, KEY]).data["id"].to_list() == pseudonyms(["a"], keyed())


def test_a_value_that_cannot_be_ciphered_leaves_nothing_behind(tmp_path) -> None:
    table = pl.DataFrame({"id": ["123.456.789-09", "123"]})

    with refused("pseudonyms.no-such-number", "'id'", "'999'"):
        bb.apply(table, bb.Plan([ciphered(format="cpf")]), tmp_path / "out.csv", key=KEY)
    assert list(tmp_path.iterdir()) == []
