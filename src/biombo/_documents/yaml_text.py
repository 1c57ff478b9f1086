"""YAML that people write by hand, read strictly, and written so that it can be read again."""

import re
from typing import Any, Literal

import yaml

from biombo._documents.entry_types import LARGEST_NUMBER
from biombo._errors import InputError

_SHOWN = 40
_ODD = (ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError)
"""What the YAML library raises at a value that is not what it looks like, such as the 31st of February."""

_TAG = "tag:yaml.org,2002:"
_WHOLE = r"(0|[1-9][0-9]*)"
_NUMBERS = {
    f"{_TAG}int": re.compile(rf"[-+]?{_WHOLE}\Z"),
    f"{_TAG}float": re.compile(
        rf"([-+]?({_WHOLE}?\.[0-9]+|{_WHOLE}\.)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))\Z"
    ),
}
"""What is a number: decimal digits as everybody reads them. To the library 010 is 8 and 1:30 is 90; here both are text,
as codes with leading zeros are meant."""

_NEL = "\x85"
_BREAKS = re.compile("[\x85\u2028\u2029]")
"""What the library writes as it is in a text, and takes for the end of a line when it reads it."""


def load_yaml(content: bytes) -> Any:
    """The plain values in ``content``. Raises where it says nothing, or something else than its writer thinks."""
    try:
        text = content.decode("utf-8-sig")
        if _NEL in text:
            raise _mistake("odd-break", _NEL, text[: text.index(_NEL)].count("\n") + 1)
        return yaml.load(text, _Loader)
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
        number = _NUMBERS.get(node.tag)
        if number is not None and not number.match(str(node.value)):  # such as !!int 010
            raise _odd_value(node)
        try:
            value = super().construct_object(node, deep)
        except _ODD:
            raise _odd_value(node) from None
        if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
            raise _odd_value(node)
        return value


def _odd_value(node: yaml.Node) -> InputError:
    return _mistake("odd-value", str(node.value)[:_SHOWN], node.start_mark.line + 1)


def _mistake(kind: Literal["alias", "odd-break", "odd-value", "repeated"], entry: str, line: int) -> InputError:
    """Valid YAML that does not say what its writer thinks."""
    return InputError(f"document.{kind}", entry=entry, line=line)


class _Dumper(yaml.SafeDumper):
    """Writes everything out: our reader refuses aliases. Texts that any reader could take for numbers have quotes."""

    def ignore_aliases(self, _data: Any) -> bool:
        """Whatever it is, it is written once more."""
        return True


def _text_node(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    return dumper.represent_scalar(f"{_TAG}str", value, style='"' if _BREAKS.search(value) else None)


_Dumper.add_representer(str, _text_node)
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in known if tag not in _NUMBERS]
    for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _tag, _pattern in _NUMBERS.items():
    for _kind in (_Loader, _Dumper):
        _kind.add_implicit_resolver(_tag, _pattern, list("-+.0123456789"))
