"""What whoever has read all answers knows of groups of people, and whether one more would tell too much.

Nothing here has seen the data. Whether a question is refused follows from what was asked and answered before, and from
the question, so that a refusal tells nothing (simulatable auditing: Kenthapadi, Mishra & Nissim 2005).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil, floor, inf

import numpy as np

from biombo._errors import UsageError
from biombo._query.consequences import Consequences, sides_of
from biombo._query.members import Members
from biombo._query.outcome import Outcome, Part
from biombo._tabulate import Marks, Numbers, Places, Program, System

_EXACT = 1e-6


@dataclass(frozen=True, eq=False)
class Fact:
    """How many people are in a group: so many at least, and at most."""

    group: Marks
    low: float
    high: float

    @cached_property
    def places(self) -> Places:
        """The kinds of people that the group has."""
        return np.flatnonzero(self.group)


@dataclass(frozen=True)
class Foreseen:
    """What can be said of a cell before anybody has looked at the data."""

    known: int | None = None
    """How many people it has, where that follows from earlier answers."""
    tested: tuple[Part, ...] = ()
    """The groups that must have k people so that it is answered: itself, and what it leaves of others."""
    gives_away: bool = False
    """Could its answer, or its being suppressed, tell too much, whatever the data are?"""


@dataclass(eq=False)
class Knowledge:
    """All that follows from answers, as sums of unknown numbers of people of each kind."""

    members: Members
    k: int
    facts: list[Fact] = field(default_factory=list)
    told: dict[int, int] = field(default_factory=dict)
    """By cell that was answered: how many people it has."""
    together: list[tuple[int, ...]] = field(default_factory=list)
    """Cells of one question that were answered and have nobody in common."""
    small: list[Marks] = field(default_factory=list)
    """Groups that are known to have fewer than k: whether there is anybody in them must stay in doubt."""
    unasked: list[Marks] = field(default_factory=list)
    """Groups that were refused: that they have fewer than k must stay in doubt."""
    _all: tuple[int, Program] | None = None

    @cached_property
    def _consequences(self) -> Consequences | None:
        """What follows from answers by adding and subtracting; none where there is too much to look at."""
        sides = sides_of(self.members)
        return None if sides is None else Consequences(self.members, sides)

    def group(self, part: Part) -> Marks:
        """The kinds of people that a part has."""
        marks = self.members.marks
        whole = (
            self.members.named({column: frozenset(values) for column, values in part.named})
            if part.named
            else marks[[*part.of]].any(axis=0)
        )
        return np.asarray(whole & ~marks[[*part.less]].any(axis=0))

    def foreseen(self, cell: int) -> Foreseen:
        """What can be said of a cell that nobody has looked at."""
        group = self.members.marks[cell]
        least, most = self._known(group)
        if most - least < _EXACT:
            return Foreseen(known=round(least))
        if self._consequences is None:
            return Foreseen(gives_away=True)
        self._consequences.learn([*self.told])
        tested = tuple(self._tests(cell, self._consequences.of(cell)))
        return Foreseen(tested=tested, gives_away=not self._is_safe(group, tested))

    def learn(self, cell: int, outcome: Outcome) -> None:
        """Take in what was said of a cell."""
        group = self.members.marks[cell]
        if outcome.count is not None:
            self.told[cell] = outcome.count
            self.facts.append(Fact(group, outcome.count, outcome.count))
        elif outcome.status == "refused":
            self.unasked += [group] * outcome.stays_in_doubt
        elif outcome.tested:
            *large, few = map(self.group, outcome.tested)
            self.facts += [*(Fact(each, self.k, inf) for each in large), Fact(few, 0, self.k - 1)]
            self.small += [few] * outcome.stays_in_doubt

    def learned(self, cell: int, outcome: Outcome) -> Outcome:
        """The outcome, noting whether what it is about is in doubt: of what was known before, nothing is kept."""
        if outcome.count is None:
            few = outcome.tested[-1] if outcome.tested else Part((cell,))
            least, most = self._known(self.group(few))
            is_refused = outcome.status == "refused"
            in_doubt = most >= self.k - _EXACT if is_refused else least <= _EXACT and most >= 1 - _EXACT
            outcome = replace(outcome, stays_in_doubt=in_doubt)
        self.learn(cell, outcome)
        return outcome

    def put_together(self, cells: Sequence[int]) -> None:
        """Note that some cells, which were answered, have nobody in common: what they have together is known."""
        self.together += [tuple(cells)] * (len(cells) > 1)

    def _tests(self, cell: int, follows: Sequence[Part]) -> Iterator[Part]:
        """The cell, and the least that it leaves of groups around it, or that those within leave of it, or that follows
        of others.
        """
        group = self.members.marks[cell]
        yield Part((cell,))
        left: dict[bytes, tuple[Marks, Part]] = {}
        for told in [*((each,) for each in self.told), *self.together]:
            whole = self.group(Part(told))
            if (group & ~whole).any() and (whole & ~group).any():
                continue
            of, less = ((cell,), told) if (group & ~whole).any() else (told, (cell,))
            part = self._without_told(Part(of, less))
            if (marks := self.group(part)).any():
                left.setdefault(marks.tobytes(), (marks, part))
        for part in map(self._without_told, follows):
            if (marks := self.group(part)).any():
                left.setdefault(marks.tobytes(), (marks, part))
        smallest = sorted(left.values(), key=lambda each: int(each[0].sum()))
        kept: list[Marks] = []
        for marks, part in smallest:
            if not any((within & marks).sum() == within.sum() for within in kept):
                kept.append(marks)
                yield part

    def _without_told(self, part: Part) -> Part:
        """A part without the groups in it whose number is known, the largest first."""
        left, less = self.group(part), [*part.less]
        for cell in sorted(self.told, key=lambda cell: (-int(self.members.marks[cell].sum()), cell)):
            marks = self.members.marks[cell]
            if marks.any() and not (marks & ~left).any() and cell not in part.of:
                left, less = left & ~marks, [*less, cell]
        return replace(part, less=tuple(less))

    def _is_safe(self, group: Marks, tested: Sequence[Part]) -> bool:
        """Does everything stay in doubt that must, whatever comes of the tests and whatever the answer is?

        The least that a group can have is a convex function of the answer and the most a concave one, so that both ends
        of the answers that there could be say it of all between. Where there is no end, what grows for ever would have
        to exceed k - 1, so that the first end says it of all.
        """
        facts = [*self.facts]
        for part in tested:
            few = self.group(part)
            was_known = self._known(few)[1] <= self.k - 1 + _EXACT
            if not self._stays_in_doubt([*facts, Fact(few, 0, self.k - 1)], [] if was_known else [few]):
                return False
            facts.append(Fact(few, self.k, inf))
        return all(self._stays_in_doubt([*facts, Fact(group, end, end)], []) for end in self._ends(facts, group))

    def _ends(self, facts: Sequence[Fact], group: Marks) -> list[float]:
        """The least and the most that the answer can be; none where there can be no answer, or nothing to be feared."""
        if not self.small and not self.unasked:
            return []
        program, places = self._program(facts, inf), np.flatnonzero(group)
        try:
            least, most = program.least(places), program.most(places)
        except UsageError:
            return []
        return [end for end in (ceil(least - _EXACT), floor(most + _EXACT) if most < inf else inf) if end < inf]

    def _known(self, group: Marks) -> tuple[float, float]:
        """The least and the most that a group can have, by all facts."""
        if self._all is None or self._all[0] != len(self.facts):
            self._all = len(self.facts), self._program(self.facts, inf)
        places = np.flatnonzero(group)
        return self._all[1].least(places), self._all[1].most(places)

    def _stays_in_doubt(self, facts: Sequence[Fact], few: Sequence[Marks]) -> bool:
        """Is all in doubt that must be? Nothing is to be feared of facts that cannot be."""
        small = [*self.small, *few]
        if not small and not self.unasked:
            return True
        most = self.k + max((fact.low for fact in facts), default=0.0)
        program = self._program(facts, most)
        try:
            program.least([])
        except UsageError:
            return True
        return (
            _all_found(small, program.least, program, lambda people: people <= _EXACT)
            and _all_found(small, program.most, program, lambda people: people >= 1 - _EXACT)
            and _all_found(self.unasked, program.most, program, lambda people: people >= self.k - _EXACT)
        )

    def _program(self, facts: Sequence[Fact], most: float) -> Program:
        kinds = self.members.marks.shape[1]
        low, high = (np.array([getattr(fact, end) for fact in facts], np.float64) for end in ("low", "high"))
        sums = [fact.places for fact in facts]
        return Program(System.of_sums(sums, low, high, np.zeros(kinds), np.full(kinds, most)))


def _all_found(
    groups: Sequence[Marks],
    end: Callable[[Places, Numbers], float],
    program: Program,
    is_found: Callable[[float], bool],
) -> bool:
    """Is there, for each group, a way for things to be in which it has what is looked for? Ends are looked for of all
    groups together, and of one alone where these show none further.
    """
    left = [*groups]
    while left:
        weights = np.asarray(np.sum(left, axis=0), np.float64)
        missing = _missing(left, end, program, is_found, weights)
        if len(missing) == len(left):
            missing = _missing(left, end, program, is_found, left[0].astype(np.float64))
            if missing and missing[0] is left[0]:
                return False
        left = missing
    return True


def _missing(
    groups: Sequence[Marks],
    end: Callable[[Places, Numbers], float],
    program: Program,
    is_found: Callable[[float], bool],
    weights: Numbers,
) -> list[Marks]:
    """The groups that do not have what is looked for at one end."""
    places = np.flatnonzero(weights).astype(np.int64)
    end(places, weights[places])
    point = program.point
    return [group for group in groups if not is_found(float(point[group].sum()))]
