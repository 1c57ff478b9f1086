"""The agency's register of releases, in the portal's folder: what was published or made available, once each."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from biombo._errors import BiomboError
from biombo._i18n import text
from biombo._negotiate import Way
from biombo._portal.models import AgencySettings, Case, CatalogueEntry, Person, in_days
from biombo._release import MANIFEST, Register, RegisteredRelease, hashed, put_on_record

REVIEW_DAYS = 365
"""When the risk of a release is looked at again, where nobody said."""

_ACCESS: Mapping[Way, str] = {
    "download": "copy",
    "encrypted": "copy",
    "view-only": "online",
    "on-site": "on-site",
}


def the_register() -> Register:
    """The register, which may not have begun yet."""
    return Register.open(str(settings.PORTAL_HOME.register))


def on_record() -> Sequence[RegisteredRelease]:
    """All releases on record, the newest first."""
    return list(reversed(the_register().list())) if settings.PORTAL_HOME.register.exists() else []


def put(
    release: Path,
    *,
    what: str,
    department: str,
    review: date,
    person: Person | None,
    recipients: Iterable[str] = (),
    access: Any = "online",
) -> int:
    """Put a release on record, unless it is there already; its number."""
    register = the_register()
    register.begin()
    known = register.find(hashed(release / MANIFEST))
    if known is not None:
        return known.id
    return put_on_record(
        release,
        register,
        what=what,
        department=department or AgencySettings.current().name or text("portal.register.agency"),
        review=review,
        recipients=recipients,
        access=access,
        who=None if person is None else person.called,
    )


def put_listed(entry: CatalogueEntry, release: Path, person: Person | None) -> None:
    """Put a release that was made elsewhere on record, where its private folder says what was decided of its risk."""
    department = "" if entry.data_set is None else entry.data_set.department
    review = timezone.localdate(in_days(REVIEW_DAYS))
    with suppress(BiomboError):  # nobody decided, or its private folder is not here: whoever has that can add it
        put(release, what=entry.title, department=department, review=review, person=person)


def put_case(case: Case, release: Path, person: Person, way: Way) -> int:
    """Put what a requester gets on record, with whom it is for and how they get it."""
    return put(
        release,
        what=text("portal.register.case", name=case.data_set.name, number=str(case)),
        department=case.data_set.department,
        review=timezone.localdate(in_days(REVIEW_DAYS)),
        person=person,
        recipients=[case.requester.called],
        access=_ACCESS[way],
    )


def revoke(release: Path, reason: str, person: Person | None) -> None:
    """Put on record that a release was taken back, where it is on record and was not taken back before."""
    if not settings.PORTAL_HOME.register.exists() or not (release / MANIFEST).is_file():
        return
    register = the_register()
    known = register.find(hashed(release / MANIFEST))
    if known is not None and known.status != "revoked":
        register.revoke(known.id, reason=reason, who=None if person is None else person.called)


def withdraw(entry: CatalogueEntry, person: Person) -> None:
    """Put on record that a release is no longer in the catalogue."""
    revoke(Path(entry.folder), text("portal.register.withdrawn"), person)
