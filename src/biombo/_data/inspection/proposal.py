"""What the columns of a table seem to be: a role, a type and the reason for each, for a person to judge."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from biombo._data.inspection.column_names import Meaning, meaning_of
from biombo._data.inspection.column_types import column_type, dates
from biombo._data.inspection.dependencies import Dependencies
from biombo._data.inspection.identifiers import Recognised, recognise, valid_share
from biombo._data.inspection.profile import ColumnProfile, Sample
from biombo._data.schema import ColumnSchema, ColumnType, Role, Schema
from biombo._errors import shortened
from biombo._i18n import text

_NEARLY_EVERY_ROW = 0.95
_ENOUGH_ROWS = 20
"""In a shorter table, values are unique by chance."""

_POSTAL = re.compile(r"\d{5}-\d{3}")
_CHECKED = ("cpf", "cnpj", "cns")
_OF_ONE_PERSON = ("cpf", "cns", "pseudonym", "record")


@dataclass(frozen=True)
class Evidence:
    """All that a proposal for one column rests on."""

    profile: ColumnProfile
    sample: Sample
    rows: int

    @cached_property
    def meaning(self) -> Meaning | None:
        """What the column's name says."""
        return meaning_of(self.profile.name)

    @cached_property
    def type(self) -> ColumnType:
        """What the values look like."""
        return column_type(self.sample, self.meaning.type if self.meaning else None)

    @cached_property
    def recognised(self) -> Recognised | None:
        """The kind of identifier that the values are."""
        return recognise(self.sample)

    @property
    def tells_people_apart(self) -> bool:
        """Whether there are too many values for a flag or a category such as "has a phone"."""
        return self.profile.distinct > min(10, self.rows // 3)

    @property
    def repeats(self) -> bool:
        """Whether some value stands in several rows."""
        return self.profile.max_frequency > 1


@dataclass(frozen=True)
class Verdict:
    """A role and why."""

    role: Role
    reason: str


def propose(evidence: Mapping[str, Evidence], found: Dependencies) -> Schema:
    """A schema for the columns that ``evidence`` and the dependencies ``found`` are about."""
    verdicts = {name: _verdict(about) for name, about in evidence.items()}
    verdicts = {name: _shared(name, verdict, verdicts, found) for name, verdict in verdicts.items()}
    return Schema(
        {
            name: ColumnSchema(
                role=verdict.role,
                type="categorical" if verdict.role == "identifier" else evidence[name].type,
                reason=_full_reason(verdict, evidence[name], found),
            )
            for name, verdict in verdicts.items()
        }
    )


def person_column(evidence: Mapping[str, Evidence], schema: Schema) -> str | None:
    """The identifier that seems to tell which rows are about the same person, where rows are not people."""
    for name in schema.with_role("identifier"):
        about = evidence[name]
        said = about.meaning.key if about.meaning else None
        shown = about.recognised.key if about.recognised else said
        if about.repeats and shown in _OF_ONE_PERSON and said in (None, *_OF_ONE_PERSON):
            return name
    return None


def is_named_identifier(about: Evidence) -> bool:
    """Do the values, or the column's name, say that it tells who somebody is?"""
    by_name = about.meaning is not None and about.meaning.role == "identifier" and about.tells_people_apart
    return about.recognised is not None or by_name


def _verdict(about: Evidence) -> Verdict:
    """What the first rule that has something to say says: valid values before names, uniqueness last."""
    for rule in (_by_valid_values, _by_constancy, _by_name, _by_dates, _by_postal_codes, _by_uniqueness):
        if verdict := rule(about):
            return verdict
    return Verdict("undecided", text("inspect.reason.nothing"))


def _by_valid_values(about: Evidence) -> Verdict | None:
    if about.recognised is None:
        return None
    what = text(f"inspect.meaning.{about.recognised.key}")
    return Verdict("identifier", text("inspect.reason.validates", what=what, share=about.recognised.share))


def _by_constancy(about: Evidence) -> Verdict | None:
    if about.profile.distinct > 1:
        return None
    return Verdict("undecided", text("inspect.reason.constant" if about.sample.values else "inspect.reason.empty"))


def _by_name(about: Evidence) -> Verdict | None:
    meaning = about.meaning
    if meaning is None or (meaning.role == "identifier" and not about.tells_people_apart):
        return None
    what = text(f"inspect.meaning.{meaning.key}")
    if meaning.key in _CHECKED:
        share = valid_share(meaning.key, about.sample)
        return Verdict("identifier", text("inspect.reason.name-only", what=what, share=share))
    return Verdict(meaning.role, text("inspect.reason.name", what=what))


def _by_dates(about: Evidence) -> Verdict | None:
    if about.type != "date":
        return None
    first, last = _bulk(dates(about.sample))
    if last.year - first.year >= 20 and last <= date.today():
        return Verdict("quasi", text("inspect.reason.birth", first=first.year, last=last.year))
    return Verdict("quasi", text("inspect.reason.date"))


def _by_postal_codes(about: Evidence) -> Verdict | None:
    holds = [_POSTAL.fullmatch(value) is not None for value in about.sample.values]
    if not holds or sum(holds) < len(holds) / 2:
        return None
    share = about.sample.share_of_rows(holds)
    return Verdict("quasi", text("inspect.reason.validates", what=text("inspect.meaning.postal"), share=share))


def _by_uniqueness(about: Evidence) -> Verdict | None:
    share = about.profile.unique_share
    if about.rows < _ENOUGH_ROWS or share < _NEARLY_EVERY_ROW or about.type in ("continuous", "date"):
        return None
    return Verdict("identifier", text("inspect.reason.unique", share=share))


def _bulk(days: list[date]) -> tuple[date, date]:
    """The dates between which nine in ten lie: a typing error is not a lifetime."""
    ordered = sorted(days)
    return ordered[len(ordered) // 20], ordered[-1 - len(ordered) // 20]


def _shared(name: str, verdict: Verdict, verdicts: Mapping[str, Verdict], found: Dependencies) -> Verdict:
    """``verdict``, or the role of a column that tells the same, when the column's own name and values say nothing."""
    if verdict.role != "undecided":
        return verdict
    for twin in found.same_as(name):
        if verdicts[twin].role != "undecided":
            return Verdict(verdicts[twin].role, text("inspect.reason.twin", column=twin))
    return verdict


def _full_reason(verdict: Verdict, about: Evidence, found: Dependencies) -> str:
    """The reason for the role, and what else a person should know before agreeing."""
    name, parts = about.profile.name, [verdict.reason]
    if verdict.role != "identifier" and about.profile.unique_share >= 0.5:
        parts.append(text("inspect.reason.many-unique", share=about.profile.unique_share))
    if same := found.same_as(name):
        parts.append(text("inspect.reason.same", columns=shortened(same, 3)))
    if sources := found.follows_from(name):
        parts.append(text("inspect.reason.follows", columns=shortened(sources, 3)))
    return "; ".join(parts)
