"""``query``: the desk at which a table that stays inside is asked, against all that was answered before."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from biombo._data import Schema, SourceTable
from biombo._engine import LOCAL, Engine, engine_of
from biombo._errors import BiomboError, ColumnError, UsageError
from biombo._hierarchy import Hierarchy
from biombo._query.answer import QueryAnswer
from biombo._query.categories import public_categories
from biombo._query.consequences import sides_of
from biombo._query.history import History
from biombo._query.inside import Inside
from biombo._query.knowledge import Fact, Foreseen, Knowledge
from biombo._query.members import Members, side_by_side
from biombo._query.outcome import Outcome
from biombo._query.past import told_as
from biombo._query.question import Cell, Question
from biombo._query.sums import Amounts, SumsTold, mean_of
from biombo._tabulate import Group, Rules, levels_of
from biombo._watch import begin, stoppable

if TYPE_CHECKING:
    from biombo._data import Dataset
    from biombo._frames import Frame, FrameKind

By = Sequence[str] | Mapping[str, int | str]
"""Columns, or the level of the hierarchy of each."""


@dataclass(frozen=True, eq=False)
class QueryDesk:
    """A table that stays inside, with the history of all that was asked of it.

    What ``rules`` does not name is as the history has it, or as usual where it is begun: see :class:`DeskRules`.
    """

    table: SourceTable
    history: Path
    schema: Schema = field(default_factory=Schema)
    hierarchies: Mapping[str, Any] = field(default_factory=dict)
    engine: Engine = LOCAL
    rules: Mapping[str, Any] = field(default_factory=dict)

    def question(
        self, by: By, mean: str | None = None, where: Mapping[str, Any] | None = None, totals: bool = False
    ) -> Question:
        """A question, with levels by their numbers. Raises where there is no such column or level."""
        levels = dict(by) if isinstance(by, Mapping) else dict.fromkeys(by, 0)
        found = {column: self._level(column, level) for column, level in levels.items()}
        asked = Question(found, mean, dict(where) if where else None, totals)
        self.table.header([*asked.columns, *filter(None, [mean])], Schema())
        if mean in asked.columns:
            raise UsageError("query.mean-by", column=mean)
        return asked

    def _level(self, column: str, level: int | str) -> int:
        if str(level) == "0":
            return 0
        hierarchy = self._hierarchies([column]).get(column)
        if hierarchy is None:
            raise UsageError("tabulate.no-hierarchy", column=column)
        return levels_of(column, [level], hierarchy)[0]

    def ask(self, question: Question, *, who: str = "", approved: str = "", number: str = "") -> QueryAnswer:
        """Answer, each cell against the history with the cells before it; all is noted before anything is said. What
        was asked under the same ``number`` before gets what was said then, and uses nothing up.
        """
        begin("reading")
        with History.held(self.history, self.table.fingerprint(), self.rules) as history:
            told = told_as(history, number, question)
            if told is not None:
                return told
            look, inside = self._look(history, question)
            outcomes = look.outcomes(inside)
            history.add(question, outcomes, who, approved, number)
            return look.answer(outcomes, inside.data.kind)

    def foreseen(self, question: Question) -> list[bool] | None:
        """By cell: would it be refused, if it were the next to be asked? None where the categories of a column are
        settled by the data, with the first answer. Of the table only that is looked at whether the column of a mean
        seems to be an identifier, and nothing is noted: whoever decides on a question by it tells nothing by what they
        decide, and settles nothing by a no.
        """
        begin("reading")
        history = History.seen(self.history, self.table.fingerprint(), self.rules)
        self._refuse(history, question)
        if question.mean is not None:
            Inside(self._read([question.mean]), None).refuse_mean(question.mean)
        for column, hierarchy in self._unsettled(history, question):
            public = public_categories(self._told()[column], column, hierarchy)
            if public is None:
                return None
            history.settle(public)
        return _Look(history, question).refused()

    def unfit(self, columns: Iterable[str], means: Iterable[str]) -> dict[str, dict[str, BiomboError]]:
        """The columns that cannot be asked by, and those of which no mean can be told, whatever is asked: each with
        what is in the way. For whoever opens a table, before anybody asks: what one person has would keep questions
        about others from being answered. Nothing is noted.
        """
        history = History.seen(self.history, self.table.fingerprint(), self.rules)
        by = {each: self._fault(history, Question({each: 0})) for each in columns}
        of = {each: self._fault(history, Question(mean=each)) for each in means}
        return {use: {name: each for name, each in some.items() if each} for use, some in (("by", by), ("mean", of))}

    def _fault(self, history: History, question: Question) -> BiomboError | None:
        """What keeps a column, which is all that is asked for, from being used at all."""
        person, unsettled = history.rules.person, dict(self._unsettled(history, question))
        try:
            inside = Inside(self._read([*filter(None, [*question.columns, question.mean, person])]), person)
            for column in question.columns:
                found = history.categories.get(column)
                inside.leaves(found or inside.categories(column, unsettled[column], history.rules.k))
            if question.mean is not None:
                inside.refuse_mean(question.mean)
                inside.amounts(question.mean, np.zeros(0, np.int64), history.rules.decimals)
        except BiomboError as error:
            return error
        return None

    def _refuse(self, history: History, question: Question) -> None:
        """Raise where something is asked that no table would be told."""
        history.refuse_both_uses(question)
        told, person = self._told(), history.rules.person
        for column in question.columns:
            if told[column].role == "identifier" or column == person:
                raise ColumnError("query.identifier", column=column)
        mean = question.mean
        if mean is not None and (told[mean].role == "identifier" or mean == person):
            raise ColumnError("query.mean-identifier", column=mean)

    def _unsettled(self, history: History, question: Question) -> list[tuple[str, Hierarchy | None]]:
        """The columns that were never asked for, with their hierarchies. Raises where another was given before."""
        hierarchies = self._hierarchies(question.columns)
        for column in history.categories.keys() & {*question.columns}:
            history.categories[column].refuse_other(hierarchies.get(column))
        return [(each, hierarchies.get(each)) for each in question.columns if each not in history.categories]

    def _look(self, history: History, question: Question) -> tuple["_Look", Inside]:
        """A question beside the history, in which all that it takes is settled, and the table."""
        self._refuse(history, question)
        person = history.rules.person
        columns = [*dict.fromkeys([*history.categories, *question.columns])]
        extra = [*filter(None, [question.mean, person])]
        inside = Inside(self._read([*dict.fromkeys([*columns, *extra])]), person)
        if question.mean is not None:
            inside.refuse_mean(question.mean)
        for column, hierarchy in self._unsettled(history, question):
            history.settle(inside.categories(column, hierarchy, history.rules.k))
        if not history.asked:  # or the first questions could make all others unsafe
            history.add(Question(), _Look(history, Question()).outcomes(inside))
        return _Look(history, question), inside

    def _read(self, columns: list[str]) -> "Dataset":
        return self.engine.open(self.table).tuples(columns or self.table.columns[:1], self._told())

    def _told(self) -> Schema:
        return self.schema.told_of(self.table.columns)

    def _hierarchies(self, columns: Iterable[str]) -> dict[str, Hierarchy]:
        """The hierarchies of the columns that have one; one that is read off other columns is not public."""
        found = {column: self.hierarchies.get(column, self.schema[column].hierarchy) for column in columns}
        loaded = {column: Hierarchy.load(each) for column, each in found.items() if each is not None}
        return {column: hierarchy for column, hierarchy in loaded.items() if not hierarchy.reads}


@dataclass(frozen=True, eq=False)
class _Look:
    """One question, with the history beside it."""

    history: History
    question: Question

    def __post_init__(self) -> None:
        levels = {column: self.history.categories[column].levels for column in self.question.by}
        for column, level in self.question.by.items():
            if level >= levels[column]:
                raise UsageError("hierarchy.level", level=level, height=levels[column] - 1)

    @property
    def cells(self) -> list[Cell]:
        return self.question.cells(self.history.categories)

    def _members(self) -> Members | None:
        """All cells that were ever asked for, then those of the question, then what is known of listed categories."""
        values = {column: each.names for column, each in self.history.categories.items()}
        return Members.of([*self._groups, *(group for group, _ in self._listed(self._groups))], values)

    @property
    def _groups(self) -> list[Group]:
        categories = self.history.categories
        past = [cell.group for asked in self.history.asked for cell in asked.cells(categories)]
        return [*past, *(cell.group for cell in self.cells)]

    def _listed(self, groups: Sequence[Group]) -> list[tuple[Group, int]]:
        """Groups of which everybody knows how many people they have at least, since categories are listed."""
        found: list[tuple[Group, int]] = []
        for column, categories in self.history.categories.items():
            sides = side_by_side(column, categories.names, groups)
            crossing = [{column: category} for category in categories.crossing(sides)]
            sides = side_by_side(column, categories.names, [*groups, *crossing])
            wholes = [*sides, *(group[column] for group in crossing)]
            found += [({column: each}, categories.least(each, self.history.rules.k)) for each in wholes]
        return [(group, least) for group, least in found if least]

    def _knowledge(self, members: Members) -> Knowledge:
        """What follows from the history."""
        listed = members.marks[self.history.cells + len(self.cells) :]
        least = [least for _, least in self._listed(self._groups)]
        facts = [Fact(group, each, inf) for group, each in zip(listed, least, strict=True)]
        knowledge = Knowledge(members, self.history.rules.k, facts)
        number = 0
        for asked in self.history.asked:
            looked_at = asked.cells(self.history.categories)
            for outcome in asked.outcomes[: len(looked_at)]:
                knowledge.learn(number, outcome)
                number += 1
            knowledge.put_together(_finest(looked_at, asked.outcomes, number - len(looked_at)))
        return knowledge

    def _refused_as_a_whole(self, members: Members | None) -> str | None:
        if self.history.cells + len(self.cells) > self.history.rules.most:
            return "limit"
        return "too-fine" if members is None or sides_of(members) is None else None

    def refused(self) -> list[bool]:
        """By cell: would it be refused?"""
        members = self._members()
        if members is None or self._refused_as_a_whole(members) is not None:
            return [True] * len(self.cells)
        knowledge, first = self._knowledge(members), self.history.cells
        return [knowledge.foreseen(first + place).gives_away for place in range(len(self.cells))]

    def outcomes(self, inside: Inside) -> list[Outcome]:
        """By cell: what is said of the table."""
        members = self._members()
        reason = self._refused_as_a_whole(members)
        if members is None or reason is not None:
            return [Outcome("refused", reason)] * len(self.cells)  # type: ignore[arg-type]
        begin("counting")
        knowledge, first = self._knowledge(members), self.history.cells
        kinds = inside.kinds(members, self.history.categories)
        counts = np.bincount(kinds, minlength=members.marks.shape[1])
        outcomes = []
        for cell in stoppable(range(first, first + len(self.cells))):
            outcome = decided(knowledge, cell, knowledge.foreseen(cell), counts)
            outcomes.append(knowledge.learned(cell, outcome))
        if self.question.mean is None:
            return outcomes
        amounts = inside.amounts(self.question.mean, kinds, self.history.rules.decimals)
        return self._with_means(outcomes, knowledge, amounts)

    def _with_means(self, outcomes: list[Outcome], knowledge: Knowledge, amounts: Amounts) -> list[Outcome]:
        marks, rules = knowledge.members.marks, self.history.rules
        sums, number = SumsTold(), 0
        for asked in self.history.asked:
            for outcome in asked.outcomes[: len(asked.cells(self.history.categories))]:
                if asked.question.mean == self.question.mean and outcome.mean is not None:
                    sums.learn(marks[number], outcome.mean)
                number += 1
        found = []
        for outcome in outcomes:
            mean = mean_of(marks[number], outcome, sums, amounts, Rules(rules.k, rules.percent))
            sums.learn(marks[number], mean)
            found.append(replace(outcome, mean=mean))
            number += 1
        return found

    def answer(self, outcomes: Sequence[Outcome], kind: "FrameKind") -> QueryAnswer:
        """What is given to whoever asked."""
        cells, history = tuple(self.cells), self.history
        return QueryAnswer(self.question, cells, tuple(outcomes), history.rules, history.cells, kind)


def decided(knowledge: Knowledge, cell: int, foreseen: Foreseen, counts: Any) -> Outcome:
    """What is said of a cell: only here is it looked at how many people there are, once it is known that whatever comes
    of it tells nothing of others.
    """
    if foreseen.known is not None:
        is_small = foreseen.known < knowledge.k
        return Outcome("suppressed", "few") if is_small else Outcome("answered", "follows", foreseen.known)
    if foreseen.gives_away:
        return Outcome("refused", "gives-away")
    for place, part in enumerate(foreseen.tested):
        if counts[knowledge.group(part)].sum() < knowledge.k:
            tested = foreseen.tested[: place + 1]
            return Outcome("suppressed", "left-over" if place else "few", tested=tested)
    return Outcome("answered", "told", int(counts[knowledge.members.marks[cell]].sum()))


def _finest(cells: Sequence[Cell], outcomes: Sequence[Outcome], first: int) -> list[int]:
    """The numbers of the cells of a question that are no totals and were answered."""
    most = max((len(cell.labels) for cell in cells), default=0)
    both = enumerate(zip(cells, outcomes, strict=False), start=first)
    return [number for number, (cell, said) in both if len(cell.labels) == most and said.count is not None]


def query(
    source: "Frame | Dataset | SourceTable | str | Sequence[str]",
    by: By,
    *,
    history: str | Path,
    mean: str | None = None,
    where: Mapping[str, Any] | None = None,
    totals: bool = False,
    k: int | None = None,
    percent: float | None = None,
    most: int | None = None,
    person: str | None = None,
    who: str = "",
    approved: str = "",
    hierarchies: Mapping[str, Any] | None = None,
    schema: Schema | str | Mapping[str, Any] | None = None,
    engine: Engine | str = LOCAL,
) -> QueryAnswer:
    """Ask a table that stays inside, against the history of all answers.

    Each cell is answered, suppressed (it has fewer than ``k`` people, or leaves fewer of what was told before) or
    refused (an answer could give away a cell that was not told). Whether it is refused follows from the history and
    the question, never from the data.

    Args:
        source: The table.
        by: Columns; or the level of the hierarchy of each, by number or name.
        history: The private file with all questions and answers; it is begun where there is none.
        mean: A column whose mean is asked for, by cell.
        where: The only records that are asked about: by column a value, some values, or limits.
        totals: Are totals asked for as well?
        k: How many people a cell has at least: 10, or what the history was begun with, as with the next three.
        percent: The p% rule for means, as a share: 0.1.
        most: Cells that may be asked for in all: 1,000.
        person: The column that tells people apart; without it each record is taken for another person.
        who: Who asks.
        approved: Who approved it.
        hierarchies: By column, in the place of the schema's.
        schema: What the columns are.
        engine: Where records are counted.
    """
    place = engine_of(engine)
    table = source if isinstance(source, SourceTable) else SourceTable.open(place.reached(source))
    rules = {"k": k, "percent": percent, "most": most, "person": person}
    desk = QueryDesk(table, Path(history), Schema.load(schema), hierarchies or {}, place, rules)
    return desk.ask(desk.question(by, mean, where, totals), who=who, approved=approved)
