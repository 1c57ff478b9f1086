"""YAML that people write by hand, read strictly, and written so that it can be read again."""

from typing import Any, Literal

import yaml

from biombo._documents.entry_types import LARGEST_NUMBER
from biombo._errors import InputError

_SHOWN = 40
_ODD = (ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError)
"""What the YAML library raises at a value that is not what it looks like, such as the 31st of February."""


def load_yaml(content: bytes) -> Any:
    """The plain values in ``content``. Raises where it says nothing, or something else than its writer thinks."""
    try:
        return yaml.load(content.decode("utf-8-sig"), _Loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # ValueError: bytes that are not UTF-8, no such date
        raise _no_yaml(error) from None


def _no_yaml(error: Exception) -> InputError:
    """What the YAML library says, with the line where it does."""
    if isinstance(error, yaml.MarkedYAMLError) and error.problem and error.problem_mark:
        return InputError("document.yaml-line", line=error.problem_mark.line + 1, detail=error.problem)
    return InputError("document.yaml", detail=" ".join(str(error).split()))


def dump_yaml(tree: Any, *, flow: bool | None = None) -> str:
    """``tree`` as YAML, in its own order; ``flow``: lists and mappings that hold no others stand in one line."""
    return yaml.dump(
        tree,
        Dumper=_Dumper,
        allow_unicode=True,
        sort_keys=False,
        default_flow_style=None if flow else False,
        width=100,
    )


class _Loader(yaml.SafeLoader):
    """Refuses an entry that stands twice, of which YAML would take the last, aliases, which can grow endlessly, and
    what looks like a number or a date and is none, or none of a size that anything can hold."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """The next node."""
        if self.check_event(yaml.AliasEvent):
            alias = self.peek_event()  # type: ignore[no-untyped-call]
            raise _mistake("alias", alias.anchor, alias.start_mark.line + 1)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """The mapping at ``node``."""
        seen = set[str]()
        for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
            entry = str(key.value)
            if entry in seen:
                raise _mistake("repeated", entry, key.start_mark.line + 1)
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


def _odd_value(node: yaml.Node) -> InputError:
    return _mistake("odd-value", str(node.value)[:_SHOWN], node.start_mark.line + 1)


def _mistake(kind: Literal["alias", "odd-value", "repeated"], entry: str, line: int) -> InputError:
    """Valid YAML that does not say what its writer thinks."""
    return InputError(f"document.{kind}", entry=entry, line=line)


class _Dumper(yaml.SafeDumper):
    """Writes everything out: our reader refuses aliases."""

    def ignore_aliases(self, _data: Any) -> bool:
        """Whatever it is, it is written once more."""
        return True
