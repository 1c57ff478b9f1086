"""Keeping a portal: a copy of all of it, put back elsewhere, and whether it is sound."""

import json
import os
import shutil
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path, PurePosixPath

from biombo._errors import BiomboError, InputError, UsageError
from biombo._files import PRIVATE, in_sentences, refuse_existing, replacing
from biombo._i18n import text
from biombo._portal.configure import configure
from biombo._portal.copies import DUMP, MIGRATIONS, SQLITE, PortalCopy
from biombo._portal.home import SETTINGS, PortalHome

_MOST_NAMED = 5


def back_up(home: PortalHome, out: Path) -> None:
    """Write everything into one archive, for its owner alone: it has original data and keys in it."""
    configure(home)
    refuse_existing(out)
    with replacing(out, mode=PRIVATE) as file, tarfile.open(fileobj=file, mode="w:gz") as archive:
        PortalCopy(archive, home, own=os.fstat(file.fileno())).write()


def restore(archive: Path, folder: Path, database: str | None = None) -> PortalHome:
    """Put a copy into a folder that is not there yet; one of a PostgreSQL portal into an empty ``database``."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError("portal.not-empty", path=str(folder))
    was_there = folder.exists()
    with in_sentences(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        return _restored(archive, folder, database)
    except BaseException:
        for each in folder.iterdir():  # it was empty: nothing of a copy that was refused stays
            shutil.rmtree(each, ignore_errors=True) if each.is_dir() and not each.is_symlink() else each.unlink()
        if not was_there:
            folder.rmdir()
        raise


def _restored(archive: Path, folder: Path, database: str | None) -> PortalHome:
    from django.core.serializers.base import DeserializationError
    from django.db import DatabaseError

    from biombo._portal.server import bring_up_to_date

    try:
        with tarfile.open(archive, "r:gz") as packed:
            if SETTINGS not in packed.getnames():
                raise InputError("portal.no-backup", path=str(archive))
            for member in packed:
                _unpack(packed, member, folder, archive)
    except (tarfile.TarError, EOFError, OSError):
        raise InputError("portal.no-backup", path=str(archive)) from None
    if _is_damaged(folder / SQLITE):
        raise InputError("portal.no-backup", path=str(archive))
    is_dumped = (folder / DUMP).exists()
    if database is not None and not is_dumped:
        raise UsageError("portal.copy-of-sqlite", path=str(archive))
    home = PortalHome.at(folder, database=database)
    _refuse_unusable(home, archive)
    try:
        bring_up_to_date(home)
        if is_dumped:
            _load(folder / DUMP)
        _move(home)
        _follow_chains(home)
    except (DatabaseError, DeserializationError) as error:
        key = "portal.newer-copy" if _names_unknown(error) else "portal.no-backup"
        raise InputError(key, path=str(archive)) from None
    return home


def _names_unknown(error: Exception) -> bool:
    """Is a row of a kind, or with a field, that this version does not have?"""
    from django.core.exceptions import FieldDoesNotExist

    return type(error.__cause__ or error.__context__) in (FieldDoesNotExist, LookupError)


def _is_damaged(database: Path) -> bool:
    """Is a database of SQLite there that cannot be read from end to end?"""
    if not database.exists():
        return False
    try:
        with closing(sqlite3.connect(database)) as there:
            return bool(there.execute("PRAGMA quick_check").fetchone()[0] != "ok")
    except sqlite3.DatabaseError:
        return True


def _unpack(packed: tarfile.TarFile, member: tarfile.TarInfo, folder: Path, archive: Path) -> None:
    """One file, for its owner alone; whatever is no file, or would lie elsewhere, is in no copy that was made here."""
    name = PurePosixPath(member.name)
    content = packed.extractfile(member) if member.isfile() else None
    if content is None or name.is_absolute() or ".." in name.parts:
        raise InputError("portal.no-backup", path=str(archive))
    target = folder / name
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with content, target.open("xb") as file:
        target.chmod(PRIVATE)
        shutil.copyfileobj(content, file)


def _refuse_unusable(home: PortalHome, archive: Path) -> None:
    """Raise where the database does not answer, or is of a version that this one does not know."""
    configure(home)
    from django.db import OperationalError, connection
    from django.db.migrations.loader import MigrationLoader

    try:
        loader = MigrationLoader(connection)
    except OperationalError:
        raise UsageError("portal.database-silent") from None
    applied = {*loader.applied_migrations, *_migrations_told(home.folder / MIGRATIONS, archive)}
    if any(app == "portal" and (app, name) not in loader.disk_migrations for app, name in applied):
        raise InputError("portal.newer-copy", path=str(archive))


def _migrations_told(file: Path, archive: Path) -> list[tuple[str, str]]:
    """Of which version the rows of a copy are; older ones do not say."""
    if not file.exists():
        return []
    try:
        told = [(str(app), str(name)) for app, name in json.loads(file.read_text("utf-8"))]
    except (ValueError, TypeError):
        raise InputError("portal.no-backup", path=str(archive)) from None
    file.unlink()
    return told


def _load(dump: Path) -> None:
    from django.core.management import call_command

    from biombo._portal.models import Person

    if Person.objects.exists():
        raise UsageError("portal.database-not-empty")
    call_command("loaddata", str(dump), verbosity=0)
    dump.unlink()


def _move(home: PortalHome) -> None:
    """Vaults are linked to, and paths that an older copy has whole begin with the folder that it was in."""
    configure(home)
    from django.apps import apps

    from biombo._portal.models import CatalogueEntry, keep_paths_anew
    from biombo._portal.vaults import link_vault

    for each in CatalogueEntry.objects.all():
        link_vault(each)
    keep_paths_anew(apps)


def _follow_chains(home: PortalHome) -> None:
    """The database is older than the chains and histories that were copied after it: what they say counts."""
    configure(home)
    from biombo._portal.chains import follow_chains
    from biombo._portal.histories import follow_histories

    follow_chains()
    follow_histories()


def faults(home: PortalHome) -> Iterator[str]:
    """What is wrong with a portal, in sentences; nothing where it is sound."""
    configure(home)
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        yield text("portal.check.migrations")
        return
    yield from _open_to_others(home)
    yield from _missing_files(home)
    yield from _files_in_doubt()
    yield from _broken_chains()
    yield from _chains_of_nobody()
    yield from _faults_of_histories()


def _open_to_others(home: PortalHome) -> Iterator[str]:
    if home.folder.stat().st_mode & 0o077:
        yield text("portal.check.readable", path=str(home.folder))


def _missing_files(home: PortalHome) -> Iterator[str]:
    from biombo._negotiate import OVER
    from biombo._portal.models import Attachment, CatalogueEntry, DataSet
    from biombo._portal.vaults import has_other_vault, lacks_vault

    for each in DataSet.objects.all():
        place = Path(each.place)
        is_away = bool(each.place) and not (place.is_relative_to(home.folder) and place.is_file())
        if is_away or (each.is_gone and (each.is_offered or each.case_set.exclude(state__in=OVER).exists())):
            yield text("portal.check.no-table", name=each.name)
    for each in Attachment.objects.filter(removed_at=None).select_related("case"):
        if not (home.uploads / each.slug).is_file():
            yield text("portal.check.no-attachment", number=str(each.case))
    for each in CatalogueEntry.objects.filter(withdrawn_at=None, holds=True):
        if not Path(each.folder).is_dir():
            yield text("portal.check.no-release", title=each.title)
        elif not _is_whole(Path(each.folder)):
            yield text("portal.check.release-fails", title=each.title)
    for each in CatalogueEntry.objects.filter(withdrawn_at=None):
        if lacks_vault(each):
            yield text("portal.check.no-vault", title=each.title)
        elif has_other_vault(each):
            yield text("portal.check.other-vault", title=each.title)


def _files_in_doubt() -> Iterator[str]:
    from biombo._portal.keeping import kept_in_doubt

    if found := kept_in_doubt():
        paths = ", ".join(map(str, found[:_MOST_NAMED])) + (" …" if len(found) > _MOST_NAMED else "")
        yield text("portal.check.in-doubt", files=len(found), paths=paths)


def _is_whole(release: Path) -> bool:
    """Is a release what it claims, with all its files?"""
    from biombo._release import verify

    try:
        return bool(verify(release).holds)
    except BiomboError:
        return False


def _broken_chains() -> Iterator[str]:
    from biombo._negotiate import NegotiationRecord
    from biombo._portal.chains import differences
    from biombo._portal.models import Case

    for case in Case.objects.exclude(folder=""):
        try:
            record = NegotiationRecord.read(case.folder)
            found = [fault.sentence for fault in record.verify()]
            if record.state.name == "available" and (record.released is None or not _is_whole(record.released)):
                found.append(text("portal.check.handed-over"))
            found += differences(case, record)
        except InputError as error:
            found = [str(error)]
        yield from (text("portal.check.chain", number=str(case), fault=fault) for fault in found)


def _chains_of_nobody() -> Iterator[str]:
    """Nobody could see them, or have them erased."""
    from biombo._portal.chains import left_alone

    yield from (text("portal.check.of-nobody", path=str(folder)) for folder in left_alone())


def _faults_of_histories() -> Iterator[str]:
    from biombo._portal.histories import faults_of_histories

    yield from faults_of_histories()
