"""Somebody who asks a vault for original records, for a reason, on record."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Self

from biombo._data import Dataset, Source, SourceTable
from biombo._errors import BiomboError, InputError, UsageError, shortened
from biombo._i18n import text
from biombo._release.keys import RELEASE_KEY
from biombo._release.manifest import Manifest
from biombo._release.staging import UNFINISHED, places_of
from biombo._release.system_user import system_user
from biombo._release.trace.fingerprints import Fingerprinting
from biombo._release.trace.ids import RawIds
from biombo._release.trace.origin import Origin
from biombo._release.trace.recognition import Recognised, Recognising
from biombo._release.trace.vault import Records, Vault
from biombo._secrets import KeyPlace, append_line, load_key
from biombo._watch import warn

LOG = "traces.jsonl"

Given = Callable[[Origin], tuple[Source, ...] | None]
"""What the source of a release is to be looked for in, once it is known what it was; none: where it was then."""


@dataclass(frozen=True)
class LookUp:
    """One use of a vault, as the log has it."""

    when: str
    who: str
    reason: str
    release: str
    asked: tuple[str, ...] | Literal["all"]
    """The trace ids."""
    found: int
    failure: str | None
    """Why nothing could be looked up, by the name of the error; nothing where it could."""


@dataclass(frozen=True, eq=False)
class Located:
    """The records behind trace ids, and where they are."""

    origin: Origin
    links: Records
    sources: dict[int, Recognised | None]
    """By part that has some of them: the source, where it is at hand; all of them were found to be the same."""

    def warn_of_unchecked(self) -> None:
        """Say which sources are not at hand."""
        unchecked = [self.origin.parts[part].name for part, found in self.sources.items() if found is None]
        if unchecked:
            warn(text("errors.release.not-checked", sources=shortened(dict.fromkeys(unchecked))))


@dataclass(frozen=True)
class Inquiry:
    """Who asks which release, and why. Whatever comes of it is written down before anything is given."""

    release: Path
    folder: Path
    """The private one."""
    manifest: Manifest
    vault: Vault
    who: str
    reason: str
    key: KeyPlace

    @classmethod
    def of(
        cls,
        release: str | Path,
        private: str | Path | None,
        reason: str,
        who: str | None,
        key: KeyPlace | None,
    ) -> Self:
        """Raises where nobody asks, or for nothing, or where there is no such release."""
        asking, why = (system_user() or "") if who is None else who.strip(), reason.strip()
        if not why or not asking:
            raise UsageError("release.no-reason")
        public, folder = places_of(release, private)
        manifest, vault = Manifest.of(public), Vault.of(folder)
        return cls(public, folder, manifest, vault, asking, why, folder / RELEASE_KEY if key is None else key)

    def located(self, ids: Iterable[str] | None, asked: RawIds | None, given: Given) -> Located:
        """The records behind the trace ids ``asked``, which were typed as ``ids``; behind all, where none are."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        look_up = LookUp(now, self.who, self.reason, self.manifest.id, "all" if ids is None else tuple(ids), 0, None)
        try:
            found = self._located(asked, given)
        except BiomboError as error:
            append_line(self.folder / LOG, vars(replace(look_up, failure=error.key)))
            raise
        append_line(self.folder / LOG, vars(replace(look_up, found=len(found.links))))
        (self.folder / UNFINISHED).unlink(missing_ok=True)  # the release is there: its run was killed right after that
        return found

    def _located(self, asked: RawIds | None, given: Given) -> Located:
        if self.vault.release != self.manifest.id:
            raise InputError("release.other-vault", release=str(self.release), private=str(self.folder))
        key = load_key(self.key)
        origin, links = self.vault.links(key, asked)
        recognising = Recognising(origin, Fingerprinting.of(key, self.vault.release), given(origin))
        return Located(origin, links, recognising.recognised(links))


def is_vault_of(private: str | Path, release: str | Path) -> bool:
    """Is what lies in a private folder the vault of the release? Raises where one of them cannot be read."""
    return Vault.of(Path(private)).release == Manifest.of(Path(release)).id


def opened(source: Any, database: str | None, sheet: str | None, *, twice: bool = False) -> tuple[Source, ...] | None:
    """What somebody gave as the source; nothing where nobody did. What is to be read ``twice`` is the same then."""
    if source is None and database is None:
        return None
    given = source.decoded() if isinstance(source, Dataset) else source
    table = SourceTable.open(given, database=database, sheet=sheet)
    return table.held().sources if twice else table.sources
