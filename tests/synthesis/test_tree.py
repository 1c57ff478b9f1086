"""The tree of Chow and Liu, from counted pairs."""

from itertools import combinations
from math import log

import numpy as np
import polars as pl
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from made_up_synthesis import people, synthesised

from biombo._synthesis import mutual_information, spanned

tables = arrays(np.int64, st.tuples(st.integers(1, 4), st.integers(1, 4)), elements=st.integers(0, 40))


def test_mutual_information_by_hand():
    """Of 100 records, 40 are (a, x), 10 (a, y), 10 (b, x) and 40 (b, y): 2 (0.4 ln 1.6 + 0.1 ln 0.4) = 0.1927; two
    values each among 100 take 1 / 200 off."""
    assert mutual_information(np.array([[40, 10], [10, 40]])) == pytest.approx(0.19274 - 0.005, abs=1e-5)


@given(tables)
def test_mutual_information_is_what_its_definition_says(table):
    n = table.sum()
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    plain = sum(
        table[i, j] / n * log(table[i, j] * n / (rows[i] * columns[j]))
        for i in range(table.shape[0])
        for j in range(table.shape[1])
        if table[i, j]
    )
    taken_off = ((rows > 0).sum() - 1) * ((columns > 0).sum() - 1) / (2 * n) if n else 0

    assert mutual_information(table) == pytest.approx(max(0.0, plain - taken_off), abs=1e-12)


def trees(names):
    """All sets of edges that join all names, by trying every set of as many edges."""
    for edges in combinations(list(combinations(names, 2)), len(names) - 1):
        joined = {names[0]}
        for _ in names:
            joined |= {end for edge in edges if joined & set(edge) for end in edge}
        if joined == set(names):
            yield edges


@examples(30)
@given(st.lists(st.floats(0, 10), min_size=10, max_size=10))
def test_no_tree_weighs_more(numbers):
    weights = dict(zip(map(frozenset, combinations("abcde", 2)), numbers, strict=True))
    found = spanned("abcde", "", lambda x, y: weights[frozenset((x, y))])
    heaviest = max(sum(weights[frozenset(edge)] for edge in edges) for edges in trees("abcde"))

    assert [name for name, parent in found if parent is None] == ["a"]
    assert sum(weights[frozenset(edge)] for edge in found if edge[1]) == pytest.approx(heaviest)


def test_columns_hang_on_what_tells_most_of_them():
    made = synthesised(people(3000, 1), 1)
    joined = {frozenset(edge) for edge in made.tree if edge[1]}

    assert {frozenset({"age", "job"}), frozenset({"income", "job"})} <= joined or frozenset({"age", "income"}) in joined


@examples(20)
@given(st.integers(0, 2**32), st.integers(1, 8))
def test_nothing_is_drawn_that_fewer_than_k_people_have(seed, k):
    random = np.random.default_rng(seed)
    table = pl.DataFrame({name: random.geometric(0.4, 60).clip(max=9).astype(str) for name in "abc"})
    made = synthesised(table, seed, k=k, bins=64)

    for name, parent in made.tree:
        counts = dict(table.group_by(name).len().iter_rows())
        assert all(counts[value] >= k for value in made.data[name].unique())
        if parent is not None:
            pairs = {row[:2]: row[2] for row in table.group_by(parent, name).len().iter_rows()}
            without = {value for value in table[parent] if not any(c >= k for p, c in pairs.items() if p[0] == value)}
            drawn = made.data.select(parent, name).unique().iter_rows()
            assert all(pairs.get(pair, 0) >= k for pair in drawn if pair[0] not in without)


def test_marginals_and_pairs_are_those_of_the_original():
    table = people(4000, 2)
    made = synthesised(table, 2, records=4000).data

    for job in ("student", "retired", "cook"):
        ages = [each.filter(pl.col("job") == job)["age"].mean() for each in (table, made)]
        shares = [(each["job"] == job).mean() for each in (table, made)]
        assert ages[0] == pytest.approx(ages[1], abs=2)
        assert shares[0] == pytest.approx(shares[1], abs=0.04)


def test_a_person_counts_once():
    """Ana has six records in town A, which nobody else has."""
    import biombo as bb

    ids = ["Ana"] * 6 + [f"p{place}" for place in range(20)]
    table = pl.DataFrame({"id": ids, "town": ["A"] * 6 + ["B", "C"] * 10})
    schema = bb.Schema({"town": bb.ColumnSchema("quasi")}, person="id")

    assert set(synthesised(table, 3, schema, columns=("town",)).data["town"]) == {"B", "C"}
    assert "A" in set(synthesised(table, 3, columns=("town",), records=200).data["town"])
