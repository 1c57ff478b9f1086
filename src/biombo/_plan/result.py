"""What came of applying a plan."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from biombo._criteria import Count, Judgement, LDiversity, Verdict, WaivedVerdict, as_json, judge
from biombo._data import Dataset
from biombo._engine import Rows, StoreTarget
from biombo._glance import Glance, Result
from biombo._i18n import text
from biombo._plan.columns import as_understood
from biombo._plan.operations import Diversify, Noised, Operation
from biombo._plan.outcome import Outcome
from biombo._plan.privacy.guarantee import Privacy


@dataclass(frozen=True, eq=False)
class LiteralDiversity:
    """The different values per group of a column that was diversified, counted in two ways.

    Criteria are judged on ``understood``; ``literal`` protects only from who does not know the synonyms.
    """

    column: str
    literal: Verdict
    """Every word counts as a value."""
    understood: Verdict
    """Words that mean the same count as one value."""

    def as_json(self) -> dict[str, Any]:
        """The numbers: the fewest values in a group, and the groups that have fewer than were asked for."""
        return {
            "column": self.column,
            "asked": self.literal.criterion.to_tree()["l-diversity"]["l"],
            "literal": {"least": self.literal.achieved, "groups_below": self.literal.groups},
            "understood": {"least": self.understood.achieved, "groups_below": self.understood.groups},
        }

    def __str__(self) -> str:
        """Both in one sentence, in the language in use."""
        literal, understood = self.literal.achieved, self.understood.achieved
        return text("plan.literal-diversity", column=self.column, literal=literal, understood=understood)


def asked_of_words(operations: Sequence[Operation]) -> tuple[LDiversity, ...]:
    """The diversity that operations are to reach in words."""
    diversified = [operation for operation in operations if isinstance(operation, Diversify)]
    return tuple(LDiversity(operation.groups_below, column=operation.column) for operation in diversified)


def literal_diversities(
    data: Dataset, operations: Sequence[Operation], suppressed: Rows
) -> tuple[LiteralDiversity, ...]:
    """Both countings, for each column of ``data`` that was diversified."""
    asked = asked_of_words(operations)
    if not asked:
        return ()
    literal = judge(data, asked, suppressed=suppressed).verdicts
    understood = judge(as_understood(data, operations), asked, suppressed=suppressed).verdicts
    columns = [criterion.column or "" for criterion in asked]
    return tuple(LiteralDiversity(*each) for each in zip(columns, literal, understood, strict=True))


@dataclass(frozen=True, eq=False, repr=False)
class Applied(Result):
    """The result of a plan, and how it stands to the plan's criteria. Made by :func:`biombo.apply`."""

    source: str
    """What the table is called."""
    rows: int
    """Records in the result."""
    suppressed: int
    """Records that were dropped."""
    unhidden: int
    """Of these, the ones that were to be masked, but would not have met the criteria as one group."""
    not_drawn: int
    """Records that are left out because a sample was drawn without them."""
    duplicates: int
    """Records that are left out because another says the same."""
    invalid: int
    """Records that are left out because of a value that is invalid."""
    masked: int
    """Records in the result whose quasi values were replaced."""
    masked_further: int
    """Of the masked, those whose own group met the criteria: they were masked to hide the others."""
    people: Mapping[str, int]
    """By the name of each number of records above: how many people these are about."""
    judgement: Judgement | None
    """How the result stands to the criteria, and to those that were waived; none where the plan has neither. Synonyms
    count as one value."""
    literal_diversities: tuple[LiteralDiversity, ...]
    """For columns that were diversified by synonyms: how diverse they look, beside how diverse they are."""
    pseudonymised: tuple[str, ...]
    """Columns whose values were replaced by pseudonyms; such data are still personal data."""
    unspoken: tuple[str, ...]
    """Columns that were left out because nobody said what they are."""
    identity_tables: tuple[Path, ...]
    """Private files by which whoever holds the key can undo that."""
    noised: tuple[Noised, ...]
    """For how many records values were drawn, where an operation chose them by their groups."""
    privacy: Privacy | None
    """What the noise of the plan guarantees, and what it does not; none where the plan adds none."""
    plan_hash: str
    shuffled: bool
    """Are the records in random order, drawn from the system's secure source of randomness?"""
    out: Path | StoreTarget | None
    """The file with the result."""
    data: Any = field(repr=False)
    """The result itself, where no file was asked for; else None. A pandas table where a pandas one was given, an Arrow
    one where an Arrow one was, else a Polars one."""
    outcome: Outcome = field(repr=False)
    """What became of the records, by their quasi values: what was lost is measured by it. Private."""

    @property
    def holds(self) -> bool:
        """Does the result meet the criteria?"""
        return self.judgement is None or self.judgement.holds

    @property
    def waived(self) -> tuple[WaivedVerdict, ...]:
        """How the result stands to the criteria that were waived; that decides nothing. Private."""
        return () if self.judgement is None else self.judgement.waived

    def _glance(self) -> Glance:
        from biombo._plan.glance import of_applied

        return of_applied(self)

    def count(self, name: str) -> Count:
        """The number of records of this name, with the people behind it."""
        return Count(getattr(self, name), self.people[name])

    def as_json(self) -> dict[str, Any]:
        """The result as plain values, without the records."""
        numbers = (*self.people, "shuffled", "plan_hash")
        return {
            "source": self.source,
            "out": None if self.out is None else str(self.out),
            "records": self.rows,
            **{name: getattr(self, name) for name in numbers},
            "people": dict(self.people),
            "judgement": None if self.judgement is None else as_json(self.judgement),
            "literal_diversities": [each.as_json() for each in self.literal_diversities],
            "noised": [each.as_json() for each in self.noised],
            "privacy": None if self.privacy is None else self.privacy.as_json(),
            "pseudonymised": list(self.pseudonymised),
            "undecided": list(self.unspoken),
            "identity_tables": [str(path) for path in self.identity_tables],
        }
