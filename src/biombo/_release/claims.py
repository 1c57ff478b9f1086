"""What a release claims about itself, each claim marked by who can check it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import isclose, isfinite
from pathlib import Path
from typing import Any, Literal

from biombo._criteria import (
    Criterion,
    KAnonymity,
    LDiversity,
    Leakage,
    SensitiveCriterion,
    TCloseness,
    Verdict,
    Vulnerability,
)
from biombo._data import Dataset, Schema
from biombo._plan import Applied
from biombo._release.plain_reading import plainly_read
from biombo._release.recounting import recounted
from biombo._report.shown import SMALLEST

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


def claims_of(applied: Applied, criteria: Iterable[Criterion], used: Schema, released: Dataset) -> Iterator[Claim]:
    """All claims of a release of the ``released`` records."""
    columns = list(released.columns)
    hidden = sorted(set(used.with_role("identifier")) - set(columns))
    yield Claim("records-released", applied.rows, "recomputable")
    yield Claim("columns", columns, "recomputable")
    yield Claim("columns-left-out", hidden, "recomputable")
    least = smallest_told(criteria)
    if applied.judgement is not None:
        few_left_out = 0 < _left_out(applied) < least
        yield from (_criterion(verdict, used, released, few_left_out) for verdict in applied.judgement.verdicts)
    yield from _counts(applied, least)
    yield Claim("random-order", applied.shuffled, "attested")
    yield Claim("plan", applied.plan_hash, "attested")


def smallest_told(criteria: Iterable[Criterion]) -> int:
    """The fewest people that anything public may be about: the k of the release, and ten where it has none."""
    asked = [criterion.k for criterion in criteria if isinstance(criterion, KAnonymity)]
    return max(asked, default=SMALLEST)


def released_data(path: Path) -> Dataset:
    """The released records, as whoever gets them reads them."""
    return plainly_read(path)


def recomputed(about: Mapping[str, Any], released: Dataset) -> Verdict:
    """How the released records stand to the criterion of a claim."""
    criterion = Criterion.from_tree(about["criterion"])
    return recounted(criterion, released, about["quasi"], about["sensitive"])


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
    if not isinstance(verdict.criterion, (KAnonymity, LDiversity, Vulnerability)) or found is None:
        return False
    if value is None or isclose(value, found, rel_tol=_RELATIVE, abs_tol=_ABSOLUTE):
        return not verdict.holds
    return not verdict.holds or bool(value > found) == verdict.criterion.lowest_is_worst


def _criterion(verdict: Verdict, used: Schema, released: Dataset, few_left_out: bool) -> Claim:
    """The claim that a criterion is met. It can be recomputed where the released data give the same value by
    themselves: not where people are counted by a column that is left out, or where records that are not released
    count for what was known before. Where these are few, the value would tell who they are about.
    """
    criterion = verdict.criterion
    about = {
        "criterion": criterion.to_tree(),
        "quasi": list(verdict.quasi),
        "sensitive": list(used.sensitive) if isinstance(criterion, SensitiveCriterion) else [],
    }
    if few_left_out and isinstance(criterion, TCloseness | Leakage):
        return Claim("criterion", None, "attested", about)
    found, value = recomputed(about, released), _finite(verdict.achieved)
    if is_refuted(value, found):  # what were two values is written as one: an empty text and a missing value in CSV
        value = _finite(found.achieved)
    return Claim("criterion", value, "recomputable" if agrees(value, found) else "attested", about)


def _left_out(applied: Applied) -> int:
    return applied.suppressed + applied.not_drawn + applied.duplicates + applied.invalid


def _counts(applied: Applied, least: int) -> Iterator[Claim]:
    """How many records were not released as the others, where that is about enough people."""
    masked = applied.masked
    yield Claim("records-masked", _told(masked, least), "attested")
    hidden = _told(applied.masked_further, least, masked - applied.masked_further)
    yield Claim("records-masked-to-hide-others", hidden, "attested")
    yield Claim("records-suppressed", _told(applied.suppressed, least), "attested")
    left_out = {"not-drawn": applied.not_drawn, "duplicates": applied.duplicates, "invalid": applied.invalid}
    for name, count in left_out.items():
        if count:
            yield Claim(f"records-{name}", _told(count, least), "attested")


def _told(count: int, least: int, rest: int = 0) -> int | None:
    """The number, unless it, or what can be told from it, is about too few people."""
    return count if all(number == 0 or number >= least for number in (count, rest)) else None


def _finite(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None
