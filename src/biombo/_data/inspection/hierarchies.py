"""How the values of a column can be told less exactly: a hierarchy for each, and why, for a person to judge."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from biombo._data.columns_read_off import read_off
from biombo._data.dataset import Column, Dataset
from biombo._data.inspection.bands import bands_for
from biombo._data.inspection.column_names import Meaning, meaning_of, words_of
from biombo._data.inspection.dependencies import Dependencies
from biombo._data.inspection.few_people import FEWEST, all_but_few, different, passed_over, share_of
from biombo._data.inspection.fewer_levels import fewer_levels
from biombo._data.inspection.profile import Counts, first_of_each
from biombo._data.plain import written
from biombo._data.schema import ColumnSchema, Schema
from biombo._errors import BiomboError
from biombo._hierarchy import DateHierarchy, Hierarchy
from biombo._i18n import Sentence, said

Document = str | dict[str, Any]
"""A hierarchy as a schema holds it: the name of a built-in one, or its entries."""

MOST_LOOKED_AT = 50_000
"""Of more different values only so many are read, and the others get a place of their own in any case."""

_MOST = 0.9
"""The share of values that must be as expected: files have typing errors."""
_LISTED = 0.8
_HANDFUL = 20
_FEW_NUMBERS = 10
_PLAUSIBLE_YEARS = (1850, 2150)
_SHORT_PERIOD = 3
"""Dates within so many years are told by quarters, not by decades."""

_DATE_NAMES = {
    "YYYY-MM-DD": "date",
    "DD/MM/YYYY": "date-dmy",
    "YYYYMMDD": "date-digits",
    "DDMMYYYY": "date-dmy-digits",
    "YYYYMM": "month-digits",
    "YYYY-MM": None,
    "MM/YYYY": None,
    "YYYY": None,
}
"""How dates are written, and the built-in hierarchy of dates that are written so."""
DATE_FORMATS = tuple(_DATE_NAMES)
_OF_YEARS = ("period", "birth")
_TABLES = ("municipality", "cid10", "sigtap", "cbo")
_PLACES = ("municipality", "state")
_WITHOUT_ORDER = ("facility", "race", "education", "sex", "marital", "family", "sexuality", "belief")
"""What codes are about whose first characters mean nothing."""


@dataclass(frozen=True)
class HierarchyProposal:
    """A hierarchy for a column, or none, and why."""

    document: Document | None
    """As a schema holds it."""
    why: Sentence
    hierarchy: Hierarchy | None = None
    """The same, read."""
    example: tuple[str, ...] = ()
    """A frequent value, and what becomes of it from level to level."""

    @property
    def reason(self) -> str:
        """Why, in the language in use."""
        return str(self.why)

    @property
    def levels(self) -> tuple[str, ...]:
        """What levels 1, 2, … are, in the language in use."""
        hierarchy = self.hierarchy
        return () if hierarchy is None else tuple(map(hierarchy.level_label, range(1, hierarchy.height + 1)))


def propose_hierarchies(
    data: Dataset, schema: Schema, counts: Mapping[str, Counts], found: Dependencies, person: str | None = None
) -> dict[str, HierarchyProposal]:
    """A proposal for each quasi column of ``schema``, and for sensitive ones whose codes are known. Nothing that few
    people have decides; where a column tells the ``person``, each counts once.
    """
    people = counts if person is None else first_of_each(data, person)
    values = {
        name: _Values.of(column, counts[name], people[name], schema[name]) for name, column in data.columns.items()
    }
    table = _Table(data, schema, values, found)
    quasi = _with_fewer_levels({name: table.proposal(name) for name in schema.quasi}, values)
    sensitive = {name: _by_tables(table.values[name]) for name in schema.sensitive}
    return quasi | {name: proposal for name, proposal in sensitive.items() if proposal is not None}


def built_in_for(data: Dataset, name: str) -> str | None:
    """The built-in hierarchy that a column's values and name speak for, if one does.

    >>> import polars as pl
    >>> from biombo._data.reader import read
    >>> data = read(pl.DataFrame({"idade": [n % 90 for n in range(900)], "cor": ["1", "2", "3"] * 300}))
    >>> built_in_for(data, "idade"), built_in_for(data, "cor")
    ('age', None)
    """
    column = data[name]
    records = np.bincount(column.codes, data.counts, column.cardinality).astype(np.int64)
    about = _Values.of(column, records, records, data.schema[name])
    proposal = next(filter(None, (rule(about) for rule in (_by_dates, _by_ages, _by_tables))), None)
    document = None if proposal is None else proposal.document
    named = document.get("name") if isinstance(document, dict) else document
    return None if named is None else str(named)


def _with_fewer_levels(
    proposals: dict[str, HierarchyProposal], values: Mapping[str, "_Values"]
) -> dict[str, HierarchyProposal]:
    """The proposals, with so many levels that a search can try all combinations."""
    hierarchies = {name: each.hierarchy for name, each in proposals.items() if each.hierarchy is not None}
    known = {name: dict(zip(values[name].values, values[name].people, strict=True)) for name in hierarchies}
    left = fewer_levels(hierarchies, known, others=len(proposals) - len(hierarchies))
    return {name: _picked(each, left.get(name), values[name]) for name, each in proposals.items()}


def _picked(proposal: HierarchyProposal, levels: Sequence[int] | None, about: "_Values") -> HierarchyProposal:
    document, hierarchy = proposal.document, proposal.hierarchy
    if document is None or hierarchy is None or levels is None or len(levels) == hierarchy.height:
        return proposal
    if not levels:
        return _proposed(about, {"kind": "all-or-nothing"}, said("inspect.hierarchy.fewer", reason=proposal.why))
    names = [hierarchy.level_names[level - 1] for level in levels]
    entries = {"kind": "built-in", "name": document} if isinstance(document, str) else document
    only = list(levels) if None in names else names
    picked = hierarchy.strict.picked(levels).answering("own-branch" if "missing" in entries else "stop")
    why = said("inspect.hierarchy.fewer", reason=proposal.why)
    return HierarchyProposal({**entries, "only": only}, why, picked, _example(about, picked))


def with_hierarchies(schema: Schema, proposals: Mapping[str, HierarchyProposal]) -> Schema:
    """The schema with what is proposed."""
    proposed = {name: replace(schema[name], hierarchy=each.document) for name, each in proposals.items()}
    return replace(schema, columns={name: proposed.get(name, column) for name, column in schema.columns.items()})


@dataclass(frozen=True)
class _Values:
    """The different values of a column that mean something, with how many people have each."""

    name: str
    described: ColumnSchema
    values: tuple[str, ...]
    people: tuple[int, ...]
    odd: tuple[str, ...]
    """Values of blanks alone."""
    whole: bool
    """Are these all of them?"""

    @classmethod
    def of(cls, column: Column, counts: Counts, people: Counts, described: ColumnSchema) -> "_Values":
        codes = np.flatnonzero(counts)[: MOST_LOOKED_AT + 1]
        met = written(column.values.gather(codes)).to_list()
        meant = [
            (value, int(people[code]))
            for value, code in zip(met, codes.tolist(), strict=True)
            if value is not None and value not in described.invalid
        ][:MOST_LOOKED_AT]
        blank = tuple(value for value, _ in meant if not value.strip())
        meant = [(value, number) for value, number in meant if value.strip()]
        return cls(
            column.name,
            described,
            tuple(value for value, _ in meant),
            tuple(number for _, number in meant),
            blank,
            whole=len(codes) <= MOST_LOOKED_AT,
        )

    @cached_property
    def meaning(self) -> Meaning | None:
        """What the name says."""
        return meaning_of(self.name)

    def means(self, *keys: str) -> bool:
        """Does the name speak of one of these?"""
        return self.meaning is not None and self.meaning.key in keys

    @cached_property
    def different(self) -> int:
        """How many values there are, those of few people aside."""
        return different(self.people)

    def share(self, holds: Callable[[str], bool]) -> float:
        """The share of the different values of which that holds, those of few people aside."""
        return share_of(list(map(holds, self.values)), self.people)

    def share_of_people(self, holds: Callable[[str], bool]) -> float:
        """The share of the people of whose value that holds."""
        met = sum(number for value, number in zip(self.values, self.people, strict=True) if holds(value))
        return met / max(sum(self.people), 1)

    def all_but_few(self, holds: Callable[[str], bool]) -> bool:
        """Does it hold of the values of all people, few aside?"""
        return all_but_few(list(map(holds, self.values)), self.people)

    @property
    def frequent_first(self) -> list[str]:
        """The values, those of most people first."""
        return [value for _, value in sorted(zip(self.people, self.values, strict=True), key=lambda pair: -pair[0])]


@dataclass(frozen=True)
class _Table:
    data: Dataset
    schema: Schema
    values: Mapping[str, _Values]
    found: Dependencies

    def proposal(self, name: str) -> HierarchyProposal:
        """The first rule that has something to say says."""
        about = self.values[name]
        for rule in (_by_dates, self._by_ages, _by_tables, self._by_columns, _by_numbers, _by_few, _by_prefixes):
            if proposal := rule(about):
                return proposal
        return HierarchyProposal(None, said("inspect.hierarchy.nothing"))

    def _by_ages(self, about: _Values) -> HierarchyProposal | None:
        proposal = _by_ages(about)
        unit = next((each for each in self.values if words_of(each) == "cod idade" and each != about.name), None)
        if proposal is None or proposal.document == "coded-age" or unit is None:
            return proposal
        return replace(proposal, why=said("inspect.hierarchy.age-unit", reason=proposal.why, column=unit))

    def _by_columns(self, about: _Values) -> HierarchyProposal | None:
        """Other columns that follow from this one: a place that is in a list, or coarser ones of the same meaning."""
        determined = self._determined_by(about)
        for name in determined:
            if (place := self._place(name)) is not None:
                return self._read_off(about, [name], place)
        few = [name for name in determined if self.values[name].different <= about.different / 2]
        chain: list[str] = []
        for name in few:
            alike = about.meaning is not None and self.values[name].means(about.meaning.key)
            if alike and (not chain or chain[-1] in self.found.determined_by.get(name, ())):
                chain.append(name)
        return self._read_off(about, chain, None) if chain else None

    def _determined_by(self, about: _Values) -> list[str]:
        """The columns that tell less than this one and may be released, those that tell most first."""
        coarser = [
            name
            for name, sources in self.found.determined_by.items()
            if about.name in sources
            and self.schema[name].role in ("quasi", "other")
            and self.values[name].different < about.different
        ]
        return sorted(coarser, key=lambda name: -self.values[name].different)

    def _place(self, name: str) -> str | None:
        found = _by_tables(self.values[name])
        document = None if found is None else found.document
        known = document if isinstance(document, str) else (document or {}).get("name")
        return known if known in _PLACES else None

    def _read_off(self, about: _Values, columns: list[str], then: str | None) -> HierarchyProposal | None:
        document: dict[str, Any] = {"kind": "columns", "columns": columns} | ({"then": then} if then else {})
        try:
            hierarchy = read_off(self.data, about.name, Hierarchy.load(document))
        except BiomboError:  # not all rows were looked at, or groups overlap
            return None
        why = said("inspect.hierarchy.columns", columns=", ".join(columns))
        return HierarchyProposal(document, why, hierarchy, _example(about, hierarchy))


def _proposed(about: _Values, document: Document, why: Sentence) -> HierarchyProposal:
    """The proposal with an answer for values that the hierarchy lacks, so that no search stops at them."""
    hierarchy = Hierarchy.load(document)
    lacking = [value for value in (*about.values, *about.odd) if not hierarchy.knows(value)]
    if lacking or not about.whole:
        entries = {"kind": "built-in", "name": document} if isinstance(document, str) else document
        document = {**entries, "missing": "own-branch"}
        hierarchy = hierarchy.answering("own-branch")
    if lacking:
        why = said("inspect.hierarchy.lacking", reason=why, count=len(lacking))
    return HierarchyProposal(document, why, hierarchy, _example(about, hierarchy))


def _example(about: _Values, hierarchy: Hierarchy) -> tuple[str, ...]:
    """What becomes of a frequent value that changes at each level, as far as any does."""
    paths = [(value, *(hierarchy.strict.ancestors(value) or ())) for value in about.frequent_first[:100]]
    return max(paths, key=lambda path: len(set(path)), default=())


def _by_dates(about: _Values) -> HierarchyProposal | None:
    for written_so, named in _DATE_NAMES.items():
        if written_so == "YYYY" and not about.means(*_OF_YEARS):
            continue
        years = DateHierarchy(("year",) if written_so != "YYYY" else ("5 years",), format=written_so)
        told = {value: _year(years, value) for value in about.values}
        if about.values and about.share(lambda value, told=told: told[value] is not None) >= _MOST:  # type: ignore[misc]
            periods = _periods(
                [(told[value], number) for value, number in zip(about.values, about.people, strict=True)]
            )
            document = _dates(written_so, named, periods)
            return _proposed(about, document, said("inspect.hierarchy.date", format=said(_FORMATS[written_so])))
    return None


_FORMATS = {each: f"inspect.date-format.{each.replace('/', '-')}" for each in _DATE_NAMES}


def _year(hierarchy: DateHierarchy, value: str) -> int | None:
    above = hierarchy.ancestors(value)
    year = None if above is None else int(above[0][:4])
    return year if year is not None and _PLAUSIBLE_YEARS[0] <= year <= _PLAUSIBLE_YEARS[1] else None


Periods = Literal["short", "long", "either"]


def _periods(years: Sequence[tuple[int | None, int]]) -> Periods:
    """Do nine in ten people lie within a few years? Either, where nine people could make it so or otherwise."""
    read = sorted((year, number) for year, number in years if year is not None)
    ends = np.cumsum([number for _, number in read])
    people = int(ends[-1]) if len(ends) else 0
    outside = max(people // 20, min(2 * FEWEST, people // 4))

    def spread(more: int) -> int:
        ranks = outside - more, people + 1 - outside + more
        first, last = (read[int(np.searchsorted(ends, max(1, min(rank, people))))][0] for rank in ranks)
        return last - first

    found = {spread(more) < _SHORT_PERIOD for more in (-passed_over(people), passed_over(people))}
    return "either" if len(found) > 1 else "short" if found == {True} else "long"


def _dates(written_so: str, named: str | None, periods: Periods) -> Document:
    if named is not None and periods == "long":
        return named
    short, long = ["quarter", "year"], ["year", "5 years", "10 years"]
    steps = {"short": short, "long": long, "either": ["quarter", *long]}[periods]
    finest = {"YYYY": [], "YYYY-MM": steps, "MM/YYYY": steps, "YYYYMM": steps}
    levels = finest.get(written_so, ["month", *steps]) or ["5 years", "10 years"]
    return {"kind": "date", "levels": levels, "format": written_so}


_CODED = re.compile("4[0-9]{2}|5[0-9]{2}|4[01][0-9]{2}")
_YEARS = re.compile("[0-9]{1,3}")


def _by_ages(about: _Values) -> HierarchyProposal | None:
    if not about.means("age") or about.different <= _FEW_NUMBERS:
        return None
    if about.share_of_people(lambda value: _CODED.fullmatch(value) is not None) > 0.5:
        return _proposed(about, "coded-age", said("inspect.hierarchy.coded-age"))
    years = Hierarchy.built_in("age")
    if about.share_of_people(lambda value: _YEARS.fullmatch(value) is not None and years.knows(value)) < _LISTED:
        return None
    return _proposed(about, "age", said("inspect.hierarchy.age"))


def _by_tables(about: _Values) -> HierarchyProposal | None:
    """Codes that are in one of the public lists; those of postal codes and states also by the column's name."""
    if about.different < 2:
        return None
    shares = {name: _listed(about, name) for name in _TABLES}
    best = max(shares, key=lambda name: shares[name])
    if shares[best] >= _LISTED:
        return _proposed(about, best, said(f"inspect.hierarchy.{best}", share=shares[best]))
    if about.means("occupation") and (share := about.share(Hierarchy.built_in("cbo").knows)) >= _LISTED:
        return _proposed(about, "cbo", said("inspect.hierarchy.cbo", share=share))
    if about.means("place") and (share := about.share(Hierarchy.built_in("state").knows)) >= _MOST:
        return _proposed(about, "state", said("inspect.hierarchy.state", share=share))
    hyphened = about.share(lambda value: re.fullmatch("[0-9]{5}-[0-9]{3}", value) is not None) >= _MOST
    share = about.share(Hierarchy.built_in("cep").knows)
    if (about.means("postal") or hyphened) and share >= _MOST:
        return _proposed(about, "cep", said("inspect.hierarchy.cep", share=share))
    return None


def _listed(about: _Values, name: str) -> float:
    """The share of the different values that a list has; codes for "unknown" count neither way."""
    hierarchy = Hierarchy.built_in(name)
    known = {value: hierarchy.knows(value) for value in about.values}
    counted = {
        value: number
        for value, number in zip(about.values, about.people, strict=True)
        if not (known[value] and hierarchy.is_beside(value))
    }
    if different(number for value, number in counted.items() if known[value]) < 2:
        return 0.0
    return share_of([known[value] for value in counted], list(counted.values()))


def _by_numbers(about: _Values) -> HierarchyProposal | None:
    if about.different <= _FEW_NUMBERS or not (about.described.type in ("discrete", "continuous") or _counts(about)):
        return None
    document = bands_for(about.values, about.people)
    if document is None:
        return None
    key = "bands" if "top" in document or "bottom" in document else "bands-without-ends"
    return _proposed(about, document, said(f"inspect.hierarchy.{key}"))


def _counts(about: _Values) -> bool:
    """Are these numbers of something, such as days in a month, though the name spoke of categories?"""
    plain = about.all_but_few(lambda value: re.fullmatch("0|[1-9][0-9]*", value) is not None)
    return plain and about.means("period", "family") and len(_lengths(about)) > 1


def _lengths(about: _Values) -> list[int]:
    """How many characters values have, those of few people aside; the most common length first."""
    found: Counter[int] = Counter()
    for value, number in zip(about.values, about.people, strict=True):
        found[len(value)] += number
    return [length for length, _ in found.most_common(different(found.values()))]


def _by_few(about: _Values) -> HierarchyProposal | None:
    if about.different > _HANDFUL:
        return None
    return _proposed(about, {"kind": "all-or-nothing"}, said("inspect.hierarchy.few", count=len(about.values)))


_CODE = re.compile(r"[A-Za-z0-9./-]+")
_PARTS = 5
"""Codes are cut to so many parts of their length, less one."""


def _by_prefixes(about: _Values) -> HierarchyProposal | None:
    """Codes of one length, cut at parts of it that do not go by who has them; where they bring values together."""
    lengths = _lengths(about)
    if len(lengths) != 1 or about.means(*_WITHOUT_ORDER) or not about.all_but_few(_is_code):
        return None
    cuts = sorted({part * lengths[0] // _PARTS for part in range(1, _PARTS)} - {0}, reverse=True)
    if not any(2 <= _groups(about, length) <= about.different / 2 for length in cuts):
        return None
    return _proposed(about, {"kind": "prefix", "lengths": cuts}, said("inspect.hierarchy.prefix"))


def _groups(about: _Values, length: int) -> int:
    """How many beginnings of this length there are, those of few people aside."""
    found: Counter[str] = Counter()
    for value, number in zip(about.values, about.people, strict=True):
        found[value[:length]] += number
    return different(found.values())


def _is_code(value: str) -> bool:
    return _CODE.fullmatch(value) is not None
