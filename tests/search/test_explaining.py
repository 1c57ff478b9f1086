"""What stands in the way, against a definition (document 001, process 4)."""

from collections import Counter

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb
from biombo._search import explain

HIERARCHIES = {
    "age": bb.Hierarchy.by_interval(10, [2]),
    "city": bb.Hierarchy.by_hand({"*": ["north", "south", "east"]}),
}
people = st.lists(
    st.tuples(st.sampled_from(["31", "35", "42", "57"]), st.sampled_from(["north", "south", "east"])),
    min_size=5,
    max_size=40,
)


def failing(rows: list[tuple[str, ...]], k: int) -> tuple[int, int, int]:
    sizes = Counter(rows).values()
    below = [size for size in sizes if size < k]
    return len(below), sum(below), sum(size == 1 for size in sizes)


@given(people, st.integers(2, 5))
def test_obstacles_and_steps_agree_with_the_definition(rows: list[tuple[str, str]], k: int) -> None:
    data = bb.read(pl.DataFrame(rows, schema=["age", "city"], orient="row"))
    found = bb.search(data, bb.KAnonymity(k), quasi=["age", "city"], hierarchies=HIERARCHIES)
    explained = explain(found.explored)
    together = explained.together
    assert (together.groups, together.records, together.unique) == failing(rows, k)
    for place, obstacle in enumerate(explained.alone):
        alone = [(row[place],) for row in rows]
        assert (obstacle.groups, obstacle.records, obstacle.unique) == failing(alone, k)
    for step in explained.steps:
        place = ("age", "city").index(step.column)
        raised = [
            tuple(HIERARCHIES[step.column].generalised(v, step.level) if i == place else v for i, v in enumerate(row))
            for row in rows
        ]
        assert step.helped == together.records - failing(raised, k)[1] > 0
    assert explained.least_suppressed == 0


def test_bounds_may_make_suppression_necessary() -> None:
    rows = [("31", "north")] * 3 + [("42", "south")]
    data = bb.read(pl.DataFrame(rows, schema=["age", "city"], orient="row"))
    found = bb.search(data, bb.KAnonymity(2), quasi=["age", "city"], hierarchies=HIERARCHIES, bounds={"city": 0})
    assert not found
    assert found.optimal
    explained = explain(found.explored)
    assert explained.least_suppressed == 1
    assert explained.cheapest is None
