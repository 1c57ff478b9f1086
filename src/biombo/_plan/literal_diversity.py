"""How diverse sensitive values look, beside how diverse they are for whoever knows the synonyms."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from biombo._criteria import LDiversity, Verdict, judge
from biombo._data import Dataset
from biombo._engine import Rows
from biombo._i18n import text
from biombo._plan.judged import as_understood
from biombo._plan.operations import Diversify, Operation


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
