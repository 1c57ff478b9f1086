"""The tables of a register, alike in every database, and how releases are kept in them.

Times and dates are text in ISO 8601, lists are JSON, so that the rows read the same everywhere.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, get_args

from biombo._errors import BiomboError, InputError
from biombo._release.register.entry import RegisterEntry
from biombo._release.register.history import EventKind, RegisteredRelease, RegisterEvent
from biombo._tabulate import EarlierTable

NAMES = ("biombo_register", "biombo_releases", "biombo_events")
TABLES = "biombo_tables"
"""Since :data:`WITH_TABLES`: the tables of counts that were published, as later ones must know them."""


@dataclass(frozen=True)
class Ask:
    """Runs one statement and gives the rows that it returns."""

    mark: str
    """What stands in a statement for a value that is given apart from it."""
    run: Callable[[str, Sequence[Any]], list[tuple[Any, ...]]]

    def __call__(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run ``statement``, in which marks stand for ``values``."""
        return self.run(statement, values)


def first_tables(identity: str) -> tuple[str, ...]:
    """The statements that made the tables of version 1, on which upgrades build, so that these never change.

    ``identity`` is how the database says that it numbers rows by itself.
    """
    return (
        "CREATE TABLE biombo_register (version INTEGER NOT NULL)",
        "INSERT INTO biombo_register (version) VALUES (1)",
        f"""CREATE TABLE biombo_releases (
            id {identity},
            what TEXT NOT NULL,
            department TEXT NOT NULL,
            release_model TEXT NOT NULL,
            recipients TEXT NOT NULL,
            access TEXT NOT NULL,
            plan_hash TEXT NOT NULL,
            smallest_group BIGINT NOT NULL,
            risk DOUBLE PRECISION NOT NULL,
            threshold DOUBLE PRECISION NOT NULL,
            override_reason TEXT,
            controls TEXT NOT NULL,
            review TEXT NOT NULL,
            manifest_hash TEXT UNIQUE
        )""",
        f"""CREATE TABLE biombo_events (
            id {identity},
            release_id BIGINT NOT NULL REFERENCES biombo_releases (id),
            kind TEXT NOT NULL,
            happened TEXT NOT NULL,
            note TEXT,
            who TEXT,
            next_review TEXT
        )""",
    )


_ENTRY = (
    "what, department, release_model, recipients, access, plan_hash, smallest_group, risk, threshold, override_reason, "
    "controls, review, manifest_hash"
)
WITH_BASIS = 3
"""The version since which a register says what the risk of a release follows from."""

WITH_TABLES = 4
"""The version since which a register keeps tables of counts."""

_MEASURED = "measured"
"""The basis of a release that claims no k; where it is missing, the risk follows from the smallest group."""
_NO_GROUP = 0
"""What stands in the place of the smallest group then: the first version has no room for none."""

_EVENT = "kind, happened, note, who, next_review"


def insert_entry(ask: Ask, entry: RegisterEntry) -> int:
    """Keep ``entry`` and give its number. Raises where the register is too old for it."""
    columns, basis = _ENTRY, tuple[str, ...]()
    if entry.smallest_group is None:
        if select_version(ask) < WITH_BASIS:
            raise InputError("register.no-basis", needed=WITH_BASIS)
        columns, basis = f"{_ENTRY}, risk_basis", (_MEASURED,)
    values = (
        entry.what,
        entry.department,
        entry.release_model,
        json.dumps(entry.recipients, ensure_ascii=False),
        entry.access,
        entry.plan_hash,
        _NO_GROUP if entry.smallest_group is None else entry.smallest_group,
        float(entry.risk),
        float(entry.threshold),
        entry.override,
        json.dumps(entry.controls, ensure_ascii=False),
        entry.review.isoformat(),
        entry.manifest_hash,
        *basis,
    )
    places = ", ".join([ask.mark] * len(values))
    ((number,),) = ask(f"INSERT INTO biombo_releases ({columns}) VALUES ({places}) RETURNING id", values)
    return int(number)


def insert_event(ask: Ask, release: int, event: RegisterEvent) -> None:
    """Keep ``event``."""
    next_review = None if event.next_review is None else event.next_review.isoformat()
    values = (release, event.kind, event.at.isoformat(), event.note, event.who, next_review)
    places = ", ".join([ask.mark] * len(values))
    ask(f"INSERT INTO biombo_events (release_id, {_EVENT}) VALUES ({places})", values)


def select_releases(ask: Ask, **equal: Any) -> list[RegisteredRelease]:
    """The releases whose columns are as given, or all, in the order of their numbers, with their events."""
    where = " AND ".join(f"{column} = {ask.mark}" for column in equal) or "TRUE"
    values = tuple(equal.values())
    chosen = f"SELECT id FROM biombo_releases WHERE {where}"
    events = defaultdict(list)
    for release, *event in ask(
        f"SELECT release_id, {_EVENT} FROM biombo_events WHERE release_id IN ({chosen}) ORDER BY id", values
    ):
        events[release].append(event)
    basis = "risk_basis" if select_version(ask) >= WITH_BASIS else "NULL"
    rows = ask(f"SELECT id, {_ENTRY}, {basis} FROM biombo_releases WHERE {where} ORDER BY id", values)
    try:
        return [RegisteredRelease(number, _entry(entry), _events(events[number])) for number, *entry in rows]
    except (BiomboError, ValueError, TypeError, RecursionError):
        raise InputError("register.damaged") from None


def insert_table(ask: Ask, release: int, series: str, table: EarlierTable) -> None:
    """Keep a table of counts with its release. Raises where the register is too old for it."""
    if select_version(ask) < WITH_TABLES:
        raise InputError("register.no-tables", needed=WITH_TABLES)
    places = ", ".join([ask.mark] * 4)
    values = (release, series, table.state, table.written())
    ask(f"INSERT INTO {TABLES} (release_id, series, state, content) VALUES ({places})", values)


def select_tables(ask: Ask, series: str) -> list[EarlierTable]:
    """The tables of counts of one series, in the order in which they came on record."""
    if select_version(ask) < WITH_TABLES:
        return []
    rows = ask(f"SELECT content FROM {TABLES} WHERE series = {ask.mark} ORDER BY release_id", (series,))
    return [EarlierTable.read(str(content)) for (content,) in rows]


def select_series(ask: Ask) -> dict[str, set[str]]:
    """By series: the states of its source that have a table."""
    if select_version(ask) < WITH_TABLES:
        return {}
    found: dict[str, set[str]] = {}
    for series, state in ask(f"SELECT DISTINCT series, state FROM {TABLES}"):
        found.setdefault(str(series), set()).add(str(state))
    return found


def select_version(ask: Ask) -> int:
    """The version of the tables."""
    match ask("SELECT version FROM biombo_register"):
        case [(int(version),)]:
            return version
    raise InputError("register.damaged")


def _entry(row: Sequence[Any]) -> RegisterEntry:
    what, department, model, recipients, access, plan, group, risk, threshold, override, controls, review, *last = row
    manifest, basis = last
    if basis not in (None, _MEASURED) or (basis is not None and group != _NO_GROUP):
        raise ValueError("no basis of ours")
    return RegisterEntry(
        what=what,
        department=department,
        release_model=model,
        recipients=tuple(json.loads(recipients)),
        access=access,
        plan_hash=plan,
        smallest_group=group if basis is None else None,
        risk=risk,
        threshold=threshold,
        override=override,
        controls=tuple(json.loads(controls)),
        review=date.fromisoformat(review),
        manifest_hash=manifest,
    )


def _events(rows: Sequence[Sequence[Any]]) -> tuple[RegisterEvent, ...]:
    if not rows:
        raise ValueError("a release that was never registered")
    return tuple(map(_event, rows))


def _event(row: Sequence[Any]) -> RegisterEvent:
    kind, happened, note, who, next_review = row
    if kind not in get_args(EventKind) or not all(each is None or isinstance(each, str) for each in (note, who)):
        raise ValueError("no event of ours")
    after = None if next_review is None else date.fromisoformat(next_review)
    return RegisterEvent(kind, datetime.fromisoformat(happened), note, who, after)
