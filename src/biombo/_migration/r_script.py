"""Calls in an R script, read strictly and never carried out: a function, and arguments that are plain values.

What is read: ``name <- function(argument, name = value, …)``, also without the name before it, where values are
strings, numbers, ``TRUE``, ``FALSE``, ``NULL`` and ``c(…)`` of these. Everything else is a statement that was not
understood, with its line; what stands in braces, functions, loops and conditions is so as a whole.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

_TOKEN = re.compile(
    r"""(?P<blank>[^\S\n]+|\#[^\n]*)
      | (?P<newline>\n)
      | (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
      | (?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?L?)
      | (?P<name>`[^`\n]+`|[^\W\d_][\w.]*|\.[^\W\d][\w.]*|\.)
      | (?P<mark><-|.)""",
    re.VERBOSE | re.DOTALL,
)
_CONSTANTS: dict[str, Any] = {"TRUE": True, "FALSE": False, "T": True, "F": False, "NULL": None, "NA": None}
_GOES_ON = {"<-", "=", ",", "+", "-", "*", "/", "~", "|", "&", "%", ":"}
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "'": "'", "\\": "\\"}
_SHOWN = 60


@dataclass(frozen=True)
class Unread:
    """An expression that is no plain value."""

    written: str


@dataclass(frozen=True)
class Token:
    """A word of the script."""

    kind: str
    text: str
    line: int


@dataclass(frozen=True)
class Argument:
    """An argument of a call, by name where it has one; ``c(…)`` is a list."""

    name: str | None
    value: Any


@dataclass(frozen=True)
class Call:
    """A call of a function at the top of the script."""

    function: str
    arguments: tuple[Argument, ...]
    line: int
    written: str


@dataclass(frozen=True)
class Statement:
    """Something else than a call."""

    line: int
    written: str


def read_script(script: str) -> Iterator[Call | Statement]:
    """The statements of a script in their order.

    >>> [call] = read_script('sdc <- kAnon(sdc, k = c(3), importance = c(1, 2))  # twice')
    >>> call.function, [(each.name, each.value) for each in call.arguments[1:]]
    ('kAnon', [('k', [3]), ('importance', [1, 2])])
    """
    for tokens in _statements(_tokens(script)):
        words = [token for token in tokens if token.kind != "newline"]
        written = " ".join(token.text for token in words)
        shown = written if len(written) <= _SHOWN else f"{written[: _SHOWN - 1]}…"
        yield _call(words, shown) or Statement(words[0].line, shown)


def _tokens(script: str) -> Iterator[Token]:
    line = 1
    for found in _TOKEN.finditer(script.replace("\r\n", "\n").replace("\r", "\n")):
        kind, text = str(found.lastgroup), found.group()
        if kind != "blank":
            yield Token(kind, text, line)
        line += text.count("\n")


def _statements(tokens: Iterator[Token]) -> Iterator[list[Token]]:
    """Statements end with their line, unless a bracket is open or the last word leads on."""
    held: list[Token] = []
    depth = 0
    for token in tokens:
        ends = token.text == ";" or (token.kind == "newline" and not (held and held[-1].text in _GOES_ON))
        if ends and depth <= 0:
            if held:
                yield held
            held, depth = [], 0
            continue
        if token.kind == "mark":
            depth += (token.text in "([{") - (token.text in ")]}")
        if held or token.kind != "newline":
            held.append(token)
    if held:
        yield held


def _call(words: Sequence[Token], written: str) -> Call | None:
    rest = list(words)
    line = rest[0].line
    if len(rest) > 2 and rest[0].kind == "name" and rest[1].text in ("<-", "="):
        rest = rest[2:]
    if len(rest) > 3 and rest[0].kind == "name" and [each.text for each in rest[1:3]] == [":", ":"]:
        rest = rest[3:]
    if len(rest) < 3 or rest[0].kind != "name" or rest[1].text != "(" or _closing(rest, 1) != len(rest) - 1:
        return None
    return Call(rest[0].text, tuple(map(_argument, _parts(rest[2:-1]))), line, written)


def _closing(words: Sequence[Token], opening: int) -> int:
    """Where the bracket that opens at ``opening`` is closed; −1 where it is not."""
    depth = 0
    for place in range(opening, len(words)):
        if words[place].kind == "mark":
            depth += (words[place].text in "([{") - (words[place].text in ")]}")
        if depth == 0:
            return place
    return -1


def _parts(words: Sequence[Token]) -> list[list[Token]]:
    """What stands between commas outside of brackets."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for word in words:
        if word.kind == "mark":
            depth += (word.text in "([{") - (word.text in ")]}")
        if word.text == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


def _argument(words: Sequence[Token]) -> Argument:
    if len(words) > 2 and words[0].kind == "name" and words[1].text == "=":
        return Argument(words[0].text.strip("`"), _value(words[2:]))
    return Argument(None, _value(words))


def _value(words: Sequence[Token]) -> Any:
    if len(words) >= 3 and words[0].text == "c" and words[1].text == "(" and _closing(words, 1) == len(words) - 1:
        found = [_scalar(part) for part in _parts(words[2:-1])]
        return Unread(" ".join(each.text for each in words)) if any(isinstance(one, Unread) for one in found) else found
    return _scalar(words)


def _scalar(words: Sequence[Token]) -> Any:
    sign = -1 if words[0].text == "-" else 1
    rest = words[1:] if sign < 0 else words
    unread = Unread(" ".join(each.text for each in words))
    if len(rest) != 1:
        return unread
    kind, text = rest[0].kind, rest[0].text
    if kind == "number":
        number = sign * float(text.rstrip("L"))
        return int(number) if number.is_integer() else number
    if sign < 0:
        return unread
    if kind == "string":
        return _unescaped(text[1:-1], unread)
    return _CONSTANTS.get(text, unread) if kind == "name" else unread


def _unescaped(text: str, unread: Unread) -> str | Unread:
    if any(mark not in _ESCAPES for mark in re.findall(r"\\(.)", text, re.DOTALL)):
        return unread
    return re.sub(r"\\(.)", lambda found: _ESCAPES[found[1]], text)
