"""Waivers: somebody accepts, for a written reason, that a criterion is not met. It is never claimed to be."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from biombo._criteria.base import Criterion, SensitiveCriterion
from biombo._documents import (
    ValueKind,
    Where,
    all_entries,
    checked,
    checked_text,
    chosen_entries,
    entries_schema,
    errors_within,
    read_entries,
    register,
    spelled,
)
from biombo._errors import UsageError

Sensitivity = Literal["low", "medium", "high"]
"""How sensitive a value is, by the word of whoever accepts the waiver."""

_VALUES = {"type": "object", "additionalProperties": {"enum": ["low", "medium", "high"]}}


def _as_it_stands(value: Any, _where: Where) -> Any:
    """The values are checked where a waiver is made."""
    return value


@dataclass(frozen=True)
class Waiver:
    """A criterion on sensitive values that need not be met: who accepts that, and why.

    It is judged all the same, and decides nothing. Group sizes are never waived: ask for a smaller k instead.

    >>> from biombo._criteria import LDiversity
    >>> waiver = Waiver(LDiversity(2, column="group"), reason="age bands", accepted_by="Ana", values={"60+": "low"})
    >>> print(waiver.criterion, waiver.values)
    distinct l-diversity with l = 2, for group {'60+': 'low'}
    """

    criterion: SensitiveCriterion
    """What is waived, for the one column that it names."""
    reason: str
    """Why, for everybody to read: it stands in public files."""
    accepted_by: str
    """Who accepts it; stays at home."""
    values: Mapping[str, Sensitivity] = field(
        default_factory=dict, hash=False, metadata=spelled(read=_as_it_stands, schema=_VALUES)
    )
    """The values of groups that fail, as they are written, and how sensitive each is; an empty text is a missing one.
    What somebody did not list was not accepted."""

    def __post_init__(self) -> None:
        checked(SensitiveCriterion, "criterion", self.criterion)
        if self.criterion.column is None:
            raise UsageError("criteria.waiver-column", criterion=self.criterion)
        object.__setattr__(self, "reason", _one_line("reason", self.reason))
        object.__setattr__(self, "accepted_by", _one_line("accepted-by", self.accepted_by))
        object.__setattr__(self, "values", _checked_values(self.values))

    @property
    def column(self) -> str:
        """The sensitive column that it is about."""
        (column,) = self.criterion.about(())
        return column


class WaiverError(UsageError):
    """Groups that fail a waived criterion have values that the waiver does not list. Nothing was written."""

    unlisted: tuple[str, ...] = ()
    """These values, as they are written. Private: they are what some group has in common."""

    @classmethod
    def of(cls, waiver: Waiver, unlisted: Iterable[str]) -> "WaiverError":
        """The refusal of a waiver that does not list these values; its sentence does not tell them."""
        error = cls("criteria.unlisted", criterion=waiver.criterion, column=waiver.column)
        error.unlisted = tuple(unlisted)
        return error


def includes(asked: Criterion, waived: SensitiveCriterion, quasi: Sequence[str]) -> bool:
    """Does ``asked`` ask for what is ``waived``, of this column alone or of all? ``quasi`` are the columns in use, by
    which the groups of a criterion are that names none.

    >>> from biombo._criteria import LDiversity
    >>> waived = LDiversity(2, column="group", quasi=["age"])
    >>> includes(LDiversity(2), waived, ["age"]), includes(LDiversity(2), waived, ["age", "sex"])
    (True, False)
    """
    if not isinstance(asked, SensitiveCriterion) or asked.column not in (None, waived.column):
        return False
    by_asked, by_waived = ({*(quasi if each.quasi is None else each.quasi)} for each in (asked, waived))
    return type(asked) is type(waived) and by_asked == by_waived and _bounds(asked) == _bounds(waived)


def waiver_list(waivers: Waiver | Sequence[Waiver]) -> tuple[Waiver, ...]:
    """The waivers, of which there may be none."""
    listed = tuple(waivers) if isinstance(waivers, Iterable) else (waivers,)
    return tuple(checked(Waiver, "waived", each) for each in listed)


def refuse_contradictions(asked: Iterable[Criterion], waivers: Sequence[Waiver], quasi: Sequence[str]) -> None:
    """Refuse what is both asked for and waived, and what is waived twice; ``quasi`` are the columns in use."""
    for place, waiver in enumerate(waivers):
        if any(includes(each, waiver.criterion, quasi) for each in asked):
            raise UsageError("criteria.asked-and-waived", criterion=waiver.criterion)
        if any(includes(each.criterion, waiver.criterion, quasi) for each in waivers[:place]):
            raise UsageError("criteria.waived-twice", criterion=waiver.criterion)


def _bounds(criterion: Criterion) -> dict[str, Any]:
    """What is asked, whatever the columns are."""
    return {entry: value for entry, value in all_entries(criterion).items() if entry not in ("column", "quasi")}


def _one_line(entry: str, words: Any) -> str:
    """A text for sentences and tables, wherever its lines were broken in a file."""
    return " ".join(checked_text(entry, words).split())


def _checked_values(values: Any) -> dict[str, Sensitivity]:
    if not isinstance(values, Mapping) or not all(isinstance(value, str) for value in values):
        raise UsageError("criteria.waiver-values", value=values)
    return {value: checked(Sensitivity, f"values: {value}", how) for value, how in values.items()}


def _read(tree: Any, where: Where) -> Waiver:
    with errors_within("criteria.in-waiver", place=where.place):
        return read_entries(Waiver, tree, where.folder)


register(
    Waiver, ValueKind(_read, chosen_entries, all_entries, lambda: entries_schema(Waiver), refusal="criteria.no-waiver")
)
