"""Where the vaults of releases in the catalogue are: requests for more detail look original records up in them.

A vault stays where the release was made, once. Beside the copy in the catalogue lies a link to it, which a portal that
was put back elsewhere makes anew from what the entry says.
"""

from pathlib import Path

from django.conf import settings

from biombo._errors import InputError
from biombo._portal.models import CatalogueEntry
from biombo._release import is_vault_of


def vault_of(release: str | Path) -> Path:
    """Where the vault of a release is, beside it."""
    return Path(f"{release}.private")


def note_vault(entry: CatalogueEntry, made_at: Path) -> None:
    """Note where the vault of a release is, and link to it; nothing where it has none."""
    there, home = vault_of(made_at), settings.PORTAL_HOME.folder
    if not there.is_dir():
        return
    entry.private = str(there.relative_to(home)) if there.is_relative_to(home) else str(there)
    CatalogueEntry.objects.filter(pk=entry.pk).update(private=entry.private)
    link_vault(entry)


def link_vault(entry: CatalogueEntry) -> None:
    """Link to the vault from beside the copy in the catalogue."""
    home = settings.PORTAL_HOME
    link = vault_of(home.releases / entry.slug)
    if entry.private and not link.is_symlink():
        link.symlink_to(Path("..") / entry.private, target_is_directory=True)  # holds wherever the portal is


def lacks_vault(entry: CatalogueEntry) -> bool:
    """Has it a vault that is not there any more?"""
    return bool(entry.private) and not vault_of(settings.PORTAL_HOME.releases / entry.slug).is_dir()


def has_other_vault(entry: CatalogueEntry) -> bool:
    """Is its vault that of another release? What has none inside, as that of a table of counts, is nobody else's."""
    there = vault_of(settings.PORTAL_HOME.releases / entry.slug)
    try:
        return bool(entry.private) and not is_vault_of(there, entry.folder)
    except InputError:
        return False
