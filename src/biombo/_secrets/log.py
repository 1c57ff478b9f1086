"""Logs that are only added to, one line of JSON for each entry: among them who undid how many pseudonyms, and why."""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO

from biombo._errors import InputError, UsageError
from biombo._files import PRIVATE, in_sentences

SET_APART = "unfinished"
"""The only name in a line of a log that is no entry."""

REVEALS = "reveals.jsonl"
"""The log of reversals in a private folder."""

_PERIOD = timedelta(hours=1)


def append_line(path: Path, entry: Mapping[str, Any]) -> None:
    """Write ``entry`` as one line of JSON at the end of a log that nobody else may read, for good."""
    with HeldLog.at(path) as log:
        log.append(entry)


def whole_lines(path: Path) -> bytes:
    """What a log has now, for a copy, without waiting for whoever is adding to it: of theirs, lines that end."""
    from fcntl import LOCK_NB, LOCK_SH, flock

    with path.open("rb") as file:
        try:
            flock(file, LOCK_SH | LOCK_NB)
        except BlockingIOError:
            content = file.read()
            return content[: content.rfind(b"\n") + 1]
        return file.read()


class HeldLog:
    """A log with one line of JSON for each entry, held so that nobody else writes to it meanwhile.

    A last line that does not end, as a disk that was full or a program that was killed leaves it, is no entry: whatever
    it was to record was not done yet. The next entry sets it apart, as ``{"unfinished": "…"}``. Where only the end of
    the line is missing, it counts.
    """

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path = path
        self._file = file

    @classmethod
    @contextmanager
    def at(cls, path: Path) -> Iterator["HeldLog"]:
        """The log at ``path``, which is begun where there is none, for its owner alone."""
        from fcntl import LOCK_EX, flock

        with in_sentences(path):
            descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, PRIVATE)
        with os.fdopen(descriptor, "r+b") as file:
            flock(file, LOCK_EX)  # until the file is closed
            yield cls(path, file)

    def entries(self) -> list[Any]:
        """All that was recorded. Raises ``ValueError`` where a line is not JSON."""
        lines, last = self._lines()
        recorded = [json.loads(line) for line in (*lines, *([last] if _is_json(last) else []))]
        return [entry for entry in recorded if not (isinstance(entry, dict) and entry.keys() == {SET_APART})]

    @property
    def is_cut(self) -> bool:
        """Does the last line not end, so that it is no entry?"""
        last = self._lines()[1]
        return bool(last) and not _is_json(last)

    def append(self, entry: Mapping[str, Any]) -> None:
        """Record ``entry``, for good."""
        with in_sentences(self._path):
            before = self._end_last_line()
            self._file.write(before + _line(entry))
            self._file.flush()
            os.fsync(self._file.fileno())

    def overwrite(self, found: re.Pattern[bytes], put: Callable[[bytes], bytes]) -> None:
        """Put something else of the same length in the place of every first group of ``found``, on the disk too."""
        content = b"".join(self._file_lines())
        with in_sentences(self._path):
            descriptor = os.open(self._path, os.O_WRONLY)  # the file itself only ever adds at its end
            try:
                for match in found.finditer(content):
                    os.pwrite(descriptor, put(match[1]), match.start(1))
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    def _end_last_line(self) -> bytes:
        """What is missing between the last line and the next."""
        lines, unfinished = self._lines()
        if not unfinished or _is_json(unfinished):
            return b"\n" if unfinished else b""
        self._file.truncate(sum(map(len, lines)))
        return _line({SET_APART: unfinished.decode(errors="backslashreplace")})

    def _lines(self) -> tuple[list[bytes], bytes]:
        """The lines that end, and what stands after them."""
        lines = self._file_lines()
        unfinished = lines.pop() if lines and not lines[-1].endswith(b"\n") else b""
        return lines, unfinished

    def _file_lines(self) -> list[bytes]:
        self._file.seek(0)
        return list(self._file)


def _line(entry: Mapping[str, Any]) -> bytes:
    return json.dumps(entry, ensure_ascii=False).encode(errors="backslashreplace") + b"\n"


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


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
    """The log of reversals in a private folder, held meanwhile: who undid how many pseudonyms and why, never which."""

    def __init__(self, path: Path, log: HeldLog) -> None:
        self._path = path
        self._log = log

    @classmethod
    @contextmanager
    def held(cls, folder: Path) -> Iterator["RevealLog"]:
        """The log in ``folder``, which is begun where there is none."""
        with HeldLog.at(folder / REVEALS) as log:
            yield cls(folder / REVEALS, log)

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
