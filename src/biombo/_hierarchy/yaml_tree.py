"""YAML files with one hierarchy."""

from pathlib import Path
from typing import Any

import yaml

from biombo._errors import InputError
from biombo._hierarchy.content import content_of


class _Loader(yaml.SafeLoader):
    """Refuses an entry that stands twice, of which YAML would take the last, and aliases, which can grow endlessly."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """The next node."""
        if self.check_event(yaml.AliasEvent):
            alias = self.peek_event()  # type: ignore[no-untyped-call]
            raise InputError("hierarchy.alias", path=self.name, line=alias.start_mark.line + 1)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """The mapping at ``node``."""
        seen = set[str]()
        for key, _ in node.value:
            entry = str(key.value)
            if entry in seen:
                raise InputError("hierarchy.repeated", path=self.name, entry=entry, line=key.start_mark.line + 1)
            seen.add(entry)
        return super().construct_mapping(node, deep)


def read_yaml(path: str | Path) -> Any:
    """What the file holds, as plain values."""
    content = content_of(path)
    try:
        loader = _Loader(content.decode("utf-8-sig"))
        loader.name = str(path)
        return loader.get_single_data()
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # ValueError: bytes that are not UTF-8, no such date
        raise InputError("hierarchy.yaml", path=str(path), detail=" ".join(str(error).split())) from None
