"""The folder of a portal: all that it keeps, for the user alone who runs it."""

import json
import os
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from biombo._addresses import passwords
from biombo._errors import InputError, UsageError
from biombo._files import PRIVATE, in_sentences, is_file, read_whole, write_whole

SETTINGS, REGISTER, SERVED = "portal.json", "register.db", "served"
UNFINISHED = "restore-unfinished"
"""A file that is there from before a copy is unpacked until all of it is put back."""
_SECRET = "secret-key"
_SECRET_BYTES = 50
PLACES = ("negotiations", "sources", "incoming", "uploads", "releases", "outgoing", "drafts", "to-list", "questions")


@dataclass(frozen=True)
class PortalHome:
    """One portal. What it is told once, when it is first served, it keeps: ``portal.json``."""

    folder: Path
    database: str | None = None
    """The address of a PostgreSQL database; ``None``: SQLite in the folder."""
    address: str = "http://127.0.0.1:8000"
    """Where people open it: links in letters begin with it."""
    behind_proxy: bool = False
    """Does a proxy in front speak HTTPS, and say so by ``X-Forwarded-Proto``?"""
    identity: Mapping[str, Any] = field(default_factory=dict)
    """An OpenID Connect provider: ``name``, ``server``, ``client``; the secret stands in the environment."""
    mail: Mapping[str, Any] = field(default_factory=dict)
    """``host``, ``port``, ``user``, ``sender``, ``tls``; the password stands in the environment."""
    folders: Sequence[str] = ()
    """Folders of the server whose files managers may choose; a portal's own are never among them."""
    databases: Mapping[str, str] = field(default_factory=dict)
    """Databases that managers may ask: name and address. Passwords stand in the environment."""

    def __post_init__(self) -> None:
        for name, address in self.databases.items():
            if passwords(address):
                raise UsageError("portal.address-password", name=name, variable=password_variable(name))

    @classmethod
    def at(cls, folder: str | Path, **told: Any) -> "PortalHome":
        """The portal in a folder, made where there is none; ``told`` replaces what it was told before. Raises where one
        was not put back to the end.
        """
        refuse_unfinished(folder)
        return cls.being_put_back(folder, **told)

    @classmethod
    def being_put_back(cls, folder: str | Path, **told: Any) -> "PortalHome":
        """The same while a copy is put back into it."""
        place = Path(folder).absolute()
        with in_sentences(place):
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            for name in PLACES:
                (place / name).mkdir(mode=0o700, exist_ok=True)
        kept = _kept(place / SETTINGS) | {name: value for name, value in told.items() if value is not None}
        home = cls(place, **kept)
        if kept != _kept(place / SETTINGS):
            write_whole(place / SETTINGS, json.dumps(kept, indent=2, ensure_ascii=False), mode=PRIVATE)
        return home

    @classmethod
    def found(cls, folder: str | Path) -> "PortalHome":
        """The portal in a folder. Raises where there is none, and makes none."""
        refuse_unfinished(folder)
        if not is_file(Path(folder) / SETTINGS):
            raise UsageError("portal.none", path=str(folder))
        return cls.at(folder)

    def inside(self, path: str) -> str:
        """A path as the database has it: from the folder on where it is in it, however that is called, so that the
        folder can be moved, linked to or put back elsewhere. One that was kept whole is known by what lies there.
        """
        place = Path(path)
        if not place.is_absolute():
            return path
        followed = place.parent.resolve() / place.name
        for folder, each in ((self.folder, place), (self.folder.resolve(), followed)):
            if each.is_relative_to(folder):
                return str(each.relative_to(folder))
        moved = Path(place.parent.name, place.name)
        return str(moved) if place.parent.name in PLACES and (self.folder / moved).exists() else path

    def path_of(self, kept: str) -> str:
        """The whole path, as the folder is called now, of one that the database has."""
        return str(self.folder / self.inside(kept)) if kept else ""

    @property
    def shared_folders(self) -> list[Path]:
        """The folders that managers may choose from, in the order in which they were named."""
        named = [Path(each).resolve() for each in self.folders]
        return [each for each in named if not each.is_relative_to(self.folder.resolve())]

    def address_of(self, database: str) -> str:
        """The address of a database that was named, with its password."""
        address = self.databases[database]
        password = os.environ.get(password_variable(database))
        scheme, mark, rest = address.partition("://")
        user, at, host = rest.partition("@")
        if password is None or not at:
            return address
        return f"{scheme}{mark}{user}:{quote(password, safe='')}{at}{host}"

    @property
    def secret_key(self) -> str:
        """What sessions and links are signed with; drawn once."""
        if not is_file(self.secret_place):
            self.renew_secret()
        return read_whole(self.secret_place).decode()

    @property
    def secret_place(self) -> Path:
        """Where that key is."""
        return self.folder / _SECRET

    def renew_secret(self) -> None:
        """Draw another: what was signed by the one before is worth nothing from then on."""
        write_whole(self.secret_place, secrets.token_urlsafe(_SECRET_BYTES), mode=PRIVATE)

    @property
    def negotiations(self) -> Path:
        """The folders of all negotiations."""
        return self.folder / "negotiations"

    @property
    def questions(self) -> Path:
        """The histories of tables that are asked and stay inside, by the number of the data set."""
        return self.folder / "questions"

    @property
    def sources(self) -> Path:
        """Tables that were handed in, under names that nobody chose."""
        return self.folder / "sources"

    @property
    def incoming(self) -> Path:
        """Tables that were just handed in, until a worker takes them over: where the web writes, and workers keep."""
        return self.folder / "incoming"

    @property
    def uploads(self) -> Path:
        """Attachments of requests."""
        return self.folder / "uploads"

    @property
    def releases(self) -> Path:
        """Proactive releases of the catalogue."""
        return self.folder / "releases"

    @property
    def drafts(self) -> Path:
        """What managers work on: reports, plans, releases before they are in the catalogue."""
        return self.folder / "drafts"

    @property
    def to_list(self) -> Path:
        """Releases that were made elsewhere and may come into the catalogue: the administrator puts them there."""
        return self.folder / "to-list"

    @property
    def register(self) -> Path:
        """The agency's register of releases."""
        return self.folder / REGISTER

    @property
    def outgoing(self) -> Path:
        """Archives that wait for whoever may fetch them."""
        return self.folder / "outgoing"


def refuse_unfinished(folder: str | Path) -> None:
    """Raise where a copy was not put back to the end: what is there is part of a portal."""
    if is_file(Path(folder) / UNFINISHED):
        raise UsageError("portal.restore-unfinished", path=str(folder))


def password_variable(database: str) -> str:
    """The environment variable in which the password for a database stands: its name in capitals, with ``_`` for all
    that is neither a letter nor a digit.
    """
    return f"BIOMBO_PORTAL_DATABASE_{re.sub(r'[^A-Z0-9]', '_', database.upper())}"


def _kept(path: Path) -> dict[str, Any]:
    if not is_file(path):
        return {}
    try:
        kept: dict[str, Any] = json.loads(read_whole(path))
        _ = PortalHome(path.parent, **kept)
        _refuse_other_shapes(kept)
    except (ValueError, TypeError, AttributeError):
        raise InputError("portal.settings", path=str(path)) from None
    return kept


def _refuse_other_shapes(kept: Mapping[str, Any]) -> None:
    """Raise where folders are no list of paths, or databases no addresses by name."""
    folders, databases = kept.get("folders", []), kept.get("databases", {})
    if not isinstance(folders, list) or not all(isinstance(each, str) for each in (*folders, *databases.values())):
        raise TypeError
