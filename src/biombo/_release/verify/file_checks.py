"""Whether the files of a release are those that its manifest lists, and no others."""

import stat
from collections.abc import Iterator
from pathlib import Path

from biombo._errors import InputError, system_reason
from biombo._release.manifest import MANIFEST, Manifest, hashed
from biombo._release.verify.check import Check, checked


def file_checks(folder: Path, manifest: Manifest) -> Iterator[Check]:
    """A check for each file that is listed or there."""
    listed = manifest.files
    if manifest.data not in listed:
        yield checked("data-unlisted", False, file=manifest.data)
    for name, expected in listed.items():
        if is_file_of(folder, name):
            yield checked("file", _is_unchanged(folder / name, expected), file=name)
        else:
            yield checked("file-missing", False, file=name)
    for name in _names_in(folder):
        if name not in listed and name != MANIFEST:
            yield checked("file-added", False, file=name)


def is_file_of(folder: Path, name: str) -> bool:
    """Is there a file of this name in the folder itself, and not by a link or a way out of it?"""
    if Path(name).name != name:
        return False
    try:
        return stat.S_ISREG((folder / name).lstat().st_mode)
    except PermissionError as error:  # which says nothing about the release
        raise InputError("release.none", path=str(folder), detail=system_reason(error)) from None
    except (OSError, ValueError):  # ValueError: no file can have such a name
        return False


def _is_unchanged(path: Path, expected: str) -> bool:
    try:
        return hashed(path) == expected
    except PermissionError as error:
        raise InputError("input.unreadable", path=str(path), detail=system_reason(error)) from None
    except OSError:
        return False


def _names_in(folder: Path) -> list[str]:
    try:
        return sorted(path.name for path in folder.iterdir())
    except OSError as error:
        raise InputError("release.none", path=str(folder), detail=system_reason(error)) from None
