"""YAML that people write by hand, read strictly."""

from typing import Any, Literal

import yaml


class YamlMistake(Exception):  # noqa: N818 - for the rooms to turn into an error of their own
    """Valid YAML that does not say what its writer thinks."""

    def __init__(self, kind: Literal["alias", "odd-value", "repeated"], entry: str, line: int) -> None:
        super().__init__(kind, entry, line)
        self.kind, self.entry, self.line = kind, entry, line


LARGEST_NUMBER = (1 << 63) - 1
"""Whole numbers beyond it fit into no column, and those of thousands of digits not even into a message."""

_SHOWN = 40
_ODD = (ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError)
"""What the YAML library raises at a value that is not what it looks like, such as the 31st of February."""


class _Loader(yaml.SafeLoader):
    """Refuses an entry that stands twice, of which YAML would take the last, aliases, which can grow endlessly, and
    what looks like a number or a date and is none, or none of a size that anything can hold."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """The next node."""
        if self.check_event(yaml.AliasEvent):
            alias = self.peek_event()  # type: ignore[no-untyped-call]
            raise YamlMistake("alias", alias.anchor, alias.start_mark.line + 1)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """The mapping at ``node``."""
        seen = set[str]()
        for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
            entry = str(key.value)
            if entry in seen:
                raise YamlMistake("repeated", entry, key.start_mark.line + 1)
            seen.add(entry)
        return super().construct_mapping(node, deep)

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """The value at ``node``."""
        try:
            value = super().construct_object(node, deep)
        except _ODD:
            raise _odd_value(node) from None
        if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
            raise _odd_value(node)
        return value


def _odd_value(node: yaml.Node) -> YamlMistake:
    return YamlMistake("odd-value", str(node.value)[:_SHOWN], node.start_mark.line + 1)


def load_yaml(content: str) -> Any:
    """The plain values in ``content``. Raises :class:`YamlMistake`, or what the YAML library raises."""
    return yaml.load(content, _Loader)
