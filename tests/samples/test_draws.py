import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from biombo._samples.draws import lookup, narrowest, spread

weights = st.lists(st.floats(0, 1e3), min_size=1, max_size=40).filter(lambda values: sum(values) > 1e-3)


@given(total=st.integers(0, 10_000), parts=weights)
def test_parts_add_up_and_stay_near_their_share(total: int, parts: list[float]) -> None:
    found = spread(total, np.array(parts))
    assert found.sum() == total
    assert (found >= 0).all()
    assert np.abs(found - total * np.array(parts) / sum(parts)).max() <= 1 + 1e-6


@given(parts=st.lists(weights, min_size=1, max_size=5), places=st.sampled_from([1, 8, 256]))
def test_a_value_fills_places_in_proportion_to_its_weight(parts: list[list[float]], places: int) -> None:
    width = max(map(len, parts))
    table = np.array([row + [0.0] * (width - len(row)) for row in parts])
    for row, filled in zip(table, lookup(table, places), strict=True):
        counts = np.bincount(filled, minlength=width)
        assert np.abs(counts - places * row / row.sum()).max() <= 1 + 1e-6


def test_the_narrowest_type_changes_after_its_last_code() -> None:
    assert [narrowest(values).itemsize for values in (1, 256, 257, 65_536, 65_537)] == [1, 1, 2, 2, 4]
