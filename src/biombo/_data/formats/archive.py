"""Zip archives with a table inside."""

import zipfile
from collections.abc import Collection
from pathlib import Path, PurePosixPath

from biombo._data.formats.soundness import foreign_failures
from biombo._errors import InputError, shortened
from biombo._i18n import text
from biombo._watch import remark

_AIDS = ("readme", "leiame", "leia-me", "leia_me", "license", "licença", "licenca")
"""How the names of files begin that explain others."""
_OF_SYSTEMS = ("thumbs.db", "desktop.ini")
_MOST = 100_000


def names_in(path: Path) -> list[str]:
    """What lies in the archive, without folders and what systems leave there."""
    with foreign_failures("input.damaged", path=str(path)), zipfile.ZipFile(path) as archive:
        infos = archive.infolist()
    if len(infos) > _MOST or len({info.filename for info in infos}) < len(infos):
        raise InputError("input.zip-names", path=str(path))
    return [info.filename for info in infos if not info.is_dir() and not _is_left_by_system(info.filename)]


def chosen_table(path: Path, names: list[str], known: Collection[str], chosen: str | None) -> tuple[str, str | None]:
    """The one table among ``names``, and what is asked for within it; ``known`` are the suffixes of tables. Of several,
    the one that is ``chosen`` by its name.
    """
    tables = [name for name in names if _suffix(name) in known and not _is_aid(name)]
    if len(tables) > 1:
        return _named(path, tables, chosen), None
    if not tables:
        raise InputError("input.zip-nothing", path=str(path), names=shortened(names) or "–")
    if len(names) > 1:
        others = shortened(name for name in names if name != tables[0])
        remark(text("errors.input.zip-read", path=path, member=tables[0], others=others))
    return tables[0], None if chosen in (tables[0], PurePosixPath(tables[0]).name) else chosen


def _named(path: Path, tables: list[str], chosen: str | None) -> str:
    found = [name for name in tables if name == chosen] or [
        name for name in tables if PurePosixPath(name).name == chosen
    ]
    if len(found) == 1:
        return found[0]
    if chosen is None:
        raise InputError("input.zip-several", path=str(path), names=shortened(tables), tables=tuple(tables))
    raise InputError("input.zip-no-such", path=str(path), member=chosen, names=shortened(tables))


def _suffix(name: str) -> str:
    return PurePosixPath(name).suffix.lower()


def _is_left_by_system(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return not parts or "__MACOSX" in parts or parts[-1].startswith(".") or parts[-1].lower() in _OF_SYSTEMS


def _is_aid(name: str) -> bool:
    """A text that explains the others is no table of them."""
    return _suffix(name) in (".txt", ".xml") and PurePosixPath(name).stem.lower().startswith(_AIDS)
