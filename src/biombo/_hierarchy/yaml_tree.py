"""YAML files with one hierarchy."""

from pathlib import Path
from typing import Any

import yaml

from biombo._errors import InputError


class _Loader(yaml.SafeLoader):
    """Refuses an entry that stands twice, of which YAML would take the last, and aliases, which can grow endlessly."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """The next node."""
        if self.check_event(yaml.AliasEvent):
            alias = self.peek_event()  # type: ignore[no-untyped-call]
            raise InputError("hierarchy.alias", line=alias.start_mark.line + 1)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """The mapping at ``node``."""
        seen = set[str]()
        for key, _ in node.value:
            if str(key.value) in seen:
                raise InputError("hierarchy.repeated", entry=str(key.value), line=key.start_mark.line + 1)
            seen.add(str(key.value))
        return super().construct_mapping(node, deep)


def read_yaml(path: str | Path) -> Any:
    """What the file holds, as plain values."""
    try:
        return yaml.load(Path(path).read_text("utf-8"), _Loader)
    except OSError as error:
        raise InputError("hierarchy.unreadable", detail=error.strerror) from None
    except (
        yaml.YAMLError,
        ValueError,
        RecursionError,
    ) as error:  # ValueError: not UTF-8, or a date that does not exist
        raise InputError("hierarchy.yaml", detail=" ".join(str(error).split())) from None
