"""A conversation that ends in a release: its steps one after the other, forth and back, and kept between times."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, TypeVar

from biombo._cli.frame import DONE, NOT_MET
from biombo._cli.request import Draft
from biombo._cli.start.asking import Asking, BackError, LeftError, Question
from biombo._cli.terminal import cell, output, plain, progress_shown, say
from biombo._cli.typed import needed
from biombo._errors import BiomboError, UsageError
from biombo._files import is_file, refuse_unwritable
from biombo._guide import STEPS, UNSAID, Look, Step, answered, least_group, look_at, with_schema
from biombo._i18n import text
from biombo._requests import PublishRequest

if TYPE_CHECKING:
    from rich.console import Console

    from biombo._data import Dataset, Schema

SUFFIX = ".biombo.yaml"

Read = TypeVar("Read")

_TABLE = ("files", "filename", "database", "sheet")
"""The answers that say which table it is."""
_OF_THE_TABLE = ("files", "filename", "sheet", "schema")
"""What was typed for one table and means nothing for another."""


class GoToError(Exception):
    """The person wants to go to another step."""

    def __init__(self, step: Step) -> None:
        self.step = step
        super().__init__(step)


class Conversation:
    """What was answered so far, and whoever answers."""

    def __init__(self, asking: Asking, draft: Draft[PublishRequest]) -> None:
        self.asking = asking
        self.console: Console = output()
        self.typed = draft.typed
        """What was typed with the command: it is proposed wherever it is asked for, and never taken for less."""
        self.request = self._fitting(draft.request)
        self.place = draft.place
        """Where the answers are kept; chosen once the table is known."""
        self.again = False
        """Is a step asked once more that was answered already?"""
        self.declined: frozenset[str] = frozenset()
        """Sensitive columns of which nobody wants different values in each group."""
        self._begun = draft.begun
        self._before = draft.kept
        """What the answers were before anything was typed now, where they were kept."""
        self._look: tuple[tuple[Any, ...], Look] | None = None

    def led(self) -> int:
        """Go through all steps; the exit code."""
        try:
            self._go()
        except LeftError:
            self._told_where()
            return NOT_MET
        except (BiomboError, KeyboardInterrupt):
            self._told_where()
            raise
        return DONE

    def say(self, words: str, style: str = "", *, indent: int = 0) -> None:
        """Print a sentence, taken literally."""
        from rich.padding import Padding

        self.console.print(Padding(cell(words, style), (0, 0, 0, indent)))

    def say_pairs(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Print what is told under headings, one below the other."""
        from rich.table import Table

        shown = Table.grid(padding=(0, 2, 0, 0))
        for heading, words in pairs:
            shown.add_row(cell(f"  {heading}", "dim"), cell(words))
        self.console.print(shown)

    def say_command(self, command: str) -> None:
        """Print a command so that it can be copied, however long it is."""
        self.console.print(f"  {plain(command)}", soft_wrap=True)

    def one_of(self, words: str, choices: Sequence[str], usual: int, help: str = "") -> int:
        """Which of several choices in an order, by their numbers."""
        keys = {str(number): choice for number, choice in enumerate(choices, start=1)}
        return int(self.asking.key(Question(words, keys, str(usual + 1), help))) - 1

    def agreed(self, words: str, *, usual: bool = True) -> bool:
        """A question that is answered by yes or no."""
        yes, no = (text(f"start.key.{key}") for key in ("yes", "no"))
        return self.asking.key(Question(words, {yes[0]: yes, no[0]: no}, (yes if usual else no)[0])) == yes[0]

    def line(self, words: str, read: Callable[[str], Read], usual: str = "", help: str = "") -> Read:
        """Ask for a line until it can be read; why it cannot is told."""
        while True:
            typed = self.asking.line(words, usual, help)
            try:
                return read(typed)
            except BiomboError as error:
                if self.asking.takes_all:
                    raise
                self.say(str(error), "yellow")

    def words(self, words: str, usual: str = "") -> str:
        """Ask for a line until something is typed."""
        return self.line(words, needed, usual)

    def said(self, entry: str) -> Any:
        """What was answered already, where that is not asked once more."""
        answer = getattr(self.request, entry)
        return None if self.again or answer in UNSAID else answer

    @property
    def look(self) -> Look:
        """The table, read once."""
        if self._look is None or self._look[0] != self.request.which_table:
            with progress_shown():
                self._look = self.request.which_table, look_at(self.request)
        return self._look[1]

    @property
    def schema(self) -> "Schema":
        """What the columns are, as far as that was said."""
        from biombo._data import Schema

        return Schema.load(self.request.schema)

    @property
    def data(self) -> "Dataset":
        """The columns that matter, as they were described."""
        return self.look.described(self.schema, self.request.hierarchies)

    def label(self, column: str) -> str:
        """What people call a column."""
        from biombo._i18n import language

        return self.schema.labels(language()).get(column, column)

    def keep(self, request: PublishRequest) -> None:
        """Remember what was answered, and write it down."""
        self.request = request
        if self.place is not None:
            request.save(self.place)

    def about(self, file: str) -> PublishRequest:
        """The request for the table that was named last: another one begins anew, in a file of its own, with what was
        typed that is not about the first.
        """
        same = replace(self.request, files=(file,))
        if same.which_table == self.request.which_table:
            return self.request
        usual = PublishRequest()
        asked = replace(self._begun, **{name: getattr(usual, name) for name in _OF_THE_TABLE} | {"files": (file,)})
        asked.table(None, asked.chosen_engine())  # raises where there is none
        self.place = None
        self.declined = frozenset()
        self._begun, self.typed = asked, {name: self.typed[name] for name in self.typed if name not in _OF_THE_TABLE}
        return asked

    def _go(self) -> None:
        at = 0
        while at < len(STEPS):
            step = STEPS[at]
            try:
                if self.place is None and self.request.files and not (self.again and step == "file"):
                    self._settle()
                if self.again or not self._is_answered(step):
                    self._asked(step)
                at, self.again = at + 1, False
            except BackError:
                if at == 0 and (self.again or not self.request.files):
                    self.say(text("start.first"), "yellow")
                at, self.again = max(0, at - 1), True
            except GoToError as wish:
                at, self.again = STEPS.index(wish.step), True

    def _settle(self) -> None:
        """Where answers are kept: in a new file, or in the one of an earlier time, whose answers then stand. Those for
        other tables are left alone.
        """
        free = (path for path in self._names() if not is_file(path) or self._is_about_this(path))
        place = next(free)
        if is_file(place):
            self.say(text("start.again", path=place))
            keys = {"y": text("start.key.take-up"), "n": text("start.key.anew")}
            if self.asking.key(Question(text("start.again-question"), keys, "y")) == "y":
                self._before = PublishRequest.load(place)
                self.request, self.place = self._taken_up(place), place
                return
            place = next(path for path in free if not is_file(path))
        refuse_unwritable(place)
        self.place = place
        self.say(text("start.draft", path=place), "dim")

    def _names(self) -> Iterator[Path]:
        """What a file for the answers may be called, the usual one first."""
        for number in count(1):
            yield Path(f"{stem(self.request)}{'' if number == 1 else f'-{number}'}{SUFFIX}")

    def _is_about_this(self, path: Path) -> bool:
        """Does the file hold answers for the table that was named, with columns that are there?"""
        from biombo._data import Schema

        try:
            kept = PublishRequest.load(path)
            if kept.which_table != self.request.which_table:
                return False
            inside = () if kept.schema is None or isinstance(kept.schema, str) else Schema.load(kept.schema).columns
        except BiomboError:
            return False
        return all(name in self.look.columns for name in inside)

    def _taken_up(self, path: Path) -> PublishRequest:
        """The answers of an earlier time, with what was typed now, and the table with the password that no file has."""
        table = {name: getattr(self.request, name) for name in _TABLE}
        return self._fitting(replace(PublishRequest.load(path), **{**self.typed, **table}))

    def _fitting(self, request: PublishRequest) -> PublishRequest:
        """The request without what was said of columns that a schema that was typed has otherwise."""
        typed = self.typed.get("schema")
        return request if typed is None else with_schema(request, typed)

    def _is_answered(self, step: Step) -> bool:
        if step == "columns":
            return answered(self.request, step) and not self._is_half_described
        if step == "protection":
            return self.is_large_enough and (answered(self.request, step) or self._is_diversity_declined)
        return answered(self.request, step)

    @property
    def _is_half_described(self) -> bool:
        """A schema within the request may be one that was left in the middle."""
        inside = self.request.schema is not None and not isinstance(self.request.schema, str)
        return inside and any(name not in self.schema.columns for name in self.look.columns)

    @property
    def is_large_enough(self) -> bool:
        """Are groups as large as the accepted risk asks for? What was typed for them stands in any case, and so it does
        where somebody says why to publish all the same.
        """
        request = self.request
        stands = "k" in self.typed or request.override_reason is not None
        return request.k is None or stands or request.k >= least_group(request.model())

    @property
    def _is_diversity_declined(self) -> bool:
        """Are groups to be of a size, and nothing else?"""
        request = self.request
        return request.k is not None and request.l is None and self.declined.issuperset(self.schema.sensitive)

    def _asked(self, step: Step) -> None:
        self.console.print()
        self.console.rule(text(f"start.step.{step}"), align="left", style="dim")
        try:
            self.keep(_asker(step)(self))
        except UsageError:
            self._forget_impossible(step)
            raise

    def _forget_impossible(self, step: Step) -> None:
        """What was typed for groups and is not possible is not kept for another time."""
        if step not in ("protection", "result"):
            return
        before = self._before or PublishRequest(max_suppression=self._begun.max_suppression)
        self.keep(replace(self.request, **{name: getattr(before, name) for name in ("k", "l") if name in self.typed}))

    def _told_where(self) -> None:
        """How to go on another time, in a command that can be copied."""
        if self.place is not None and is_file(self.place):
            say(text("start.left"))
            print(f"  {plain(f'biombo start --request {quote(str(self.place))}')}", file=sys.stderr)


def _asker(step: Step) -> Callable[[Conversation], PublishRequest]:
    from biombo._cli.start.columns import columns
    from biombo._cli.start.protection import protection, result
    from biombo._cli.start.publishing import publish
    from biombo._cli.start.recipients import people, recipients

    askers: dict[Step, Callable[[Conversation], PublishRequest]] = {
        "file": _file,
        "columns": columns,
        "people": people,
        "recipients": recipients,
        "protection": protection,
        "result": result,
        "publish": publish,
    }
    return askers[step]


def _file(talk: Conversation) -> PublishRequest:
    """Which table; answers that were given for it before are taken up again, if wanted."""
    files = talk.request.files
    named = ", ".join(files)
    return talk.line(
        text("start.file.question"),
        lambda typed: talk.request if files and typed == named else talk.about(needed(typed)),
        named,
        text("start.file.help"),
    )


def stem(request: PublishRequest) -> str:
    """What files about the table are called. What stands in a query may be about people, and names of releases are for
    everybody: a query has a name that says nothing.
    """
    if request.database is not None:
        return text("start.file.query")
    named = re.sub(r"[^\w.-]+", "-", Path(request.files[0]).stem).strip("-.")
    return named or text("start.file.table")
