"""What the columns of a table seem to be: a role, a type and the reason for each, for a person to judge."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from biombo._data.inspection.column_names import Meaning, meaning_of
from biombo._data.inspection.column_types import column_type, dates
from biombo._data.inspection.dependencies import Dependencies
from biombo._data.inspection.health_codes import health_values
from biombo._data.inspection.identifiers import Recognised, recognise, valid_share
from biombo._data.inspection.not_values import NotAValue, empty_values, not_values, told
from biombo._data.inspection.profile import ColumnProfile, ValueSample
from biombo._data.inspection.written_by_people import are_names_of_people, is_free_text, of_its_own
from biombo._data.schema import ColumnSchema, ColumnType, Role, Schema
from biombo._errors import shortened
from biombo._i18n import Sentence, said

_NEARLY_EVERY_ROW = 0.95
_MOST_ROWS = 0.8
"""Where so many values are somebody's alone, whoever knows one finds that record."""

_ENOUGH_ROWS = 20
"""In a shorter table, values are unique by chance."""

_LONG_NUMBER = re.compile(r"[\d./-]{8,}")
_QUASI_AT_MOST = 12
"""With more, hardly any of them keeps its detail."""

_POSTAL = re.compile(r"\d{5}-\d{3}")
_CHECKED = ("cpf", "cnpj", "cns")
_OF_ONE_PERSON = ("cpf", "cns", "pseudonym", "record")
_CODES = ("cid10", "sigtap")


@dataclass(frozen=True)
class ColumnEvidence:
    """All that a proposal for one column rests on."""

    profile: ColumnProfile
    sample: ValueSample
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
    def can_identify(self) -> bool:
        """Whether the values can be those of identifiers: many, or at least long numbers."""
        long = [_LONG_NUMBER.fullmatch(value) is not None for value in self.sample.values]
        return self.tells_people_apart or (any(long) and all(long))

    @cached_property
    def not_values(self) -> list[NotAValue]:
        """What is written in it for no value."""
        return not_values(self.sample, self.meaning, self.type)

    @cached_property
    def health(self) -> tuple[str, float] | None:
        """What the values tell of somebody's health, and of how many rows."""
        return health_values(self.sample)

    @cached_property
    def told_apart(self) -> Sentence | None:
        """Why its values would tell people apart, whatever its name says; nothing where they are known codes."""
        if self.rows < _ENOUGH_ROWS or (self.health is not None and self.health[0] in _CODES):
            return None
        if are_names_of_people(self.sample):
            return said("inspect.reason.people")
        if is_free_text(self.profile, self.sample, self.rows):
            return said("inspect.reason.free-text")
        share = of_its_own(self.profile, self.rows)
        return said("inspect.reason.all-differ", share=share) if share >= _MOST_ROWS else None

    @property
    def repeats(self) -> bool:
        """Whether some value stands in several rows."""
        return self.profile.max_frequency > 1


@dataclass(frozen=True)
class RoleProposal:
    """A role and why."""

    role: Role
    why: Sentence
    weak: bool = False
    """Does only the look of the values speak for it?"""
    doubt: Sentence | None = None
    """What in the values speaks against what the name, or some of them, say: then a person decides, nothing else."""


Why = Mapping[str, tuple[Sentence, ...]]
"""By column: the reasons for what is proposed."""


def propose(evidence: Mapping[str, ColumnEvidence], found: Dependencies) -> tuple[Schema, Why]:
    """A schema for the columns that ``evidence`` and the dependencies ``found`` are about, and why."""
    proposals = {name: _proposal(about) for name, about in evidence.items()}
    proposals = _fewer_quasi(proposals)
    proposals = {name: _shared(evidence[name], proposal, proposals, found) for name, proposal in proposals.items()}
    schema = Schema(
        {
            name: ColumnSchema(
                role=proposal.role,
                type="categorical" if proposal.role == "identifier" else evidence[name].type,
                invalid=frozenset(each.value for each in _not_values(proposal, evidence[name])),
            )
            for name, proposal in proposals.items()
        }
    )
    return schema, {name: _full_reason(each, evidence[name], found) for name, each in proposals.items()}


def worded(why: tuple[Sentence, ...]) -> str:
    """Reasons in the language in use."""
    return "; ".join(map(str, why))


def _fewer_quasi(proposals: Mapping[str, RoleProposal]) -> dict[str, RoleProposal]:
    """Of very many quasi columns, those that only look so are for a person to decide on; until then they stay out."""
    if sum(proposal.role == "quasi" for proposal in proposals.values()) <= _QUASI_AT_MOST:
        return dict(proposals)
    left_out = RoleProposal("undecided", said("inspect.reason.date-undecided"))
    return {name: left_out if proposal.weak else proposal for name, proposal in proposals.items()}


def person_column(evidence: Mapping[str, ColumnEvidence], schema: Schema) -> str | None:
    """The identifier that seems to tell which rows are about the same person, where rows are not people."""
    for name in schema.with_role("identifier"):
        about = evidence[name]
        said = about.meaning.key if about.meaning else None
        shown = about.recognised.key if about.recognised else said
        if about.repeats and shown in _OF_ONE_PERSON and said in (None, *_OF_ONE_PERSON):
            return name
    return None


def is_named_identifier(about: ColumnEvidence) -> bool:
    """Do the values, or the column's name, say that it tells who somebody is?"""
    by_name = about.meaning is not None and about.meaning.role == "identifier" and about.can_identify
    return about.recognised is not None or by_name


def _proposal(about: ColumnEvidence) -> RoleProposal:
    """What the first rule that has something to say says: valid values before names, uniqueness last."""
    for rule in _RULES:
        if proposal := rule(about):
            return proposal
    return RoleProposal("undecided", said("inspect.reason.nothing"))


def _by_valid_values(about: ColumnEvidence) -> RoleProposal | None:
    if about.recognised is None:
        return None
    what = said(f"inspect.meaning.{about.recognised.key}")
    return RoleProposal("identifier", said("inspect.reason.validates", what=what, share=about.recognised.share))


def _by_constancy(about: ColumnEvidence) -> RoleProposal | None:
    if about.profile.distinct > 1:
        return None
    return RoleProposal("undecided", said("inspect.reason.constant" if about.sample.values else "inspect.reason.empty"))


def _by_name(about: ColumnEvidence) -> RoleProposal | None:
    meaning = about.meaning
    if meaning is None or (meaning.role == "identifier" and not about.can_identify):
        return None
    if meaning.role == "sensitive" and about.type == "date":
        return None  # when something happened, others may know
    what = said(f"inspect.meaning.{meaning.key}")
    if meaning.key in _CHECKED:
        share = valid_share(meaning.key, about.sample)
        return RoleProposal("identifier", said("inspect.reason.name-only", what=what, share=share))
    return _unless_told_apart(about, RoleProposal(meaning.role, said("inspect.reason.name", what=what)))


def _by_health_values(about: ColumnEvidence) -> RoleProposal | None:
    if about.health is None:
        return None
    key, share = about.health
    what = said(f"inspect.meaning.{key}")
    return _unless_told_apart(about, RoleProposal("sensitive", said("inspect.reason.health", what=what, share=share)))


def _unless_told_apart(about: ColumnEvidence, proposal: RoleProposal) -> RoleProposal:
    """``proposal``; where it would let values out as they are that tell people apart, a person must decide."""
    if proposal.role != "sensitive" or about.told_apart is None:
        return proposal
    return RoleProposal("undecided", proposal.why, doubt=about.told_apart)


def _by_dates(about: ColumnEvidence) -> RoleProposal | None:
    if about.type != "date":
        return None
    first, last = _bulk(dates(about.sample))
    if last.year - first.year >= 20 and last <= date.today():
        return RoleProposal("quasi", said("inspect.reason.birth", first=first.year, last=last.year))
    return RoleProposal("quasi", said("inspect.reason.date"), weak=True)


def _by_postal_codes(about: ColumnEvidence) -> RoleProposal | None:
    holds = [_POSTAL.fullmatch(value) is not None for value in about.sample.values]
    if not holds or sum(holds) < len(holds) / 2:
        return None
    share = about.sample.share_of_rows(holds)
    return RoleProposal("quasi", said("inspect.reason.validates", what=said("inspect.meaning.postal"), share=share))


def _by_uniqueness(about: ColumnEvidence) -> RoleProposal | None:
    share = about.profile.unique_share
    if about.rows < _ENOUGH_ROWS or share < _NEARLY_EVERY_ROW or about.type in ("continuous", "date"):
        return None
    return RoleProposal("identifier", said("inspect.reason.unique", share=share))


_RULES = (
    _by_valid_values,
    _by_constancy,
    _by_name,
    _by_health_values,
    _by_dates,
    _by_postal_codes,
    _by_uniqueness,
)


def _bulk(days: list[date]) -> tuple[date, date]:
    """The dates between which nine in ten lie: a typing error is not a lifetime."""
    ordered = sorted(days)
    return ordered[len(ordered) // 20], ordered[-1 - len(ordered) // 20]


def _shared(
    about: ColumnEvidence, proposal: RoleProposal, proposals: Mapping[str, RoleProposal], found: Dependencies
) -> RoleProposal:
    """``proposal``, or the role of a column that tells the same, when the column's own name and values say nothing."""
    if proposal.role != "undecided" or proposal.doubt is not None:
        return proposal
    for twin in found.same_as(about.profile.name):
        role = proposals[twin].role
        if role != "undecided" and (role != "identifier" or about.tells_people_apart):
            return RoleProposal(proposals[twin].role, said("inspect.reason.twin", column=twin))
    return proposal


def _not_values(proposal: RoleProposal, about: ColumnEvidence) -> list[NotAValue]:
    """What stands for no value. Of an identifier nobody needs to know; in other columns than quasi ones, that nothing
    was written may be what it tells, such as that there was no second diagnosis.
    """
    if proposal.role == "identifier" or not about.sample.values:
        return []
    return about.not_values + (empty_values(about.profile, about.rows) if proposal.role == "quasi" else [])


def _full_reason(proposal: RoleProposal, about: ColumnEvidence, found: Dependencies) -> tuple[Sentence, ...]:
    """The reason for the role, and what else a person should know before agreeing."""
    name, parts = about.profile.name, [proposal.why, *filter(None, [proposal.doubt])]
    if proposal.role != "identifier" and proposal.doubt is None and about.profile.unique_share >= 0.5:
        parts.append(said("inspect.reason.many-unique", share=about.profile.unique_share))
    if same := found.same_as(name):
        parts.append(said("inspect.reason.same", columns=shortened(same, 3)))
    if sources := found.follows_from(name):
        parts.append(said("inspect.reason.follows", columns=shortened(sources, 3)))
    parts.extend(told(_not_values(proposal, about)))
    return tuple(parts)
