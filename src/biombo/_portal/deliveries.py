"""How a release reaches the requester, and nobody else, by the way that the chain says; and how that ends."""

import secrets
import zipfile
from pathlib import Path
from typing import Any

import pyzipper
from django.conf import settings
from django.utils import timezone

from biombo._negotiate import NegotiationRecord
from biombo._portal.models import AgencySettings, Case, Delivery, Person, hashed_token, in_days

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""What can be read to somebody by telephone without being mistaken."""
_GROUPS, _IN_A_GROUP = 6, 5


def deliverable(case: Case, way: str) -> Path | None:
    """The release of a case, while it is available by this way."""
    if not case.folder or not case.data_set.place:
        return None
    record = NegotiationRecord.read(case.folder)
    return record.released if record.state.way == way else None


def open_link(case: Case, person: Person, way: str) -> str:
    """A link for one person, for some days; gives its token, which is not kept."""
    token = secrets.token_urlsafe(32)
    _delivery(case, person, way, hashed_token(token))
    return token


def _delivery(case: Case, person: Person, way: str, token: str) -> Delivery:
    until = in_days(AgencySettings.current().link_days)
    made: Delivery = Delivery.objects.create(token=token, case=case, person=person, way=way, expires=until)
    return made


def behind(token: str, case: Case, person: Person, way: str) -> Delivery | None:
    """The open link with this token, of this person."""
    found = Delivery.objects.filter(token=hashed_token(token), case=case, person=person, way=way).first()
    return found if found is not None and found.is_open else None


def archived(case: Case, release: Path) -> Path:
    """The release as one file, made once."""
    place = plain_archive(case)
    if not place.exists():
        part = place.with_suffix(f".{secrets.token_hex(8)}.part")  # two may ask at once
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            _fill(archive, release)
        part.chmod(0o600)
        part.rename(place)
    return place


def encrypted(case: Case, release: Path) -> tuple[Delivery, str]:
    """A new archive for the requester, and the password that opens it, which is kept nowhere: whoever loses it has
    another archive made. Earlier ones end.
    """
    close(case)
    password = "-".join("".join(secrets.choice(_LETTERS) for _ in range(_IN_A_GROUP)) for _ in range(_GROUPS))
    token = hashed_token(secrets.token_urlsafe(32))
    place = _encrypted_place(token)
    part = place.with_suffix(".part")
    with pyzipper.AESZipFile(part, "w", compression=pyzipper.ZIP_DEFLATED) as archive:
        archive.setencryption(pyzipper.WZ_AES, nbits=256)
        archive.setpassword(password.encode())
        part.chmod(0o600)
        _fill(archive, release)
    part.rename(place)
    return _delivery(case, case.requester, "encrypted", token), password


def _fill(archive: Any, release: Path) -> None:
    for file in sorted(release.rglob("*")):
        if file.is_file():
            archive.write(file, file.relative_to(release))


def plain_archive(case: Case) -> Path:
    """Where the archive for downloads is."""
    place: Path = settings.PORTAL_HOME.outgoing / f"{Path(case.folder).name}.zip"
    return place


def open_archive(case: Case) -> Delivery | None:
    """The encrypted archive that the requester can fetch now."""
    found: Delivery | None = case.deliveries.filter(
        way="encrypted", revoked_at=None, expires__gt=timezone.now()
    ).first()
    return found


def encrypted_archive(delivery: Delivery) -> Path:
    """Where the archive of a delivery is."""
    return _encrypted_place(delivery.token)


def _encrypted_place(token: str) -> Path:
    place: Path = settings.PORTAL_HOME.outgoing / f"{token}.zip"
    return place


def close(case: Case) -> None:
    """End all that leads to the release, at once, and remove its archives."""
    for each in case.deliveries.filter(way="encrypted"):
        encrypted_archive(each).unlink(missing_ok=True)
    case.deliveries.filter(revoked_at=None).update(revoked_at=timezone.now())
    if case.folder:
        plain_archive(case).unlink(missing_ok=True)
