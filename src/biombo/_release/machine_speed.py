"""How fast this machine publishes beside the one that estimates were measured on, learnt from one run to the next.

What is kept is two factors and how many runs they come from, in a file of the user's cache; nothing of any table. It
never stops a run: where it cannot be read or written, the machine is tried for a moment instead.
"""

import hashlib
import json
import os
import time
from dataclasses import asdict, dataclass
from math import isfinite
from pathlib import Path

import numpy as np

from biombo._errors import BiomboError
from biombo._files import PRIVATE, private_folder, write_whole

VARIABLE = "BIOMBO_LEARN"
"""The environment variable that is 0 where nothing is to be learnt, and every machine taken for the one measured on."""

_FILE = "speed.json"
_EXTREME = 50.0
"""No machine is believed to be so many times faster or slower."""
_NEWEST = 0.3
"""The weight of the newest run, once there are several."""
_USUAL = 0.0085
"""Seconds that the trial takes on the machine that estimates were measured on."""


@dataclass(frozen=True)
class MachineSpeed:
    """How many times as long as expected work takes here: what is done once, and what is done for each cell."""

    once: float = 1.0
    cells: float = 1.0
    runs: int = 0
    """How many publications that was learnt from."""

    @classmethod
    def known(cls) -> "MachineSpeed":
        """What was learnt; else what a short trial says; as measured elsewhere where nothing is to be learnt."""
        if not is_learning():
            return cls()
        return _kept() or _tried()

    def learnt(self, once: float, cells: float, seconds: float) -> "MachineSpeed":
        """The same after a publication that took ``seconds`` where ``once`` and ``cells`` were expected for its two
        parts. Each is corrected in proportion to what it was of the whole; the first run counts most.

        >>> MachineSpeed().learnt(4.0, 0.0, 8.0)
        MachineSpeed(once=2.0, cells=1.0, runs=1)
        """
        ratio, weight = seconds / (once + cells), max(_NEWEST, 1 / (self.runs + 1))
        step = weight * (once + cells) / (once**2 + cells**2)  # so that together they make up for what was missing
        slower_once, slower_cells = ratio ** (step * once), ratio ** (step * cells)
        return MachineSpeed(_believed(self.once * slower_once), _believed(self.cells * slower_cells), self.runs + 1)

    def keep(self) -> None:
        """For the next run of this user, where that can be kept."""
        try:
            place = _place()
            private_folder(place.parent, public=None)
            write_whole(place, json.dumps(asdict(self)) + "\n", mode=PRIVATE)
        except (OSError, RuntimeError, BiomboError):
            return


def is_learning() -> bool:
    """May times be learnt from?"""
    return os.environ.get(VARIABLE, "") != "0"


def _place() -> Path:
    named = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(named) if Path(named).is_absolute() else Path.home() / ".cache") / "biombo" / _FILE


def _kept() -> MachineSpeed | None:
    try:
        found = json.loads(_place().read_text("utf-8"))
        once, cells, runs = float(found["once"]), float(found["cells"]), int(found["runs"])
    except (OSError, RuntimeError, ValueError, KeyError, TypeError, OverflowError):
        return None
    usable = isfinite(once) and isfinite(cells) and min(once, cells, runs) > 0
    return MachineSpeed(_believed(once), _believed(cells), runs) if usable else None


def _tried() -> MachineSpeed:
    """The best of three short pieces of work such as publishing consists of: hashing and sorting."""
    numbers = np.random.default_rng(0).integers(0, 1 << 60, 1 << 17)
    taken = []
    for _ in range(3):
        begun = time.perf_counter()
        hashlib.sha256(np.sort(numbers).tobytes() * 8).digest()
        taken.append(time.perf_counter() - begun)
    factor = _believed(min(taken) / _USUAL)
    return MachineSpeed(factor, factor)


def _believed(factor: float) -> float:
    return min(_EXTREME, max(1 / _EXTREME, factor))
