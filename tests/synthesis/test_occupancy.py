"""The guide's example of offices (13.8): who is in a building at each hour of the day, some of them overnight."""

import numpy as np
import polars as pl
import pytest
from made_up_synthesis import synthesised

KINDS = [  # as the guide's users A to D: how many, when they come, how long they stay, in minutes
    (2000, 8 * 60 + 30, 9 * 60 + 30),
    (600, 13 * 60 + 10, 150),
    (700, 17 * 60 + 55, 13 * 60 + 40),
]


def clock(minutes: np.ndarray) -> list[str]:
    return [f"{each // 60 % 24}:{each % 60:02d}" for each in minutes.tolist()]


@pytest.fixture(scope="module")
def visits() -> pl.DataFrame:
    random = np.random.default_rng(13)
    entries = [start + random.integers(-25, 25, n) for n, start, _ in KINDS]
    exits = [
        entry + stay + random.integers(-35, 35, len(entry)) for entry, (_, _, stay) in zip(entries, KINDS, strict=True)
    ]
    return pl.DataFrame({"entrada": clock(np.concatenate(entries)), "saída": clock(np.concatenate(exits))})


def minutes(column: pl.Series) -> np.ndarray:
    return np.array([int(hour) * 60 + int(minute) for hour, minute in (each.split(":") for each in column)])


def occupancy(table: pl.DataFrame) -> np.ndarray:
    """By hour: how many are there in the middle of it; who leaves before having come leaves the next day."""
    entry, leave = minutes(table["entrada"]), minutes(table["saída"])
    middle = np.arange(24)[:, None] * 60 + 30
    within = (entry <= middle) & (middle < leave)
    overnight = (entry <= middle) | (middle < leave)
    return np.where(leave > entry, within, overnight).sum(axis=1)


def test_the_guides_own_rows():
    """Of users A to D on the first of March: three at 9:30, one of them overnight at 3:30."""
    day = pl.DataFrame({"entrada": ["8:27", "8:45", "13:18", "17:55"], "saída": ["18:04", "17:17", "15:48", "7:31"]})

    assert occupancy(day)[[3, 8, 9, 14, 17, 23]].tolist() == [1, 1, 2, 3, 1, 1]


def test_as_many_are_there_at_each_hour(visits):
    made = synthesised(visits, 13, records=visits.height)
    was, is_ = occupancy(visits), occupancy(made.data)

    assert np.abs(was - is_).max() < 0.06 * visits.height
    assert np.corrcoef(was, is_)[0, 1] > 0.99
    assert is_[3] == pytest.approx(700, abs=120)  # overnight
    assert {entry.count(":") for entry in made.data["entrada"]} == {1}


def test_any_volume_can_be_made(visits):
    made = synthesised(visits, 13, records=500)

    assert made.data.height == 500
    assert np.abs(occupancy(made.data) * visits.height / 500 - occupancy(visits)).max() < 0.1 * visits.height
