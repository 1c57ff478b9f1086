import itertools
import random
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import dataset

from biombo._data.inspection import Dependencies, dependencies, value_counts

module = import_module("biombo._data.inspection.dependencies")


def found_in(columns) -> Dependencies:
    data = dataset(columns)
    return dependencies(data, {name: value_counts(column) for name, column in data.columns.items()})


def test_a_code_and_its_name_tell_the_same():
    codes = [f"12{n % 5}" for n in range(200)]
    found = found_in({"code": codes, "name": [f"town {code}" for code in codes], "size": ["S", "M"] * 100})

    assert found.same_as("code") == ("name",)
    assert found.same_as("name") == ("code",)
    assert found.follows_from("code") == ()


def test_a_region_follows_from_its_town_but_not_the_other_way():
    towns = [n % 10 for n in range(300)]
    found = found_in({"town": towns, "region": [town // 5 for town in towns]})

    assert found.follows_from("region") == ("town",)
    assert found.follows_from("town") == ()


def test_columns_that_agree_only_by_chance_are_not_reported():
    rare = ["no"] * 59 + ["yes"]
    found = found_in({"group": [n % 30 for n in range(58)] + [30, 30], "rare": [*rare[:58], "yes", "yes"]})

    assert found.determined_by == {}


def test_constants_and_columns_of_mostly_unique_values_are_not_compared():
    found = found_in({"constant": [1] * 100, "id": list(range(100)), "pair": [n // 2 for n in range(100)]})

    assert found.columns == 1


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=60, max_size=120))
def test_what_is_reported_holds_in_every_row(rows):
    columns = {"a": [a for a, _ in rows], "b": [b for _, b in rows], "sum": [a * 3 + b for a, b in rows]}
    found = found_in(columns)

    for target, sources in found.determined_by.items():
        for source in sources:
            pairs = set(zip(columns[source], columns[target], strict=True))
            assert len(pairs) == len(set(columns[source]))


def test_an_exception_after_the_first_look_is_seen(monkeypatch):
    monkeypatch.setattr(module, "_FIRST_LOOK", 10)
    towns = [n % 10 for n in range(300)]
    regions = [town // 5 for town in towns]
    regions[-1] = 0

    assert found_in({"town": towns, "region": regions}).determined_by == {}


def test_what_was_left_out_is_counted(monkeypatch):
    monkeypatch.setattr(module, "MOST_COLUMNS", 2)
    monkeypatch.setattr(module, "MOST_ROWS", 50)
    random.seed(3)
    found = found_in({name: [random.randrange(3) for _ in range(120)] for name in "abcde"})

    assert (found.columns, found.left_out, found.rows) == (2, 3, 40)


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_tiny_tables_have_no_dependencies_beyond_chance(rows):
    for values in itertools.product("ab", repeat=rows):
        assert found_in({"x": values, "y": values}).determined_by == {}
