"""YAML files with one hierarchy."""

from pathlib import Path
from typing import Any

import yaml

from biombo._errors import InputError
from biombo._hierarchy.content import content_of
from biombo._yaml import YamlMistake, load_yaml


def read_yaml(path: str | Path) -> Any:
    """What the file holds, as plain values."""
    content = content_of(path)
    try:
        return load_yaml(content.decode("utf-8-sig"))
    except YamlMistake as mistake:
        key = f"hierarchy.{mistake.kind}"
        raise InputError(key, path=str(path), entry=mistake.entry, line=mistake.line) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # ValueError: bytes that are not UTF-8, no such date
        raise InputError("hierarchy.yaml", path=str(path), detail=" ".join(str(error).split())) from None
