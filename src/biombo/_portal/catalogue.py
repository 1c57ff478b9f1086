"""Releases of the catalogue: copies of their own, verified before anybody sees them."""

import shutil
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from biombo._errors import UsageError
from biombo._portal import on_record
from biombo._portal.models import CatalogueEntry, Job
from biombo._portal.vaults import note_vault
from biombo._release import MANIFEST, hashed, verify


def list_release(job: Job) -> None:
    """Take a release into the catalogue: a copy of its own, verified before anybody sees it."""
    entry = CatalogueEntry.objects.get(pk=job.asked["entry"])
    folder = Path(settings.PORTAL_HOME.path_of(job.asked["folder"]))
    take_into_catalogue(entry, folder)
    on_record.put_listed(entry, folder, job.person)


def take_into_catalogue(entry: CatalogueEntry, folder: Path) -> None:
    """A copy of the release, which is verified before anybody sees it."""
    target = settings.PORTAL_HOME.releases / entry.slug
    if not target.exists():
        part = target.with_name(f"{target.name}.part")
        shutil.rmtree(part, ignore_errors=True)  # what a worker that was stopped has left
        shutil.copytree(folder, part, symlinks=True)  # links are not followed, and never shown
        part.rename(target)
    if hashed(target / MANIFEST) != hashed(folder / MANIFEST):  # what is there is another release
        raise UsageError("portal.other-release")
    note_vault(entry, folder)
    checked = verify(target)
    if not checked.holds:
        raise UsageError("portal.release-fails")
    CatalogueEntry.objects.filter(pk=entry.pk).update(folder=str(target), holds=True, verified_at=timezone.now())


def verify_again(job: Job) -> None:
    entry = CatalogueEntry.objects.get(pk=job.asked["entry"])
    holds = bool(verify(entry.folder).holds)
    CatalogueEntry.objects.filter(pk=entry.pk).update(holds=holds, verified_at=timezone.now())
