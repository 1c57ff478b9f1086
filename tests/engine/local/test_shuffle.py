"""Rows in random order."""

from collections import Counter
from collections.abc import Iterable
from itertools import permutations
from math import factorial
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from hypothesis import given

import biombo as bb
from biombo._engine import FrameWriter, shuffled


def in_random_order(parts: list[pl.DataFrame], folder: Path | None, most_held: int) -> pl.DataFrame:
    with FrameWriter() as writer, shuffled(writer, folder, most_held) as shuffling:
        for part in parts:
            shuffling.write(part)
    return writer.frame


TEXTS = st.lists(st.text(max_size=30) | st.none(), min_size=1, max_size=20)


@given(st.lists(TEXTS, min_size=1, max_size=5), st.sampled_from([0, 40, 1 << 20]))
def test_every_row_comes_out_once_and_whole_in_memory_and_through_files(tmp_path_factory, parts, most_held) -> None:
    frames = [pl.DataFrame({"text": part, "size": [len(t or "") for t in part]}) for part in parts]
    frames = [frame.cast({"text": pl.String, "size": pl.Int64}) for frame in frames]
    folder = tmp_path_factory.mktemp("shuffle")
    result = in_random_order(frames, folder, most_held)

    assert Counter(result.rows()) == Counter(pl.concat(frames).rows())
    assert list(folder.iterdir()) == []


def test_nothing_is_on_the_disk_under_a_name_while_rows_wait(tmp_path) -> None:
    with FrameWriter() as writer, shuffled(writer, tmp_path, most_held=0) as shuffling:
        for n in range(3):
            shuffling.write(pl.DataFrame({"n": [n]}))
            assert list(tmp_path.iterdir()) == []

    assert sorted(writer.frame["n"]) == [0, 1, 2]


def chi_squared(seen: Iterable[int], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in seen)


def test_all_orders_of_three_rows_have_the_same_chance() -> None:
    """χ² with 5 degrees of freedom is above 30 in 1.5 of 100,000 runs."""
    parts = [pl.DataFrame({"n": [n]}) for n in range(3)]
    seen = Counter(tuple(in_random_order(parts, None, 0)["n"]) for _ in range(1200))

    assert chi_squared((seen[order] for order in permutations(range(3))), 1200 / factorial(3)) < 30


@pytest.mark.parametrize("most_held", [50_000, 1 << 30])
def test_where_a_row_comes_out_has_nothing_to_do_with_where_it_was(tmp_path, most_held) -> None:
    """χ² with 81 degrees of freedom is above 150 in 5 of a million runs."""
    parts = [pl.DataFrame({"n": range(start, start + 10_000)}) for start in range(0, 100_000, 10_000)]
    order = in_random_order(parts, tmp_path, most_held)["n"].to_numpy()
    seen, _, _ = np.histogram2d(order, np.arange(100_000), bins=10)

    assert chi_squared(seen.ravel(), 1000) < 150


def test_a_result_is_shuffled_unless_its_order_is_to_be_kept() -> None:
    table, plan = pl.DataFrame({"n": range(1000)}), bb.Plan(sensitive=["n"])
    applied = bb.apply(table, plan)

    assert applied.shuffled
    assert applied.data["n"].to_list() != table["n"].to_list()
    assert sorted(applied.data["n"]) == table["n"].to_list()
    assert bb.apply(table, plan, keep_order=True).data.equals(table)


def test_what_is_shuffled_twice_comes_out_differently() -> None:
    table, plan = pl.DataFrame({"n": range(1000)}), bb.Plan(sensitive=["n"])

    assert not bb.apply(table, plan).data.equals(bb.apply(table, plan).data)
