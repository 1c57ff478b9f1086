from collections import Counter
from itertools import combinations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import biombo as bb

QUASI = ["sex", "age", "city"]


def test_the_clinic_gives_the_values_computed_on_paper(clinic: bb.Dataset) -> None:
    found = bb.reidentification(clinic, QUASI)
    assert found.prior == 1 / 12
    assert found.best().select("quasi", "posterior", "groups", "unique").rows() == [
        (["sex"], 2 / 12, 2, 0),
        (["sex", "age"], 4 / 12, 4, 0),
        (QUASI, 8 / 12, 8, 4),
    ]
    sizes = found.group_sizes(QUASI).filter(pl.col("groups") > 0)
    assert sizes.select("from", "to", "groups", "records").rows() == [(1, 1, 4, 4), (2, 2, 4, 8)]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(*[st.sampled_from(["a", "b", None])] * 4), min_size=5, max_size=80))
def test_every_subset_agrees_with_the_definition(rows: list[tuple[str | None, ...]]) -> None:
    data = bb.read(pl.DataFrame({n: pl.Series([r[i] for r in rows], dtype=pl.String) for i, n in enumerate("wxyz")}))
    found = bb.reidentification(data, list("wxyz"))
    subsets = [s for size in range(1, 5) for s in combinations(range(4), size)]
    for subset, row in zip(subsets, found.subsets.iter_rows(named=True), strict=True):
        groups = Counter(tuple(r[column] for column in subset) for r in rows)
        assert row["posterior"] == len(groups) / len(rows)
        assert row["groups"] == len(groups)
        assert row["unique"] == sum(size == 1 for size in groups.values())
        assert sum(row["records_by_size"]) == len(rows)


def test_group_sizes_of_a_subset_beyond_max_size_are_counted(clinic: bb.Dataset) -> None:
    limited = bb.reidentification(clinic, QUASI, max_size=1)
    assert limited.group_sizes(QUASI).equals(bb.reidentification(clinic, QUASI).group_sizes(QUASI))


def test_group_sizes_of_an_unknown_column_are_refused(clinic: bb.Dataset) -> None:
    with pytest.raises(bb.ColumnError, match="salary"):
        bb.reidentification(clinic, QUASI).group_sizes(["salary"])
