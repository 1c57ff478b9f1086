"""``trace``: from a released record to the original one, by whoever holds the private folder, on record."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from biombo._data import Dataset, Source, SourceTable
from biombo._documents import listed
from biombo._errors import BiomboError, InputError, UsageError, shortened
from biombo._i18n import text
from biombo._release.keys import KEY
from biombo._release.manifest import Manifest
from biombo._release.staging import UNFINISHED, places_of
from biombo._release.system_user import system_user
from biombo._release.trace.fingerprints import Fingerprinting
from biombo._release.trace.origin import Origin
from biombo._release.trace.recognition import Recognising
from biombo._release.trace.vault import Link, Vault
from biombo._secrets import Key, KeyPlace, append_line, load_key
from biombo._watch import warn

LOG = "traces.jsonl"


@dataclass(frozen=True)
class LookUp:
    """One use of ``trace``, as the log has it."""

    when: str
    who: str
    reason: str
    release: str
    asked: tuple[str, ...]
    """The trace ids."""
    found: int
    failure: str | None
    """Why nothing could be looked up, by the name of the error; nothing where it could."""


@dataclass(frozen=True)
class TracedRecord:
    """The original record behind a trace id."""

    source: str
    """The file that it is in, or what else the publisher's source was called."""
    number: int
    """Which one it is there, from 1."""
    checked: bool
    """Was it found to be the same? Else it is the one of this number on the day of publication."""


def trace(
    release: str | Path,
    ids: str | Iterable[str],
    *,
    source: Any = None,
    database: str | None = None,
    private: str | Path | None = None,
    reason: str,
    who: str | None = None,
    key: KeyPlace | None = None,
) -> dict[str, TracedRecord | None]:
    """The original record behind each trace id of a release; ``None`` for those not known.

    Each look-up, also one that fails, is written to ``traces.jsonl`` in the private folder before anything is given.
    Where the source has changed, a record that is no longer the same is refused. Where the source is not at hand, a
    warning says that nothing was checked.

    Args:
        release: The folder of the release.
        ids: One trace id, or several.
        source: The table that was published, or a copy: whatever :func:`biombo.read` takes, or what it gave; by default
            the files where they were then.
        database: The database that the query ``source`` is for.
        private: Its private folder; by default the release's name with ``.private`` added.
        reason: What for.
        who: Who asks; by default the user of the system.
        key: The key that sealed the vault; by default the one in the private folder.

    >>> import tempfile, polars as pl, biombo as bb
    >>> table = pl.DataFrame({"sex": ["F", "M", "F", "M"], "year": [1990, 1991, 1992, 1993]})
    >>> plan = bb.Plan([], [bb.KAnonymity(2)], quasi=["sex"], sensitive=["year"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     release = bb.publish(table, plan, f"{folder}/release", format="parquet")
    ...     wanted = release.data.filter(pl.col("year") == 1992)["trace_id"]
    ...     list(bb.trace(release.out, wanted, source=table, reason="the person asked for a correction").values())
    [TracedRecord(source='the Polars table', number=3, checked=True)]
    """
    asked = list(dict.fromkeys([ids] if isinstance(ids, str) else listed("ids", ids)))
    asking, why = (system_user() or "") if who is None else who.strip(), reason.strip()
    if not why or not asking:
        raise UsageError("release.no-reason")
    public, folder = places_of(release, private)
    manifest, vault = Manifest.of(public), Vault.of(folder)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    look_up = LookUp(now, asking, why, manifest.id, tuple(asked), 0, None)
    try:
        if vault.release != manifest.id:
            raise InputError("release.other-vault", release=str(release), private=str(folder))
        traced = _Tracing(vault, load_key(folder / KEY if key is None else key)).traced(asked, source, database)
    except BiomboError as error:
        append_line(folder / LOG, asdict(replace(look_up, failure=error.key)))
        raise
    found = sum(record is not None for record in traced.values())
    append_line(folder / LOG, asdict(replace(look_up, found=found)))
    (folder / UNFINISHED).unlink(missing_ok=True)  # the release is there: what made it was killed right after that
    _warn_of_unchecked(traced.values())
    return traced


@dataclass(frozen=True)
class _Tracing:
    vault: Vault
    key: Key

    def traced(self, asked: Iterable[str], source: Any, database: str | None) -> dict[str, TracedRecord | None]:
        origin, links = self.vault.links(asked, self.key)
        found = {each: link for each, link in links.items() if link is not None}
        fingerprinting = Fingerprinting.of(self.key, self.vault.release)
        checked = Recognising(origin, fingerprinting, _opened(source, database)).checked(found)
        return {each: None if link is None else _record(origin, link, checked) for each, link in links.items()}


def _opened(source: Any, database: str | None) -> tuple[Source, ...] | None:
    if source is None and database is None:
        return None
    return SourceTable.open(source.decoded() if isinstance(source, Dataset) else source, database=database).sources


def _record(origin: Origin, link: Link, checked: frozenset[int]) -> TracedRecord:
    return TracedRecord(origin.parts[link.part].name, link.row + 1, link.part in checked)


def _warn_of_unchecked(records: Iterable[TracedRecord | None]) -> None:
    sources = dict.fromkeys(record.source for record in records if record is not None and not record.checked)
    if sources:
        warn(text("errors.release.not-checked", sources=shortened(sources)))
