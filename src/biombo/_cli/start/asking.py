"""Ways to ask a person: by keys on a terminal, by lines that come through a pipe, or not at all."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from biombo._cli.terminal import output, plain
from biombo._errors import UsageError
from biombo._i18n import text

if TYPE_CHECKING:
    from rich.console import Console

_ENTER = ("\r", "\n", "")
_BACK, _HELP = "<", "?"


class BackError(Exception):
    """The person wants to see the question before this one again."""


class LeftError(Exception):
    """The person stops here, and may go on another time."""


@dataclass(frozen=True)
class Question:
    """What is asked, and what may be answered."""

    words: str
    keys: Mapping[str, str]
    """By key: what it means."""
    usual: str
    """The key that Enter stands for."""
    help: str = ""
    """What a person may want to know before answering."""

    @property
    def menu(self) -> dict[str, str]:
        """What can be pressed and what it means, the usual first, as it is shown."""
        others = {key: words for key, words in self.keys.items() if key != self.usual}
        further = {_BACK: text("start.key.back")} | ({_HELP: text("start.key.help")} if self.help else {})
        return {text("start.key.enter"): self.keys[self.usual]} | others | further

    def legend(self, width: int) -> str:
        """The menu in lines of at most ``width`` that break between keys."""
        lines = [""]
        for key, words in self.menu.items():
            longer = f"{lines[-1]}   [{key}] {words}".strip()
            lines[-1:] = [longer] if len(longer) <= width else [lines[-1], f"[{key}] {words}"]
        return "\n".join(filter(None, lines))


class Asking(Protocol):
    """Somebody who answers."""

    @property
    def takes_all(self) -> bool:
        """Is every proposal taken, so that nothing needs to be shown for it?"""

    def key(self, question: Question) -> str:
        """The key that was chosen."""

    def line(self, words: str, usual: str = "", help: str = "") -> str:
        """What was typed; ``usual`` where nothing was. ``help`` is what a person may want to know before."""


@dataclass(frozen=True)
class Keyboard:
    """A person at a terminal: one key is an answer."""

    console: "Console" = field(default_factory=output)
    takes_all: bool = False

    def key(self, question: Question) -> str:
        """Ask until one of the keys is pressed."""
        _show(question, self.console)
        while True:
            try:
                chosen = _chosen(question, _pressed(), self.console)
            except UsageError as error:
                self.console.print(str(error), style="yellow")
                continue
            if chosen is not None:
                self.console.print(text("start.chosen", words=question.keys[chosen]), style="dim")
                return chosen

    def line(self, words: str, usual: str = "", help: str = "") -> str:
        """Ask for a line; file names can be completed."""
        _complete_paths()
        try:
            typed = input(_prompt(words, usual)).strip()
        except EOFError:
            raise LeftError from None
        return self.line(words, usual, help) if _helped(typed, help, self.console) else _typed(typed, usual)


@dataclass(frozen=True)
class Lines:
    """Answers that come through a pipe, one in each line; an empty one is as pressing Enter."""

    console: "Console" = field(default_factory=output)
    takes_all: bool = False

    def key(self, question: Question) -> str:
        """The answer in the next line. Raises where it is none."""
        _show(question, self.console)
        chosen = _chosen(question, self._next(), self.console)
        if chosen is None:
            return self.key(question)
        self.console.print(text("start.chosen", words=question.keys[chosen]), style="dim")
        return chosen

    def line(self, words: str, usual: str = "", help: str = "") -> str:
        """The next line."""
        typed = self._next()
        self.console.print(f"{_prompt(words, usual)}{plain(typed)}", soft_wrap=True)
        return self.line(words, usual, help) if _helped(typed, help, self.console) else _typed(typed, usual)

    @staticmethod
    def _next() -> str:
        read = sys.stdin.readline()
        if not read:
            raise LeftError
        return read.strip()


@dataclass(frozen=True)
class Proposals:
    """Nobody is asked: whatever is proposed is taken."""

    console: "Console" = field(default_factory=output)
    takes_all: bool = True

    def key(self, question: Question) -> str:
        """The usual answer."""
        self.console.print(question.words)
        self.console.print(text("start.chosen", words=question.keys[question.usual]), style="dim")
        return question.usual

    def line(self, words: str, usual: str = "", help: str = "") -> str:  # noqa: ARG002
        """What is proposed. Raises where nothing is."""
        if not usual:
            raise UsageError("usage.no-proposal", question=words.rstrip("?"))
        self.console.print(f"{_prompt(words, '')}{plain(usual)}", soft_wrap=True)
        return usual


def _pressed() -> str:
    from typer import Abort, getchar

    try:
        return getchar()
    except (Abort, EOFError):  # Ctrl-D
        raise LeftError from None


def _show(question: Question, console: "Console") -> None:
    console.print(question.words)
    console.print(question.legend(console.width), style="cyan")


def _chosen(question: Question, typed: str, console: "Console") -> str | None:
    """The key that was meant; none where help was wanted. Raises where it is no answer."""
    if typed in _ENTER:
        return question.usual
    if typed == _BACK:
        raise BackError
    if typed == _HELP:
        console.print(question.help or question.legend(console.width))
        return None
    if typed.lower() not in question.keys:
        raise UsageError("usage.no-such-answer", typed=plain(typed), keys=", ".join(question.menu))
    return typed.lower()


def _helped(typed: str, help: str, console: "Console") -> bool:
    """Was it help that was wanted? Then it is given."""
    if typed != _HELP:
        return False
    console.print("\n".join(filter(None, [help, text("start.key.line-help")])))
    return True


def _typed(typed: str, usual: str) -> str:
    if typed == _BACK:
        raise BackError
    return typed or usual


def _prompt(words: str, usual: str) -> str:
    asked = f"{words} [{plain(usual)}]" if usual else words
    return f"{asked} " if asked.endswith("?") else f"{asked}: "


def _complete_paths() -> None:
    """Let the Tab key complete names of files, where the terminal can."""
    try:
        import readline
    except ImportError:  # as on Windows
        return
    readline.set_completer_delims("")
    readline.set_completer(_path)
    readline.parse_and_bind("tab: complete")


def _path(begun: str, place: int) -> str | None:
    """The file or folder number ``place`` of those whose names begin so."""
    whole = Path(begun or ".").expanduser()
    folder, start = (whole, "") if not begun or begun.endswith("/") else (whole.parent, whole.name)
    try:
        found = sorted(path for path in folder.iterdir() if path.name.startswith(start))
    except OSError:
        return None
    if place >= len(found):
        return None
    return f"{found[place]}/" if found[place].is_dir() else str(found[place])
