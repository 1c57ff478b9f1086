"""How a release reaches the requester, and nobody else, by the way that the chain says; and how that ends."""

import secrets
import zipfile
from pathlib import Path
from typing import Any

import pyzipper
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from biombo._errors import UsageError
from biombo._negotiate import NegotiationRecord
from biombo._portal.models import AgencySettings, Case, Delivery, Person, hashed_token, in_days

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""What can be read to somebody by telephone without being mistaken."""
_GROUPS, _IN_A_GROUP = 6, 5


def deliverable(case: Case, way: str) -> Path | None:
    """The release of a case, while it is available by this way, whether or not its table is still kept."""
    if not case.folder:
        return None
    record = NegotiationRecord.read(case.folder)
    return record.released if record.state.way == way else None


def open_link(case: Case, person: Person, way: str) -> str | None:
    """A link for one person, for some days; gives its token, which is not kept. None where a manager has taken links
    back, or the release, a moment ago.
    """
    token = secrets.token_urlsafe(32)
    with transaction.atomic():
        now = _held(case)
        if now.links_stopped_at is not None or deliverable(now, way) is None:
            return None
        _delivery(case, person, way, hashed_token(token))
    return token


def _held(case: Case) -> Case:
    """The request as it is now; whoever else makes or ends links waits until the transaction is over."""
    now: Case = Case.objects.select_for_update().get(pk=case.pk)
    return now


def _delivery(case: Case, person: Person, way: str, token: str) -> Delivery:
    until = in_days(AgencySettings.current().link_days)
    made: Delivery = Delivery.objects.create(token=token, case=case, person=person, way=way, expires=until)
    return made


def behind(token: str, case: Case, person: Person, way: str) -> Delivery | None:
    """The open link with this token, of this person."""
    links = Delivery.objects.filter(case__links_stopped_at=None)
    found = links.filter(token=hashed_token(token), case=case, person=person, way=way).first()
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
    another archive made. Earlier ones end. Raises where another manager has taken all back meanwhile.
    """
    close(case)
    stopped_at = Case.objects.get(pk=case.pk).links_stopped_at
    password = "-".join("".join(secrets.choice(_LETTERS) for _ in range(_IN_A_GROUP)) for _ in range(_GROUPS))
    token = hashed_token(secrets.token_urlsafe(32))
    place = _encrypted_place(token)
    part = place.with_suffix(".part")
    with pyzipper.AESZipFile(part, "w", compression=pyzipper.ZIP_DEFLATED) as archive:
        archive.setencryption(pyzipper.WZ_AES, nbits=256)
        archive.setpassword(password.encode())
        part.chmod(0o600)
        _fill(archive, release)
    with transaction.atomic():
        if _held(case).links_stopped_at != stopped_at or deliverable(case, "encrypted") is None:
            part.unlink()
            raise UsageError("portal.behind")
        close(case)
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
    with transaction.atomic():
        _held(case)
        case.deliveries.filter(revoked_at=None).update(revoked_at=timezone.now())
    for each in case.deliveries.filter(way="encrypted").exclude(revoked_at=None):
        encrypted_archive(each).unlink(missing_ok=True)
    if case.folder:
        plain_archive(case).unlink(missing_ok=True)


def stop_links(case: Case) -> None:
    """End all that leads to the release; the requester makes no new link until a manager says so."""
    with transaction.atomic():
        _held(case)
        Case.objects.filter(pk=case.pk).update(links_stopped_at=timezone.now())
        close(case)
