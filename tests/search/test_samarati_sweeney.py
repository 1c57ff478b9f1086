"""The example tables of Samarati and Sweeney (1998), and what its policies prefer in them."""

from collections.abc import Sequence

import polars as pl
import pytest

import biombo as bb
from biombo._cells import NodeState

HIERARCHIES = {
    "E": bb.Hierarchy.by_hand({"person": ["asian", "black", "white"]}),
    "Z": bb.Hierarchy.by_hand({"021**": {"0213*": ["02138", "02139"], "0214*": ["02141", "02142"]}}),
}
Node = tuple[int, int]

WITH_SUPPRESSION = [
    ("asian", "02138"),
    ("asian", "02138"),
    ("asian", "02142"),
    ("asian", "02142"),
    ("black", "02138"),
    ("black", "02141"),
    ("black", "02142"),
    ("white", "02138"),
]


def search(rows: Sequence[tuple[str, str]], k: int, most: int = 0, **options: object) -> bb.SearchResult:
    """The table's generalisations with ``most`` records suppressed at most."""
    data = bb.read(pl.DataFrame(rows, schema=["E", "Z"], orient="row"))
    options = {"quasi": ["E", "Z"], "hierarchies": HIERARCHIES, "prefer": "absolute-distance", **options}
    return bb.search(data, bb.KAnonymity(k), max_suppression=min(1, (most + 0.5) / len(rows)), **options)


def nodes(levels: Sequence[object]) -> set[Node]:
    return {tuple(getattr(each, "levels", each).values()) for each in levels}


def suppressed(found: bb.SearchResult) -> dict[Node, int]:
    explored = found.explored
    assert (explored.counts.state == NodeState.CHECKED).all()
    return dict(
        zip(map(tuple, explored.question.nodes.tolist()), explored.counts.suppressed[:, 0].tolist(), strict=True)
    )


def preferred(found: bb.SearchResult) -> set[Node]:
    """The first plan and all that have the same score."""
    assert found.optimal
    return nodes([plan for plan in found if plan.score == found[0].score])


def test_how_many_records_each_generalisation_suppresses() -> None:
    found = search(WITH_SUPPRESSION, k=2, most=8)
    assert suppressed(found) == {(0, 0): 4, (0, 1): 2, (1, 0): 1, (0, 2): 1, (1, 1): 0, (1, 2): 0}


@pytest.mark.parametrize(
    ("most", "minimal"),
    [
        (0, {(1, 1)}),
        (1, {(1, 0), (0, 2)}),
        (2, {(1, 0), (0, 1)}),
        (3, {(1, 0), (0, 1)}),
        (4, {(0, 0)}),
        (8, {(0, 0)}),
    ],
)
def test_minimal_generalisations_with_suppression(most: int, minimal: set[Node]) -> None:
    found = search(WITH_SUPPRESSION, k=2, most=most)
    assert nodes(found.minimal) == minimal
    assert nodes(found) == minimal
    assert all(plan.minimal for plan in found)


@pytest.mark.parametrize(
    ("most", "policy", "chosen"),
    [
        (1, "absolute-distance", {(1, 0)}),
        (1, "relative-distance", {(1, 0), (0, 2)}),
        (1, "distribution", {(1, 0), (0, 2)}),
        (1, "suppression", {(1, 0), (0, 2)}),
        (2, "suppression", {(1, 0)}),
        (2, "relative-distance", {(0, 1)}),
        (2, "distribution", {(0, 1)}),
        (2, "absolute-distance", {(1, 0), (0, 1)}),
    ],
)
def test_what_each_policy_prefers(most: int, policy: str, chosen: set[Node]) -> None:
    found = search(WITH_SUPPRESSION, k=2, most=most, prefer=policy)
    assert preferred(found) == chosen


def test_ties_go_to_fewer_records_suppressed_then_fewer_levels_then_the_levels_in_order() -> None:
    assert nodes(search(WITH_SUPPRESSION, k=2, most=2)[:1]) == {(1, 0)}
    assert nodes(search(WITH_SUPPRESSION, k=2, most=1, prefer="suppression")[:1]) == {(1, 0)}
    everyone = [(e, z) for e in ("asian", "black", "white") for z in ("02138", "02139", "02141", "02142")]
    assert nodes(search(everyone, k=2)[:1]) == {(0, 1)}


@pytest.mark.parametrize(("k", "minimal"), [(2, {(1, 0), (0, 1)}), (3, {(1, 0), (0, 2)})])
def test_minimal_generalisations_without_suppression(k: int, minimal: set[Node]) -> None:
    everyone = [(e, z) for e in ("asian", "black", "white") for z in ("02138", "02139", "02141", "02142")]
    assert nodes(search(everyone, k=k).minimal) == minimal


AS_TAUGHT = [
    ("asian", "94142"),
    ("asian", "94141"),
    ("asian", "94139"),
    ("asian", "94139"),
    ("asian", "94139"),
    ("black", "94138"),
    ("black", "94139"),
    ("white", "94139"),
    ("white", "94141"),
]
CALIFORNIA = bb.Hierarchy.by_hand({"941**": {"9413*": ["94138", "94139"], "9414*": ["94141", "94142"]}})


@pytest.mark.parametrize(("node", "lost"), [((1, 0), {1, 6}), ((0, 1), {8, 9})])
def test_which_records_are_suppressed_in_the_example_of_the_authors_group(node: Node, lost: set[int]) -> None:
    found = search(AS_TAUGHT, k=2, most=2, hierarchies={"E": HIERARCHIES["E"], "Z": CALIFORNIA})
    assert nodes(found.minimal) == {(1, 0), (0, 1)}
    plan = next(plan for plan in found if tuple(plan.levels.values()) == node)
    numbered = pl.DataFrame([(*row, n) for n, row in enumerate(AS_TAUGHT, start=1)], ["E", "Z", "t"], orient="row")

    applied = bb.apply(numbered, plan.plan, keep=["t"])

    assert set(range(1, 10)) - set(applied.data["t"]) == lost


def test_marital_status_sex_and_birth_are_generalised_together() -> None:
    """The document's other hierarchies on a made-up table: nobody shares a month, and the first two share the year."""
    rows = [
        ("married", "male", "1964-09-27"),
        ("divorced", "male", "1964-04-02"),
        ("single", "female", "1965-02-13"),
        ("single", "female", "1965-11-30"),
    ]
    been = {"been married": ["married", "divorced", "widow"], "never married": ["single"]}
    by_column = {
        "marital": bb.Hierarchy.by_hand({"not released": been}),
        "sex": bb.Hierarchy.by_hand({"not released": ["male", "female"]}),
        "birth": bb.Hierarchy.by_date(["month", "year", "5 years"]),
    }
    data = bb.read(pl.DataFrame(rows, schema=list(by_column), orient="row"))
    found = bb.search(data, bb.KAnonymity(2), quasi=list(by_column), hierarchies=by_column, prefer="relative-distance")
    assert found.minimal == ({"marital": 1, "sex": 0, "birth": 2},)
    assert (found[0].precision, found[0].completeness) == (pytest.approx(1 - (1 / 2 + 0 + 2 / 4) / 3), 1)
