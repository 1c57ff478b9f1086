"""Releases made by hand: rightly hashed and signed, whatever they claim."""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from biombo._release import Manifest
from biombo._secrets import Key

Content = dict[str, Any]
MANIFEST = "manifest.json"


def content_of(folder: Path) -> Content:
    """What the manifest in ``folder`` says, without its signature."""
    tree = json.loads((folder / MANIFEST).read_bytes())
    return {name: value for name, value in tree.items() if name != "signature"}


def sign_anew(folder: Path, content: Mapping[str, Any], key: Key | None = None) -> None:
    """Write a manifest that says ``content``, signed with a key that nobody knows, unless one is given."""
    Manifest.signed(content, key or Key.new()).write(folder)


def hash_anew(folder: Path, content: Content) -> Content:
    """``content`` with the files that are there by now."""
    files = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
        if path.name != MANIFEST
    }
    return {**content, "files": files}


def with_claim(content: Content, name: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Content:
    """``content`` with the first claim of that name changed."""
    claims = [dict(claim) for claim in content["claims"]]
    place = next(number for number, claim in enumerate(claims) if claim["claim"] == name)
    claims[place] = change(claims[place])
    return {**content, "claims": claims}
