"""Estimates of time learn from this machine, and never stop a run."""

import json
import math
import stat
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb
from biombo._release import MachineSpeed

seconds = st.floats(0.01, 1e4)


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Learning is on, in a cache of its own."""
    monkeypatch.setenv("BIOMBO_LEARN", "1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "biombo" / "speed.json"


def keep(place: Path, content: str) -> None:
    place.parent.mkdir(parents=True)
    place.write_text(content)


def estimated() -> float:
    found = bb.estimate_publishing(pl.DataFrame({"a": range(100)}))
    assert found is not None
    return found.seconds


def test_an_estimate_is_as_fast_as_the_machine_was(cache: Path) -> None:
    keep(cache, json.dumps({"once": 0.25, "cells": 1.0, "runs": 3}))

    assert estimated() == pytest.approx(1.0, rel=0.01), "a quarter of the four seconds"


@given(once=seconds, cells=seconds, taken=seconds)
def test_after_one_run_the_same_run_is_foretold_better(once: float, cells: float, taken: float) -> None:
    taken = max((once + cells) / 4, min(4 * (once + cells), taken))
    learnt = MachineSpeed().learnt(once, cells, taken)

    foretold = learnt.once * once + learnt.cells * cells
    assert abs(math.log(foretold / taken)) <= abs(math.log((once + cells) / taken)) + 1e-9
    if min(once, cells) < max(once, cells) / 100:
        assert foretold == pytest.approx(taken, rel=0.1), "all of it was one of the two"


def test_runs_that_always_take_a_quarter_are_foretold_ever_better() -> None:
    speed, errors = MachineSpeed(), []
    for _ in range(12):
        once, cells = 4.0, 16.0
        foretold = speed.once * once + speed.cells * cells
        errors.append(abs(foretold - 5.0))
        speed = speed.learnt(speed.once * once, speed.cells * cells, 5.0)

    assert errors[-1] < 0.2
    assert errors[-1] < errors[1] < errors[0] == 15.0


def test_publishing_teaches_nothing_but_rates(cache: Path, people, plan, tmp_path: Path) -> None:
    bb.publish(people, plan, tmp_path / "release")

    kept = json.loads(cache.read_text())
    assert kept.keys() == {"once", "cells", "runs"}
    assert kept["runs"] == 1
    assert stat.S_IMODE(cache.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"once": -1, "cells": 1, "runs": 1}', '{"once": 1e999}', '"\\ud800"']
)
def test_a_cache_that_cannot_be_read_stops_nothing(cache: Path, content: str) -> None:
    keep(cache, content)

    assert 0 < estimated() < math.inf


def test_a_cache_that_cannot_be_written_stops_nothing(cache: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")

    MachineSpeed(2.0, 2.0, 1).keep()
    assert (tmp_path / "cache").read_text() == "a file where a folder should be"


def test_it_can_be_turned_off(cache: Path, monkeypatch: pytest.MonkeyPatch, people, plan, tmp_path: Path) -> None:
    monkeypatch.setenv("BIOMBO_LEARN", "0")
    bb.publish(people, plan, tmp_path / "release")

    assert not cache.exists()
    assert MachineSpeed.known() == MachineSpeed()
