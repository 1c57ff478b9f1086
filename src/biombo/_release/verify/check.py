"""What comes of checking a release, point by point, and whether its files are those that its manifest lists."""

import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biombo._errors import InputError, system_reason
from biombo._i18n import text
from biombo._release.claims import Kind
from biombo._release.manifest import MANIFEST, Manifest, hashed


@dataclass(frozen=True)
class Check:
    """What came of checking one claim."""

    claim: str
    kind: Kind
    holds: bool | None
    """``None`` where it can only be believed: it needs the original."""
    detail: str
    """One sentence, in the language that was in use."""
    waived: bool = False
    """Is it a criterion that was waived? Then nothing is claimed that could hold or not."""


def checked(name: str, holds: bool, **values: Any) -> Check:
    """What was found, in the words for it."""
    words = text(f"release.verify.{name}.{'holds' if holds else 'fails'}", **values)
    return Check(name, "recomputable", holds, words)


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
