"""The log of reversals: who undid how many pseudonyms, when and why. Never which."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from biombo._errors import InputError, UsageError
from biombo._files import HeldLog

NAME = "reveals.jsonl"
_PERIOD = timedelta(hours=1)


@dataclass(frozen=True)
class Reversal:
    """One use of ``reveal``."""

    when: str
    who: str
    reason: str
    column: str
    key: str
    asked: int
    """How many pseudonyms were to be undone."""
    found: int


class RevealLog:
    """The log in a private folder, held so that nobody else writes to it meanwhile."""

    def __init__(self, path: Path, log: HeldLog) -> None:
        self._path = path
        self._log = log

    @classmethod
    @contextmanager
    def held(cls, folder: Path) -> Iterator["RevealLog"]:
        """The log in ``folder``, which is begun where there is none."""
        with HeldLog.at(folder / NAME) as log:
            yield cls(folder / NAME, log)

    def refuse_more_than(self, at_most: int, asked: int) -> None:
        """Raise when ``asked`` more would be too many at once, or for the last hour."""
        if asked > at_most:
            raise UsageError("reveal.too-many", asked=asked, most=at_most)
        recent = self._asked_since(datetime.now(UTC) - _PERIOD)
        if recent + asked > at_most:
            raise UsageError("reveal.too-many-recently", asked=asked, recent=recent, most=at_most)

    def add(self, reversal: Reversal) -> None:
        """Write ``reversal`` down, for good."""
        self._log.append(asdict(reversal))

    def _asked_since(self, start: datetime) -> int:
        """A damaged log is refused: who could tell how many it held?"""
        try:
            recorded = [(datetime.fromisoformat(entry["when"]), entry["asked"]) for entry in self._log.entries()]
            if not all(type(asked) is int and asked >= 0 for _, asked in recorded):
                raise ValueError("no number of pseudonyms")
            return sum(asked for when, asked in recorded if when >= start)
        except (ValueError, KeyError, TypeError, RecursionError):
            raise InputError("reveal.damaged-log", path=str(self._path)) from None
