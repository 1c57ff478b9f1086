"""What a release claims about itself, each claim marked by who can check it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isclose, isfinite
from typing import Any, Literal

from biombo._criteria import (
    Count,
    Criterion,
    Disclosure,
    Verdict,
)
from biombo._data import Schema
from biombo._plan import Applied
from biombo._release.measure.exposure import Exposure
from biombo._release.measure.histories import Histories
from biombo._release.verify.recount import Released, recounted

Kind = Literal["recomputable", "attested"]
"""Can everybody find out from the released data, or only whoever has the original?"""

_RELATIVE, _ABSOLUTE = 1e-9, 1e-12
"""How far apart two numbers may be that are meant to be the same."""


@dataclass(frozen=True)
class Claim:
    """One thing that a release says of itself."""

    name: str
    value: Any
    """A plain value; ``None``: not shown, because it is about fewer people than the release may speak of."""
    kind: Kind
    about: Mapping[str, Any] = field(default_factory=dict)
    """What it takes to recompute it."""

    def to_tree(self) -> dict[str, Any]:
        """The claim as plain values for JSON."""
        return {"claim": self.name, **self.about, "value": self.value, "kind": self.kind}

    @classmethod
    def from_tree(cls, tree: Mapping[str, Any]) -> "Claim":
        """The claim that plain values describe."""
        known = {"claim", "value", "kind"}
        if not isinstance(tree["claim"], str):
            raise TypeError
        return cls(tree["claim"], tree["value"], tree["kind"], {k: v for k, v in tree.items() if k not in known})


def claims_of(
    applied: Applied, criteria: Iterable[Criterion], used: Schema, released: Released, hidden: Iterable[str], plan: str
) -> Iterator[Claim]:
    """All claims of a release of the ``released`` records: columns that were left out are ``hidden``, and ``plan`` is
    what the publisher is committed to. Of columns that nobody decided on not even the names go out.
    """
    columns = list(released.columns)
    yield Claim("records-released", applied.rows, "recomputable")
    yield Claim("columns", columns, "recomputable")
    yield Claim("columns-left-out", sorted(set(hidden) - {*columns, *applied.unspoken}), "recomputable")
    rule = Disclosure.of(criteria)
    if applied.judgement is not None:
        yield from (_criterion(verdict, used, released, rule) for verdict in applied.judgement.verdicts)
    yield from _counts(applied, rule)
    yield Claim("random-order", applied.shuffled, "attested")
    yield Claim("plan", plan, "attested")


def history_claim(histories: Histories) -> Claim:
    """The claim that so many people share a history, where a column links the records of each of them."""
    about = {"column": histories.column, "quasi": list(histories.quasi)}
    return Claim("histories", histories.smallest_group, "recomputable", about)


def noise_claims(
    applied: Applied, exposure: Exposure | None, quasi: Sequence[str], rule: Disclosure
) -> Iterator[Claim]:
    """That values were drawn at random, for how many records where these were chosen, and that no k is claimed; how
    many records are alone in the release can be counted by everybody.
    """
    for each in applied.noised:
        about = {"columns": list(each.columns)}
        yield Claim(f"records-{each.operation}", rule.told(each.count), "attested", about)
    if exposure is not None:
        yield Claim("without-k", list(exposure.columns), "attested")
        alone = rule.told(exposure.alone)
        yield Claim("records-alone", alone, "attested" if alone is None else "recomputable", {"quasi": list(quasi)})


def recomputed(about: Mapping[str, Any], released: Released) -> Verdict:
    """How the released records stand to the criterion of a claim."""
    criterion = Criterion.from_tree(about["criterion"])
    quasi, sensitive = about["quasi"], about["sensitive"]
    asked = dict.fromkeys([*quasi, *(criterion.quasi or ()), *sensitive, *criterion.about(sensitive)])
    return recounted(criterion, released.tuples([*asked]), quasi, sensitive)


def agrees(value: Any, verdict: Verdict) -> bool:
    """Is the criterion met, by the value that was claimed?"""
    found = _finite(verdict.achieved)
    if value is None or found is None:
        return verdict.holds and value is found
    return verdict.holds and isclose(value, found, rel_tol=_RELATIVE, abs_tol=_ABSOLUTE)


def is_refuted(value: Any, verdict: Verdict) -> bool:
    """Does the ``verdict`` on the released records show that the original did not meet the criterion by ``value``?

    People are no more than their records, and what means the same no more than the words for it: whatever only the
    original tells can make groups smaller or less diverse than they look, never the other way round.
    """
    found = _finite(verdict.achieved)
    if verdict.criterion.evidence != "released" or found is None:
        return False
    if value is None or isclose(value, found, rel_tol=_RELATIVE, abs_tol=_ABSOLUTE):
        return not verdict.holds
    return not verdict.holds or bool(value > found) == verdict.criterion.lowest_is_worst


def _criterion(verdict: Verdict, used: Schema, released: Released, rule: Disclosure) -> Claim:
    """The claim that a criterion is met. It can be recomputed where the released data give the same value by
    themselves: not where people are counted by a column that is left out. Where records that are not released count
    for what was known before, it is told that the bound is met, and not by how far.
    """
    criterion = verdict.criterion
    about = {
        "criterion": criterion.to_tree(),
        "quasi": list(verdict.quasi),
        "sensitive": list(used.sensitive) if criterion.about(used.sensitive) else [],
    }
    if not rule.tells_value(criterion):
        return Claim("criterion", None, "attested", about)
    value = _finite(verdict.achieved)
    kind: Kind = "recomputable" if agrees(value, recomputed(about, released)) else "attested"
    return Claim("criterion", value, kind, about)


def _counts(applied: Applied, rule: Disclosure) -> Iterator[Claim]:
    """How many records were not released as the others, where that is about enough people: none reads as few do."""
    masked, further = applied.count("masked"), applied.count("masked_further")
    failing = Count(masked.records - further.records, masked.people - further.people)
    yield Claim("records-masked", rule.told(masked), "attested")
    yield Claim("records-masked-to-hide-others", rule.told(further, failing), "attested")
    for name in ("suppressed", "not_drawn", "duplicates", "invalid"):
        yield Claim(f"records-{name.replace('_', '-')}", rule.told(applied.count(name)), "attested")


def _finite(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None
