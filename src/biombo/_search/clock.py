"""How much of the time that a search was given is left."""

import time


class Clock:
    """Counts down from ``seconds``; 0 is no limit."""

    _HARDLY_ANY = 1e-9
    _WORTH_STARTING = 0.9e-3
    _KEPT_BACK = 0.5

    @classmethod
    def for_all_of(cls, seconds: float) -> "Clock":
        """One that leaves a little of the ``seconds`` for what is done with what was found."""
        return cls(seconds - min(0.1 * seconds, cls._KEPT_BACK))

    def __init__(self, seconds: float = 0) -> None:
        self.seconds = seconds
        self._ends = time.monotonic() + seconds if seconds > 0 else None

    @property
    def left(self) -> float:
        """Seconds, hardly any where the time is over; 0 where there is no limit."""
        return 0 if self._ends is None else max(self._ends - time.monotonic(), self._HARDLY_ANY)

    @property
    def over(self) -> bool:
        """Is no time left?"""
        return self._ends is not None and time.monotonic() >= self._ends

    @property
    def was_any(self) -> bool:
        """Was there ever time to do anything? What takes next to none is then done in any case."""
        return self._ends is None or self.seconds >= self._WORTH_STARTING

    def share(self, part: float) -> "Clock":
        """Another that has a part of what is left."""
        return Clock(self.left * part)
