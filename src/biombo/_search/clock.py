"""How much of the time allowed is left."""

import time


class Clock:
    """Counts down from ``seconds``; 0 is no limit."""

    _HARDLY_ANY = 1e-9

    def __init__(self, seconds: float) -> None:
        self._ends = time.monotonic() + seconds if seconds > 0 else None

    @property
    def left(self) -> float:
        """Seconds, hardly any where the time is over; 0 where there is no limit."""
        return 0 if self._ends is None else max(self._ends - time.monotonic(), self._HARDLY_ANY)
