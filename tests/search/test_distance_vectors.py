"""Samarati and Sweeney's distance vectors, closed under maximum: neither minimal nodes nor best ones lie outside."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_generalising import PlainColumn
from plain_search import PlainSearch, at_most
from small_tables import SmallTable, bounds_of, criteria_lists, small_tables

import biombo as bb
from biombo._search import POLICIES, candidates, question_of

Levels = tuple[int, ...]


def vectors(columns: list[PlainColumn], lowest: Levels, outliers: set[int]) -> set[Levels]:
    """For each outlier and each record: column by column, the level at which they become equal, if they ever do."""
    found = set()
    for one in outliers:
        for other in range(len(columns[0].values)):
            met = [
                next((n for n in range(low, c.height + 1) if c.at(n)[one] == c.at(n)[other]), None)
                for c, low in zip(columns, lowest, strict=True)
            ]
            if None not in met:
                found.add(tuple(met))
    return found


def closed_plainly(marked: set[Levels], nodes: list[Levels]) -> set[Levels]:
    """The nodes that are the maximum of marked ones."""
    found = set()
    for node in nodes:
        below = [vector for vector in marked if at_most(vector, node)]
        if below and tuple(map(max, zip(*below, strict=True))) == node:
            found.add(node)
    return found | {nodes[0]}


@given(small_tables(rows=12), criteria_lists, st.integers(1, 4), st.data())
def test_candidates_are_the_closure_of_the_vectors_of_outliers(
    table: SmallTable, criteria: list[bb.Criterion], k: int, more: st.DataObject
) -> None:
    bounds = more.draw(bounds_of(table))
    asked = [bb.KAnonymity(k), *(each for each in criteria if each.scope == "group" and each.name != "k-anonymity")]
    plainly = table.plainly(asked, 1.0, bounds=bounds)
    outliers = plainly.costs[plainly.nodes[0]].suppressed
    within = {
        vector
        for vector in vectors(table.columns, plainly.nodes[0], outliers)
        if at_most(vector, tuple(highest for _, highest in bounds))
    }
    options = {**table.options, "bounds": dict(zip(table.quasi, bounds, strict=True))}
    question = question_of(table.data, [bb.KAnonymity(1), *asked[1:]], **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("biombo._search.distance_vectors.PAIRS_AT_ONCE", more.draw(st.sampled_from([1, 7, 1 << 20])))
        found = candidates(question, (1, k))

    assert found is not None
    expected = closed_plainly(within, plainly.nodes)
    assert {tuple(node) for node in question.nodes[found].tolist()} == expected
    for limit in {0, 1, 3, len(table.rows)}:
        plainly = table.plainly(asked, 1.0, bounds=bounds)
        plainly.limit = limit
        assert set(plainly.minimal) <= expected
        assert {node for policy in POLICIES for _, node in plainly.ranking(policy)[:1]} <= expected


@given(small_tables(rows=12), criteria_lists)
def test_a_node_and_the_candidate_below_it_suppress_the_same_records(
    table: SmallTable, criteria: list[bb.Criterion]
) -> None:
    asked = [criterion for criterion in criteria if criterion.scope == "group"] or [bb.KAnonymity(2)]
    plainly = table.plainly(asked, 1.0)
    question = question_of(table.data, asked, **table.options)
    found = candidates(question, (question.k,))
    assert found is not None
    wanted = [tuple(node) for node in question.nodes[found].tolist()]
    for node in plainly.nodes:
        below = tuple(map(max, zip(*(each for each in wanted if at_most(each, node)), strict=True)))
        assert below in wanted
        assert plainly.costs[below].suppressed == plainly.costs[node].suppressed


def test_a_bound_on_the_whole_table_can_make_any_node_minimal(clinic: bb.Dataset) -> None:
    question = question_of(clinic, [bb.KAnonymity(2), bb.Vulnerability(0.5, over="table")])
    assert candidates(question, (2,)) is None


def test_too_many_pairs_are_not_made(clinic: bb.Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    question = question_of(clinic, bb.KAnonymity(2))
    outliers, tuples = 4, 8
    monkeypatch.setattr("biombo._search.distance_vectors.PAIRS_AT_MOST", outliers * tuples)
    assert candidates(question, (2,)) is not None
    monkeypatch.setattr("biombo._search.distance_vectors.PAIRS_A_SECOND", outliers * tuples)
    assert candidates(question, (2,), seconds=1) is not None
    assert candidates(question, (2,), seconds=0.5) is None
    monkeypatch.setattr("biombo._search.distance_vectors.PAIRS_AT_MOST", outliers * tuples - 1)
    assert candidates(question, (2,)) is None


A = {"a0": ("a01", "a"), "a1": ("a01", "a"), "a2": ("a23", "a"), "a3": ("a23", "a")}
B = {"b0": ("b01", "b"), "b1": ("b01", "b"), "b2": ("b23", "b"), "b3": ("b23", "b")}
COUNTEREXAMPLE = [("a0", "b0"), ("a1", "b0"), ("a2", "b2"), ("a2", "b3")]


def test_a_minimal_node_need_not_be_a_vector_itself() -> None:
    """Samarati and Sweeney's theorem is false: [1, 1] is minimal for k = 2, and lies between no two tuples."""
    columns = [PlainColumn(A, [a for a, _ in COUNTEREXAMPLE]), PlainColumn(B, [b for _, b in COUNTEREXAMPLE])]
    assert vectors(columns, (0, 0), {0, 1, 2, 3}) == {(0, 0), (1, 0), (0, 1), (2, 2)}
    assert PlainSearch(columns, [bb.KAnonymity(2)]).minimal == [(1, 1)]

    data = bb.read(pl.DataFrame(COUNTEREXAMPLE, schema=["A", "B"], orient="row"))
    by_column = {name: bb.Hierarchy.load(tree) for name, tree in (("A", tree_of(A)), ("B", tree_of(B)))}
    found = bb.search(data, bb.KAnonymity(2), quasi=["A", "B"], hierarchies=by_column, prefer="absolute-distance")
    assert found.minimal == ({"A": 1, "B": 1},)
    assert found.optimal

    wanted = candidates(found.explored.question, (2,))
    assert found.explored.question.nodes[wanted].tolist() == [[0, 0], [0, 1], [1, 0], [1, 1], [2, 2]]


def tree_of(levels: dict[str, tuple[str, str]]) -> dict[str, dict[str, list[str]]]:
    tree: dict[str, dict[str, list[str]]] = {}
    for value, (group, top) in levels.items():
        tree.setdefault(top, {}).setdefault(group, []).append(value)
    return tree


AS_TAUGHT = {
    "t1": ("asian", "94142"),
    "t2": ("asian", "94141"),
    "t6": ("black", "94138"),
    "t7": ("black", "94139"),
    "t8": ("white", "94139"),
    "t9": ("white", "94141"),
}


@pytest.mark.parametrize(
    ("one", "other", "vector"),
    [
        ("t1", "t2", [0, 1]),
        ("t1", "t9", [1, 1]),
        ("t6", "t7", [0, 1]),
        ("t7", "t8", [1, 0]),
        ("t8", "t9", [0, 2]),
    ],
)
def test_the_vectors_of_the_authors_group(one: str, other: str, vector: list[int]) -> None:
    by_column = {
        "E": bb.Hierarchy.by_hand({"person": ["asian", "black", "white"]}),
        "Z": bb.Hierarchy.by_hand({"941**": {"9413*": ["94138", "94139"], "9414*": ["94141", "94142"]}}),
    }
    pair = pl.DataFrame([AS_TAUGHT[one], AS_TAUGHT[other]], schema=["E", "Z"], orient="row")
    question = question_of(bb.read(pair), bb.KAnonymity(2), quasi=["E", "Z"], hierarchies=by_column)
    assert question.nodes[candidates(question, (2,))].tolist() == [[0, 0], vector]
