"""All that was ever asked of a table, and what was said: a private file that is only added to.

Each line has the SHA-256 of all else in it, the hash of the line before among that: what was changed, dropped, put in
or cut is seen. Lines that were dropped from the end are not.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from biombo._errors import InputError, UsageError
from biombo._files import is_file
from biombo._query.categories import Categories
from biombo._query.outcome import Outcome
from biombo._query.question import Cell, Question
from biombo._secrets import HeldLog

_MARK, _VERSION, _HASH, _BEFORE = "biombo-query", 1, "hash", "before"
NOT_LOOKED_AT = ("limit", "too-fine")
"""Why a question is refused as a whole; nothing follows from it for others."""


@dataclass(frozen=True)
class DeskRules:
    """By what rules a table may be asked, the same for all questions."""

    k: int = 10
    """People in a cell, at least."""
    percent: float = 0.1
    """The p% rule for means, as a share."""
    most: int = 1000
    """Cells that may be asked for in all."""
    decimals: int = 2
    """How exactly means are told."""
    person: str | None = None
    """The column that tells people apart."""

    def __post_init__(self) -> None:
        if self.k < 2:
            raise UsageError("query.k", k=self.k)

    def refuse_others(self, given: Mapping[str, Any], path: Path) -> None:
        """Raise where other rules are given than those that the history was begun with."""
        for name, value in given.items():
            if value is not None and value != getattr(self, name):
                raise UsageError("query.other-rules", rule=name, path=str(path), told=getattr(self, name), given=value)


@dataclass(frozen=True)
class Asked:
    """A question with what was said."""

    question: Question
    outcomes: tuple[Outcome, ...]
    who: str
    approved: str
    when: str
    number: str = ""
    """By what whoever keeps questions knows it; asked again under it, it was answered already."""

    def cells(self, categories: Mapping[str, Categories]) -> list[Cell]:
        """The cells that were looked at."""
        is_left = any(outcome.reason in NOT_LOOKED_AT for outcome in self.outcomes)
        return [] if is_left else self.question.cells(categories)


@dataclass
class History:
    """What a history file holds, held so that nobody else asks meanwhile."""

    path: Path
    log: HeldLog | None
    """None where it is only looked at: nothing that is added is written then."""
    table: str
    """The fingerprint of the table that is asked."""
    rules: DeskRules
    categories: dict[str, Categories] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    head: str = ""
    """The hash of the last line."""
    unwritten: list[dict[str, Any]] = field(default_factory=list)
    """The first line, as long as nothing was noted: a question that cannot be asked begins no history."""

    @classmethod
    @contextmanager
    def held(cls, path: Path, fingerprint: str, given: Mapping[str, Any]) -> Iterator["History"]:
        """The history at ``path``, which is begun by the rules given where there is none."""
        with HeldLog.at(path) as log:
            yield cls._read(path, log, fingerprint, given, is_begun=True)

    @classmethod
    def seen(cls, path: Path, fingerprint: str, given: Mapping[str, Any]) -> "History":
        """A copy of the history at ``path``, or of what would be begun there, of which nothing is ever written."""
        if not is_file(path):
            return cls._begun(path, None, fingerprint, given)
        return replace(cls._read(path, HeldLog.seen(path), fingerprint, given, is_begun=False), log=None)

    @classmethod
    def _read(
        cls, path: Path, log: HeldLog, fingerprint: str, given: Mapping[str, Any], *, is_begun: bool
    ) -> "History":
        found = cls.kept(path, log)
        if found is None:
            return cls._begun(path, log if is_begun else None, fingerprint, given)
        if found.table != fingerprint:
            raise InputError("query.other-table", path=str(path))
        found.rules.refuse_others(given, path)
        return found

    @classmethod
    def kept(cls, path: Path, log: HeldLog) -> "History | None":
        """What the file at ``path`` has; nothing where it was not begun. Raises where it is damaged."""
        try:
            entries = log.entries()
            if log.is_cut:
                raise ValueError
            if not entries:
                return None
            first, *others = entries
            if first[_MARK] != _VERSION or not _is_whole(entries):
                raise ValueError
            found = cls(path, log, str(first["table"]), DeskRules(**first["rules"]), head=entries[-1][_HASH])
            for entry in others:
                found._take_in(entry)
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
            raise InputError("query.damaged", path=str(path)) from None
        return found

    @classmethod
    def _begun(cls, path: Path, log: HeldLog | None, fingerprint: str, given: Mapping[str, Any]) -> "History":
        rules = DeskRules(**{name: value for name, value in given.items() if value is not None})
        found = cls(path, log, fingerprint, rules)
        found._add_line({_MARK: _VERSION, "table": fingerprint, "rules": asdict(rules), "when": _now()})
        return found

    def _append(self, entry: Mapping[str, Any]) -> None:
        self._add_line(entry)
        if self.log is not None:
            for line in self.unwritten:
                self.log.append(line)
        self.unwritten.clear()

    def _add_line(self, entry: Mapping[str, Any]) -> None:
        tree = json.loads(json.dumps({**entry, _BEFORE: self.head}))  # as it will be read
        self.head = _hash(tree)
        self.unwritten.append(tree | {_HASH: self.head})

    def _take_in(self, entry: Mapping[str, Any]) -> None:
        if "column" in entry:
            categories = Categories.from_tree(entry)
            self.categories[categories.column] = categories
            return
        outcomes = tuple(map(Outcome.from_tree, entry["cells"]))
        question = Question.from_tree(entry["question"])
        who, approved, when = (entry[name] for name in ("who", "approved", "when"))
        self.asked.append(Asked(question, outcomes, who, approved, when, entry.get("number", "")))

    def refuse_both_uses(self, question: Question) -> None:
        """Raise where means would be asked of a column that told people apart, or the other way round: a mean of ones
        and noughts is a count, of which no count would know.
        """
        if question.mean in self.categories:
            raise UsageError("query.apart-before", column=question.mean, path=str(self.path))
        averaged = {asked.question.mean for asked in self.asked}
        for column in question.columns:
            if column in averaged:
                raise UsageError("query.mean-before", column=column, path=str(self.path))

    def settle(self, categories: Categories) -> None:
        """Note the categories of a column, for good."""
        self._append(categories.to_tree())
        self.categories[categories.column] = categories

    def add(
        self, question: Question, outcomes: Sequence[Outcome], who: str = "", approved: str = "", number: str = ""
    ) -> Asked:
        """Note a question with what is said, for good: only then may it be said."""
        asked = Asked(question, tuple(outcomes), who, approved, _now(), number)
        cells = [outcome.to_tree() for outcome in outcomes]
        told = {"question": question.to_tree(), "who": who, "approved": approved, "when": asked.when, "cells": cells}
        self._append(told | ({"number": number} if number else {}))
        self.asked.append(asked)
        return asked

    @property
    def cells(self) -> int:
        """How many cells were asked for so far."""
        return sum(len(asked.cells(self.categories)) for asked in self.asked)


def _is_whole(entries: Sequence[Mapping[str, Any]]) -> bool:
    """Is each entry as it was written, after the one that it was written after?"""
    before = ""
    for entry in entries:
        content = {name: each for name, each in entry.items() if name != _HASH}
        if content[_BEFORE] != before or entry[_HASH] != _hash(content):
            return False
        before = entry[_HASH]
    return True


def _hash(tree: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(tree, sort_keys=True).encode()).hexdigest()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
