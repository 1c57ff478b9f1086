"""The register of releases: what went out, to whom, and what became of it (PDPC 2018, section 19)."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime
from typing import Self

from biombo._documents import checked_text
from biombo._errors import InputError, UsageError, closest
from biombo._release.register.entry import RegisterEntry, check_day, check_hash
from biombo._release.register.history import EventKind, RegisteredRelease, RegisterEvent
from biombo._release.register.store import Store, store_at
from biombo._release.register.tables import (
    NAMES,
    Ask,
    insert_entry,
    insert_event,
    insert_table,
    select_releases,
    select_series,
    select_tables,
)
from biombo._release.register.upgrades import VERSION, known_version, upgrade
from biombo._release.system_user import system_user
from biombo._tabulate import EarlierTable

_HIGHEST = 2**63 - 1
"""What databases can number."""


class Register:
    """The releases of an organisation, in an SQLite file or a PostgreSQL database.

    Entries and events are only ever added; the database refuses to change or remove them. Several programs may write
    at the same time. The first entry begins the register, where ``begin`` did not.

    >>> import tempfile
    >>> from biombo import Decision, PublicRelease
    >>> folder = tempfile.TemporaryDirectory()
    >>> register = Register.open(f"sqlite:///{folder.name}/register.db")
    >>> decision = Decision(PublicRelease(harm="medium"), smallest_group=10)
    >>> number = register.add(RegisterEntry.of(
    ...     decision, what="Visits 2025", department="Health surveillance", access="online",
    ...     plan_hash="0" * 64, review=date(2027, 1, 31),
    ... ))
    >>> register.revoke(number, reason="a column was mislabelled").status
    'revoked'
    >>> [event.kind for event in register.get(number).events]
    ['registered', 'revoked']
    >>> folder.cleanup()
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._up_to_date = False
        """Is it known that there is nothing to upgrade, or that it cannot be?"""

    @classmethod
    def open(cls, url: str) -> Self:
        """The register in a file of SQLite, by its path or as ``sqlite:///file.db``, or at ``postgresql://user@host/name``.

        Nothing is made or read yet.
        """
        return cls(store_at(url))

    def begin(self) -> None:
        """Begin the register where there is none. Raises where it cannot be written to: call it before long work."""
        with self._beginning():
            pass

    def add(self, entry: RegisterEntry, *, note: str | None = None, who: str | None = None) -> int:
        """Put a release on record and give its number. A manifest is on record once. A ``note`` says what else must be
        known, such as what was waived.
        """
        with self._beginning() as ask:
            return _add(ask, entry, note, who)

    def add_table(
        self,
        entry: RegisterEntry,
        table: EarlierTable,
        *,
        series: str,
        beside: Sequence[str],
        who: str | None = None,
        is_new: bool = False,
    ) -> int:
        """Put a table of counts on record, which was made ``beside`` earlier ones, by the ids of their releases; its
        number. Raises where there are others by now, or where its source is on record as another ``series``, or may
        be, by a name that is nearly the same, unless somebody says that it ``is_new``.
        """
        named = checked_text("series", series)
        with self._beginning() as ask:
            if [each.release for each in select_tables(ask, named)] != [*beside]:
                raise UsageError("register.other-tables", series=named)
            known = select_series(ask)
            for other in sorted(name for name, states in known.items() if table.state in states and name != named):
                raise UsageError("register.other-series", series=named, other=other)
            if not is_new:
                _refuse_near(named, known)
            number = _add(ask, entry, None, who)
            insert_table(ask, number, named, table)
        return number

    def refuse_near(self, series: str) -> None:
        """Raise where no table of a source is on record, and there are some of one that is called nearly the same."""
        with self._reading() as ask:
            _refuse_near(checked_text("series", series), select_series(ask))

    def tables(self, series: str) -> Sequence[EarlierTable]:
        """The tables of counts of a source that were published, also those that were revoked: who has them keeps them.
        Private: :class:`biombo.EarlierTable` tells why.
        """
        with self._reading() as ask:
            return select_tables(ask, checked_text("series", series))

    def get(self, number: int) -> RegisteredRelease:
        """The release with that number."""
        with self._reading() as ask:
            return _release(ask, number)

    def list(self) -> Sequence[RegisteredRelease]:
        """All releases, in the order in which they were put on record."""
        with self._reading() as ask:
            return select_releases(ask)

    def find(self, manifest_hash: str) -> RegisteredRelease | None:
        """The release whose manifest has this SHA-256, if it is on record."""
        check_hash("manifest_hash", manifest_hash)
        with self._reading() as ask:
            return _with_manifest(ask, manifest_hash)

    def due(self, on: date) -> Sequence[RegisteredRelease]:
        """The releases whose risk is to be reviewed by that day, the longest overdue first. Revoked ones never are."""
        check_day("on", on)
        return sorted((each for each in self.list() if each.due(on)), key=lambda each: (each.review, each.id))

    def review(self, number: int, *, found: str, next_review: date, who: str | None = None) -> RegisteredRelease:
        """Put on record what a review found, and when the next one is."""
        check_day("next_review", next_review)
        return self._add_event(number, _event("reviewed", checked_text("found", found), who, next_review))

    def revoke(self, number: int, *, reason: str, who: str | None = None) -> RegisteredRelease:
        """Put on record that a release was withdrawn."""
        return self._add_event(number, _event("revoked", checked_text("reason", reason), who))

    def breach(self, number: int, *, what: str, who: str | None = None) -> RegisteredRelease:
        """Put on record that a release got out, or that somebody was re-identified."""
        return self._add_event(number, _event("breached", checked_text("what", what), who))

    def _add_event(self, number: int, event: RegisterEvent) -> RegisteredRelease:
        with self._writing() as ask:
            before = _release(ask, number)
            if before.status == "revoked" and event.kind in ("revoked", "reviewed"):
                raise UsageError("register.revoked-before", id=number)
            insert_event(ask, number, event)
            return _release(ask, number)

    @contextmanager
    def _beginning(self) -> Iterator[Ask]:
        with self._store.writing(new=True) as ask:
            if not self._store.begun(ask):
                self._begin(ask)
        with self._writing() as ask:
            yield ask

    def _begin(self, ask: Ask) -> None:
        """Make what was made at first, and all upgrades since: new registers are as those that were upgraded."""
        guards = (statement for table in NAMES for statement in self._store.guarded(table))
        for statement in (*self._store.tables, *guards):
            ask(statement)
        upgrade(self._store, ask)

    @contextmanager
    def _reading(self) -> Iterator[Ask]:
        self._bring_up_to_date()
        with self._store.reading() as ask:
            self._refuse_none(ask)
            yield ask

    @contextmanager
    def _writing(self) -> Iterator[Ask]:
        self._bring_up_to_date()
        with self._store.writing(new=False) as ask:
            self._refuse_none(ask)
            yield ask

    def _bring_up_to_date(self) -> None:
        """Upgrade an older register, once. Where the database does not allow that, it is used as it is."""
        if self._up_to_date:
            return
        with self._store.reading() as ask:
            self._refuse_none(ask)
            older = known_version(ask) < VERSION
        if older:
            with suppress(InputError), self._store.writing(new=False) as ask:
                upgrade(self._store, ask)
        self._up_to_date = True

    def _refuse_none(self, ask: Ask) -> None:
        if not self._store.begun(ask):
            raise InputError("register.none")
        known_version(ask)


def _refuse_near(series: str, known: Collection[str]) -> None:
    """A name that was mistyped would begin another series, beside which nothing is looked at."""
    if series not in known and (near := closest(series, known)) is not None:
        raise UsageError("register.near-series", series=series, near=near)


def _add(ask: Ask, entry: RegisterEntry, note: str | None, who: str | None) -> int:
    registered = _event("registered", None if note is None else checked_text("note", note), who)
    _refuse_twice(ask, entry.manifest_hash)
    number = insert_entry(ask, entry)
    insert_event(ask, number, registered)
    return number


def _event(kind: EventKind, note: str | None, who: str | None, next_review: date | None = None) -> RegisterEvent:
    name = system_user() if who is None else checked_text("who", who)
    return RegisterEvent(kind, datetime.now(UTC).replace(microsecond=0), note, name, next_review)


def _release(ask: Ask, number: int) -> RegisteredRelease:
    if 1 <= number <= _HIGHEST:
        for release in select_releases(ask, id=number):
            return release
    raise InputError("register.no-release", id=number)


def _with_manifest(ask: Ask, manifest_hash: str) -> RegisteredRelease | None:
    return next(iter(select_releases(ask, manifest_hash=manifest_hash)), None)


def _refuse_twice(ask: Ask, manifest_hash: str | None) -> None:
    before = None if manifest_hash is None else _with_manifest(ask, manifest_hash)
    if before is not None:
        raise UsageError("register.twice", id=before.id)
