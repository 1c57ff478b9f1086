"""The guide's example of offices (13.8): who is in a building at each hour of the day, some of them overnight.

Its numbers of users by hour are those of a table that it prints only in part; what is printed of them is by its rule.
"""

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


FIRST = (("8:27", "18:04"), ("8:45", "17:17"), ("13:18", "15:48"), ("17:55", "7:31"))
SECOND = (("8:20", "18:10"), ("8:55", "17:54"), ("13:02", "16:02"), ("18:04", "7:39"))
MADE_UP = (
    ("8:25", "17:53"), ("8:00", "18:04"), ("8:12", "18:48"), ("8:49", "18:02"), ("8:33", "18:11"),
    ("8:37", "18:05"), ("8:55", "20:05"), ("8:23", "18:34"), ("13:16", "15:48"), ("13:03", "15:11"),
    ("13:28", "15:25"), ("13:18", "15:32"), ("17:55", "7:38"), ("18:04", "7:32"), ("17:57", "7:02"),
)  # fmt: skip
"""Users A to D on two days in March, and the synthetic ones of a day in April: when they came, and when they left."""


@pytest.mark.parametrize(
    ("days", "users"),
    [([FIRST], [1, 1, 2, 3, 1, 1]), ([FIRST, SECOND], [1, 1, 2, 3, 1.5, 1]), ([MADE_UP], [3, 4, 8, 12, 8, 3])],
)
def test_the_guides_own_rows(days, users):
    """Of users A to D on the first of March: one overnight at 3:30, two at 9:30, three at 14:30; or on average."""
    tables = [pl.DataFrame(day, ["entrada", "saída"], orient="row") for day in days]
    by_hour = np.mean([occupancy(table) for table in tables], axis=0)

    assert by_hour[[3, 8, 9, 14, 17, 23]].tolist() == users


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
