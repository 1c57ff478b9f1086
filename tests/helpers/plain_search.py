"""Full-domain generalisation with suppression by brute force: every node, every group, every criterion."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import floor, isclose, log2

import numpy as np
import plain_criteria as plain
from plain_generalising import Group, Levels, PlainColumn, PlainCosts, groups_of

import biombo as bb
from biombo._attack import PopulationEstimate

TOLERANCE = 1e-9
Sensitive = Mapping[str, Sequence[str | None]]


@dataclass
class PlainSearch:
    """A table, its generalisations and what is asked of it."""

    columns: Sequence[PlainColumn]
    criteria: Sequence[bb.Criterion]
    limit: int = 0
    sensitive: Sensitive = field(default_factory=dict)
    """The sensitive columns; a criterion that names none is about the first."""
    people: Sequence[str | None] | None = None
    bounds: Sequence[tuple[int, int]] | None = None
    weights: Sequence[float] = ()
    orders: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    parents: Mapping[str, str] = field(default_factory=dict)
    """The hierarchy, of one level and a top, that distances of t-closeness go by."""

    @cached_property
    def nodes(self) -> list[Levels]:
        bounds = self.bounds or [(0, column.height) for column in self.columns]
        return list(product(*(range(lowest, highest + 1) for lowest, highest in bounds)))

    @cached_property
    def costs(self) -> dict[Levels, PlainCosts]:
        """Every node, with all and only the groups suppressed that fail."""
        return {
            levels: PlainCosts(self.columns, levels, self._kept(levels), self.weights, self.sensitive)
            for levels in self.nodes
        }

    def suppressed(self, levels: Levels) -> int:
        return len(self.costs[levels].suppressed)

    @cached_property
    def satisfying(self) -> list[Levels]:
        """Within the limit, and not by dropping every record."""
        most = min(self.limit, len(self.columns[0].values) - 1)
        return [levels for levels in self.nodes if self.suppressed(levels) <= most and self._table_holds(levels)]

    @cached_property
    def minimal(self) -> list[Levels]:
        """Those that satisfy while nothing below them does."""
        return [v for v in self.satisfying if not any(w != v and at_most(w, v) for w in self.satisfying)]

    def ranking(self, policy: str) -> list[tuple[float, Levels]]:
        """By score, records suppressed, sum of levels, and levels."""
        among_minimal = policy in ("absolute-distance", "relative-distance", "distribution", "suppression")
        eligible = self.minimal if among_minimal else self.satisfying
        score = alike({levels: self.costs[levels].score(policy) for levels in eligible})
        ranked = sorted(eligible, key=lambda v: (score[v], self.suppressed(v), sum(v), v))
        first = {self._told_apart(levels): levels for levels in reversed(ranked)}
        return [(score[levels], levels) for levels in ranked if levels in first.values()]

    def _told_apart(self, levels: Levels) -> Levels:
        """The same for plans that differ only in columns that are constant anyway."""
        return tuple(min(level, column.constant_from) for level, column in zip(levels, self.columns, strict=True))

    def _kept(self, levels: Levels) -> list[Group]:
        group_level = [criterion for criterion in self.criteria if criterion.scope == "group"]
        groups = groups_of(self.columns, levels)
        return [group for group in groups if all(self._holds(criterion, group) for criterion in group_level)]

    def _table_holds(self, levels: Levels) -> bool:
        kept = self.costs[levels].kept
        for criterion in self.criteria:
            if criterion.scope == "table" and kept and not isinstance(criterion, bb.Vulnerability | bb.Leakage):
                if not self._identified(criterion, kept) <= criterion.max + TOLERANCE:  # type: ignore[attr-defined]
                    return False
            elif criterion.scope == "table" and kept:
                values = self._values(criterion)
                posterior = plain.posterior([[values[place] for place in group] for group in kept])
                if not posterior <= self._highest(criterion, values) + TOLERANCE:
                    return False
        return True

    def _holds(self, criterion: bb.Criterion, group: Group) -> bool:
        if isinstance(criterion, bb.KAnonymity):
            return self._members(group) >= criterion.k
        if isinstance(criterion, bb.KMap):
            share = self._sampled(criterion.population)
            return plain.risk_of_population(self._members(group), share) <= 1 / criterion.k + TOLERANCE
        if isinstance(criterion, bb.Presence):
            size = self._members(group)
            share = self._sampled(criterion.population)
            return size * plain.risk_of_population(size, share) <= criterion.max + TOLERANCE
        everything = self._values(criterion)
        values = [everything[place] for place in group]
        match criterion:
            case bb.LDiversity(kind="distinct", l=l):
                return plain.distinct(values) >= l
            case bb.LDiversity(kind="entropy", l=l):
                return log2(plain.entropy_diversity(values)) >= log2(l) - TOLERANCE
            case bb.LDiversity(l=l, c=float(c)):
                return plain.top_to_tail(values, int(l)) < c - TOLERANCE
            case bb.TCloseness(t=t):
                return self._distance(criterion, values, everything) <= t + TOLERANCE
            case bb.Deassociation(alpha=alpha, values=named):
                return plain.share_of(values, named or values) <= alpha + TOLERANCE
            case bb.BetaLikeness(beta=beta, kind=kind):
                gain = plain.gain if kind == "basic" else plain.limited_gain
                return gain(values, everything) <= beta + TOLERANCE
            case bb.DeltaDisclosure(delta=delta):
                return plain.log_ratio(values, everything) < delta - TOLERANCE
        return plain.top_share(values) <= self._highest(criterion, everything) + TOLERANCE

    def _members(self, group: Iterable[int]) -> int:
        """Records, or people where these are named."""
        places = list(group)
        return len(places) if self.people is None else len({self.people[place] for place in places})

    def _sampled(self, population: int) -> float:
        """The share of the population that is in the table, those who are suppressed too."""
        return self._members(range(len(self.columns[0].values))) / population

    def _identified(self, criterion: bb.Criterion, kept: Sequence[Group]) -> float:
        """Whom an adversary finds in the table as a whole, as a share of the records."""
        members, records = [self._members(group) for group in kept], sum(map(len, kept))
        if isinstance(criterion, bb.PopulationUniqueness):
            share = PopulationEstimate.of(np.array(members), self._sampled(criterion.population)).dankar.share
            return members.count(1) / sum(members) if share is None else share
        if isinstance(criterion, bb.Presence):
            share = self._sampled(criterion.population)
            return sum(size * size * plain.risk_of_population(size, share) for size in members) / sum(members)
        if isinstance(criterion, bb.Uniqueness):
            return sum(len(group) for group, size in zip(kept, members, strict=True) if size == 1) / records
        return sum(len(group) / size for group, size in zip(kept, members, strict=True)) / records

    def _values(self, criterion: bb.Criterion) -> Sequence[str | None]:
        name = getattr(criterion, "column", None) or next(iter(self.sensitive))
        return self.sensitive[name]

    def _highest(self, criterion: bb.Criterion, everything: Sequence[str | None]) -> float:
        """The share of right guesses that is allowed."""
        if isinstance(criterion, bb.Vulnerability):
            return criterion.max
        assert isinstance(criterion, bb.Leakage)
        prior = plain.top_share(everything)
        return float(prior) + criterion.max if criterion.form == "additive" else float(prior) * criterion.max

    def _distance(self, criterion: bb.TCloseness, values: plain.Values, everything: plain.Values) -> Fraction:
        gain = _gain(values, everything)
        if criterion.kind == "ordered":
            order = [value for value in self.orders[str(criterion.column)] if value in gain]
            so_far = [abs(sum(gain[value] for value in order[: i + 1])) for i in range(len(order))]
            return sum(so_far, Fraction(0)) / max(len(order) - 1, 1)
        equal = sum(map(abs, gain.values())) / 2
        if criterion.kind == "equal":
            return equal
        parents = {value: self.parents[str(value)] for value in gain}
        above = {parent: sum(gain[v] for v in gain if parents[v] == parent) for parent in parents.values()}
        return (equal + sum(map(abs, above.values())) / 2) / 2


def _gain(values: plain.Values, everything: plain.Values) -> dict[object, Fraction]:
    here, there = Counter(values), Counter(everything)
    return {v: Fraction(here[v], len(values)) - Fraction(there[v], len(everything)) for v in there}


def limit_of(share: float, records: int) -> int:
    """How many records may be suppressed."""
    return floor(Fraction(str(share)) * records)


def at_most(lower: Levels, upper: Levels) -> bool:
    """Is a node nowhere above another?"""
    return all(a <= b for a, b in zip(lower, upper, strict=True))


def alike(scores: Mapping[Levels, float]) -> dict[Levels, float]:
    """Scores that differ by noise of floating point only, made equal."""
    found: dict[Levels, float] = {}
    last = None
    for levels, score in sorted(scores.items(), key=lambda item: item[1]):
        last = last if last is not None and isclose(score, last, rel_tol=TOLERANCE, abs_tol=1e-12) else score
        found[levels] = last
    return found
