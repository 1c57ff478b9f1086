"""The log of reversals: who undid how many pseudonyms, when and why. Never which."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import BinaryIO

from biombo._errors import InputError, UsageError, system_reason
from biombo._files import PRIVATE

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

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path = path
        self._file = file

    @classmethod
    @contextmanager
    def held(cls, folder: Path) -> Iterator["RevealLog"]:
        """The log in ``folder``, which is begun where there is none."""
        from fcntl import LOCK_EX, flock

        path = folder / NAME
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, PRIVATE)
        except OSError as error:
            raise UsageError("output.refused", path=str(path), detail=system_reason(error)) from None
        with os.fdopen(descriptor, "r+b") as file:
            flock(file, LOCK_EX)  # until the file is closed
            yield cls(path, file)

    def refuse_more_than(self, at_most: int, asked: int) -> None:
        """Raise when ``asked`` more would be too many at once, or for the last hour."""
        if asked > at_most:
            raise UsageError("reveal.too-many", asked=asked, most=at_most)
        recent = self._asked_since(datetime.now(UTC) - _PERIOD)
        if recent + asked > at_most:
            raise UsageError("reveal.too-many-recently", asked=asked, recent=recent, most=at_most)

    def add(self, reversal: Reversal) -> None:
        """Write ``reversal`` down, for good."""
        try:
            self._file.write(json.dumps(asdict(reversal), ensure_ascii=False).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise UsageError("output.refused", path=str(self._path), detail=system_reason(error)) from None

    def _asked_since(self, start: datetime) -> int:
        self._file.seek(0)
        try:
            entries = [json.loads(line) for line in self._file]
            return sum(entry["asked"] for entry in entries if datetime.fromisoformat(entry["when"]) >= start)
        except (ValueError, KeyError, TypeError):
            raise InputError("reveal.damaged-log", path=str(self._path)) from None
