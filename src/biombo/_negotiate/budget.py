"""How many measurements a requester may have of a source, over all their negotiations.

Who a measurement was for is recognised by HMAC-SHA-256 of a digest of the document that was shown, with a key of the
home folder: without it, nobody finds a document by trying all there are. Whoever has the key beside the log can.
"""

import hashlib
import hmac
import re
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path
from unicodedata import normalize

from biombo._errors import InputError, UsageError
from biombo._files import PRIVATE, is_file, read_whole, write_whole
from biombo._secrets import HeldLog

MEASUREMENTS = "measurements.jsonl"
"""The log, beside all negotiations of an agency."""

KEY = "measurements.key"
"""What its marks are made with, beside it: random, made once, and lost only together with all budgets."""

_VALUES = "values "
"""What the note begins with that the requester was told of values."""
_STRICTEST = "strictest "
"""What the note begins with of the highest TG that was set for the requester."""
_FIRST = "first "
"""What the first list begins with that the requester was sent of a source, which costs nothing."""
_KEYED = "h"
"""What marks begin with that were made with the key, so that they are as long as those without, and none of these."""
_KEY_DIGITS = 64
_UNKEYED = re.compile(rb'"(?:requester|account)": "([0-9a-f]{64})"')
"""Marks without a key, as they were made before: digests of what is searched through in an hour."""
_ENOUGH_DIGITS = 5
"""By so many digits a document is recognised, however it is written."""

MEASUREMENTS_USUAL = 30
"""Measurements that a requester has of a source, where the agency says nothing else."""


@dataclass(frozen=True)
class Measurement:
    """One measurement that a requester caused."""

    source: str
    """What the source is recognised by."""
    requester: str
    """What the requester is recognised by."""
    asked: str
    """What was measured: a repeat is answered from what is known, and costs nothing."""
    account: str = ""
    """What the requester's id is recognised by, where there is one."""


@dataclass(frozen=True)
class Budget:
    """What is left for one requester and one source. A second request does not begin anew."""

    home: Path
    source: str
    requester: str
    most: int = MEASUREMENTS_USUAL
    account: str = ""

    @classmethod
    def of(cls, home: Path, source: str, document: str, most: int, id_: str = "") -> "Budget":
        """The budget of whoever shows ``document``, or has shown another under the same id."""
        marks = [mark for mark in normalize("NFKC", document).casefold() if mark.isalnum()]
        digits = "".join(str(int(mark)) for mark in marks if mark.isdecimal()).lstrip("0")
        shown = digits if len(digits) >= _ENOUGH_DIGITS else "".join(marks)
        key = _key_of(home)
        account = _mark(key, _digest("account", id_)) if id_ else ""
        return cls(home, source, _mark(key, _digest("requester", shown)), most, account)

    @property
    def used(self) -> int:
        """Measurements so far."""
        return _used(self._mine())

    def refuse_more(self, asked: str) -> None:
        """Raise where nothing is left to measure ``asked``, which was not measured before."""
        mine = self._mine()
        if asked not in _known(mine) and _used(mine) >= self.most:
            raise UsageError("negotiation.budget", most=self.most)

    def tell_values(self, negotiation: str) -> None:
        """Note that the requester was told of values in a negotiation."""
        with HeldLog.at(self.home / MEASUREMENTS) as log:
            if f"{_VALUES}{negotiation}" not in {each.asked for each in self._of(log)}:
                log.append(self._entry(f"{_VALUES}{negotiation}"))

    def values_told_elsewhere(self, negotiation: str) -> bool:
        """Was the requester told of values of the same source in another negotiation?"""
        told = [each.asked for each in self._mine() if each.asked.startswith(_VALUES)]
        return any(each != f"{_VALUES}{negotiation}" for each in told)

    @property
    def left(self) -> int:
        """Measurements that are left."""
        return max(0, self.most - self.used)

    def charge(self, asked: str) -> bool:
        """Take one measurement of ``asked``; free where it was measured before. Raises where none is left."""
        with HeldLog.at(self.home / MEASUREMENTS) as log:
            mine = self._of(log)
            if asked in _known(mine):
                return False
            if _used(mine) >= self.most:
                raise UsageError("negotiation.budget", most=self.most)
            log.append(self._entry(asked))
            return True

    def charge_sent(self, asked: str) -> None:
        """Take one measurement of what the requester is sent because of an act of the manager, which is not refused
        where none is left; free where it was measured before, or is the first of this source.
        """
        with HeldLog.at(self.home / MEASUREMENTS) as log:
            known = _known(self._of(log))
            if asked not in known:
                log.append(self._entry(asked if known else f"{_FIRST}{asked}"))

    @property
    def strictest(self) -> int:
        """The highest TG that was ever set for the requester and the source; 0 where none was."""
        found = [each.asked.removeprefix(_STRICTEST) for each in self._mine() if each.asked.startswith(_STRICTEST)]
        return max((int(each) for each in found if each.isdecimal()), default=0)

    def note_strictest(self, k: int) -> None:
        """Note a TG that was set, where it is the highest so far."""
        if k > self.strictest:
            with HeldLog.at(self.home / MEASUREMENTS) as log:
                log.append(self._entry(f"{_STRICTEST}{k}"))

    def _entry(self, asked: str) -> dict[str, str]:
        return asdict(Measurement(self.source, self.requester, asked, self.account))

    def _mine(self) -> list[Measurement]:
        with HeldLog.at(self.home / MEASUREMENTS) as log:
            return self._of(log)

    def _of(self, log: HeldLog) -> list[Measurement]:
        all_ = _recorded(log, self.home)
        if not all(map(_is_keyed, all_)):
            key = _key_of(self.home, log)
            log.overwrite(_UNKEYED, lambda digest: _mark(key, digest.decode()).encode())
            all_ = _recorded(log, self.home)
        return [each for each in all_ if each.source == self.source and self._is_mine(each)]

    def _is_mine(self, each: Measurement) -> bool:
        return each.requester == self.requester or (self.account != "" and each.account == self.account)


def _known(all_: list[Measurement]) -> set[str]:
    """What was measured, whether it cost something or not."""
    return {each.asked.removeprefix(_FIRST) for each in all_ if not each.asked.startswith((_VALUES, _STRICTEST))}


def _used(all_: list[Measurement]) -> int:
    return len(_known(all_)) - len({each.asked for each in all_ if each.asked.startswith(_FIRST)})


def _recorded(log: HeldLog, home: Path) -> list[Measurement]:
    """All measurements, of whomever."""
    try:
        return [Measurement(**entry) for entry in log.entries()]
    except (ValueError, TypeError):
        raise InputError("negotiation.damaged-budget", path=str(home / MEASUREMENTS)) from None


def _is_keyed(each: Measurement) -> bool:
    """Were its marks made with the key?"""
    return str(each.requester).startswith(_KEYED)


def _key_of(home: Path, held: HeldLog | None = None) -> bytes:
    """The key of a home folder, made where there is none; by one program, while it holds the log."""
    path = home / KEY
    if not is_file(path):
        if held is None:
            with HeldLog.at(home / MEASUREMENTS) as log:
                return _key_of(home, log)
        if any(map(_is_keyed, _recorded(held, home))):
            raise InputError("negotiation.damaged-budget", path=str(path))
        write_whole(path, secrets.token_hex(_KEY_DIGITS // 2), mode=PRIVATE)
    try:
        key = bytes.fromhex(read_whole(path).decode("ascii"))
    except ValueError:
        key = b""
    if len(key) != _KEY_DIGITS // 2:
        raise InputError("negotiation.damaged-budget", path=str(path))
    return key


def _mark(key: bytes, digest: str) -> str:
    """What somebody is recognised by; of the same length as the digest."""
    return f"{_KEYED}{hmac.new(key, digest.encode(), hashlib.sha256).hexdigest()[1:]}"


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
