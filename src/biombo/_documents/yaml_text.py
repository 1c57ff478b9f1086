"""YAML that people write by hand, read strictly, and written so that it can be read again."""

import re
from math import inf
from typing import Any, Literal

import yaml

from biombo._documents.entry_types import LARGEST_NUMBER
from biombo._errors import InputError
from biombo._i18n import text

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


_PROBLEMS = {
    kind: re.compile(pattern)
    for kind, pattern in {
        "tab": r"found character '\\t'|block scalar: .*tab",
        "open-quote": "quoted scalar: found unexpected (end of stream|document separator)",
        "escape": "found unknown escape|expected escape sequence",
        "colon": "could not find expected ':'|mapping values are not allowed",
        "bracket": "expected ',' or '\\]'",
        "brace": "expected ',' or '}'",
        "indent": "<block end>|(sequence entries|mapping keys) are not allowed|block collection",
        "several": "another document|expected '<document start>'",
        "tag": "constructor for the tag|undefined tag|tag handle|while scanning a (tag|directive|anchor)",
        "value": "node content|cannot start any token",
        "control": "special characters are not allowed",
        "key": "unhashable key",
    }.items()
}
"""By which of its words the library tells each kind of problem that there is a text for; the first that fits counts."""


def load_yaml(content: bytes) -> Any:
    """The plain values in ``content``. Raises where it says nothing, or something else than its writer thinks."""
    try:
        written = content.decode("utf-8-sig")
        if _NEL in written:
            raise _mistake("odd-break", _NEL, written[: written.index(_NEL)].count("\n") + 1)
        return yaml.load(written, _Loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # ValueError: bytes that are not UTF-8, no such date
        raise _no_yaml(error) from None


def _no_yaml(error: Exception) -> InputError:
    """What is wrong, in our words, with the line where the YAML library stumbled."""
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark:
        told = f"{error.context or ''}: {error.problem or ''}"
        return InputError("document.yaml-line", line=error.problem_mark.line + 1, detail=_problem(told))
    if isinstance(error, RecursionError):
        return InputError("document.yaml", detail=text("errors.yaml.deep"))
    encoding = isinstance(error, UnicodeDecodeError)
    return InputError("document.yaml", detail=text("errors.yaml.encoding") if encoding else _problem(str(error)))


def _problem(told: str) -> str:
    """Our words for what the YAML library tells."""
    kind = next((kind for kind, pattern in _PROBLEMS.items() if pattern.search(told)), "other")
    return text(f"errors.yaml.{kind}")


def dump_yaml(tree: Any, *, flow: bool | None = None, one_line: bool = False) -> str:
    """``tree`` as YAML, in its own order; ``flow``: lists and mappings that hold no others stand in one line;
    ``one_line``: all of it does.
    """
    return yaml.dump(
        tree,
        Dumper=_Dumper,
        allow_unicode=True,
        sort_keys=False,
        default_flow_style=True if one_line else None if flow else False,
        width=inf if one_line else 100,
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
