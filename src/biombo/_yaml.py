"""YAML that people write by hand, read strictly."""

from typing import Any, Literal

import yaml


class YamlMistake(Exception):  # noqa: N818 - for the rooms to turn into an error of their own
    """Valid YAML that does not say what its writer thinks."""

    def __init__(self, kind: Literal["alias", "repeated"], entry: str, line: int) -> None:
        super().__init__(kind, entry, line)
        self.kind, self.entry, self.line = kind, entry, line


class _Loader(yaml.SafeLoader):
    """Refuses an entry that stands twice, of which YAML would take the last, and aliases, which can grow endlessly."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """The next node."""
        if self.check_event(yaml.AliasEvent):
            alias = self.peek_event()  # type: ignore[no-untyped-call]
            raise YamlMistake("alias", alias.anchor, alias.start_mark.line + 1)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """The mapping at ``node``."""
        seen = set[str]()
        for key, _ in node.value:
            entry = str(key.value)
            if entry in seen:
                raise YamlMistake("repeated", entry, key.start_mark.line + 1)
            seen.add(entry)
        return super().construct_mapping(node, deep)


def load_yaml(content: str) -> Any:
    """The plain values in ``content``. Raises :class:`YamlMistake`, or what the YAML library raises."""
    return yaml.load(content, _Loader)
