"""What a negotiation was begun with, beside its events, which commit to it: changed settings are seen."""

import hashlib
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from biombo._errors import InputError
from biombo._files import PRIVATE, is_file, read_whole, write_whole
from biombo._i18n import text
from biombo._negotiate.acts import Ask, Erase
from biombo._negotiate.agency import Agency
from biombo._negotiate.chain import Fault, faults_of
from biombo._negotiate.event import Event

SETTINGS = "negotiation.json"

_SALT_BYTES = 32


@dataclass(frozen=True)
class Settings:
    """The settings of one negotiation."""

    source: tuple[str, ...]
    """Where its table lies, if in files; they may be moved."""
    id: str
    """What the source is recognised by."""
    agency: Agency
    epsilon_before: float = 0.0
    """The ε of releases that this one amends, as it began."""
    amends: str = ""
    """The folder of the negotiation that it amends, beside its own."""
    family: str = ""
    """The folder of the first of all that amend each other."""
    salt: str = ""

    @property
    def sealed(self) -> "Settings":
        """With a salt: who has the seal alone learns nothing."""
        return replace(self, salt=secrets.token_hex(_SALT_BYTES))

    @property
    def seal(self) -> str:
        """What the first event commits to: all but where the files lie."""
        tree = {name: value for name, value in self.to_tree().items() if name != "source"}
        written = json.dumps(tree, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(written.encode()).hexdigest()

    def fits(self, first: Event) -> bool:
        """Are these the settings that the first event commits to? One that was erased says nothing."""
        return not isinstance(first.fact, Ask) or first.fact.settings in ("", self.seal)

    def to_tree(self) -> dict[str, Any]:
        """As plain values."""
        return {**vars(self), "source": list(self.source), "agency": self.agency.to_tree()}

    def write(self, folder: Path) -> None:
        """Put them into the folder of the negotiation."""
        write_whole(folder / SETTINGS, json.dumps(self.to_tree(), ensure_ascii=False, indent=2), mode=PRIVATE)

    @classmethod
    def read(cls, folder: Path) -> "Settings":
        """Those in the folder of a negotiation."""
        try:
            told: Mapping[str, Any] = json.loads(read_whole(folder / SETTINGS))
            texts = {name: str(told.get(name, "")) for name in ("amends", "family", "salt")}
            agency = Agency.from_tree(told["agency"])
            return cls(tuple(told["source"]), str(told["id"]), agency, float(told["epsilon_before"]), **texts)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError("negotiation.no-settings", path=str(folder / SETTINGS)) from None


def relatives(folder: Path, family: str) -> Iterator[Path]:
    """The folders of all others that amend the same negotiation, and of that one itself."""
    for place in sorted(folder.parent.iterdir()) if family else ():
        is_other = place.name != folder.name and place.name.isdigit() and is_file(place / SETTINGS)
        if is_other and (place.name == family or Settings.read(place).family == family):
            yield place


def settings_faults(settings: Settings, events: Sequence[Event]) -> list[Fault]:
    """What is wrong with settings: that they are not those that the negotiation was begun with."""
    fit = not events or settings.fits(events[0])
    return [] if fit else [Fault(1, text("negotiation.fault.settings", file=SETTINGS))]


def folder_faults(folder: Path, events: Sequence[Event], *, head: str | None = None) -> list[Fault]:
    """What is wrong with a negotiation in its folder: its chain, events emptied though nobody erased them, and its
    settings.
    """
    changed = settings_faults(Settings.read(folder), events)
    found = [*faults_of(events, head=head), *emptied_faults(events), *changed]
    return sorted(found, key=lambda fault: fault.number)


def emptied_faults(events: Sequence[Event]) -> list[Fault]:
    """Events that no longer say what they said, though nobody erased them."""
    erased = {number for each in events if isinstance(each.fact, Erase) for number in each.fact.events}
    emptied = [event.number for event in events if event.fact is None and event.number not in erased]
    return [Fault(number, text("negotiation.fault.emptied", number=number)) for number in emptied]
