"""What stands out in the outcome of an attack: the strongest subset, and what each column contributes to it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import polars as pl

from biombo._attack.attribute import AttributeInference
from biombo._attack.identity import Reidentification
from biombo._attack.members.attack import Membership
from biombo._attack.perturbation.inference import InferenceAgainstTruth
from biombo._attack.risk import Risk, attribute_inference, reidentification
from biombo._attack.subset_table import strongest
from biombo._data import Dataset

Row = Mapping[str, Any]

_DIGITS = 12
"""Sums of fractions differ behind these digits with the order of the groups; what is equal must look equal."""


@dataclass(frozen=True)
class Fall:
    """How strong an attack still is when one column is missing."""

    column: str
    posterior: float
    quasi: tuple[str, ...]
    """The strongest subset without the column; nothing where it was the only one."""
    fall: float
    """By how much the posterior falls."""


@dataclass(frozen=True)
class Findings:
    """What stands out in one attack. Rows are those of ``subsets``."""

    prior: float
    best: tuple[Row, ...]
    """The strongest subset for each number of columns."""
    falls: tuple[Fall, ...]
    """For each column, the strongest attack without it; the column that matters most first."""

    @classmethod
    def of_inference(cls, attack: AttributeInference, target: str) -> "Findings":
        """What stands out where one sensitive column is guessed."""
        best = attack.best().filter(pl.col("sensitive") == target).to_dicts()
        without = attack.without_each().filter(pl.col("sensitive") == target).to_dicts()
        return cls._of(attack.priors[target], best, {row["without"]: row for row in without}, attack.quasi)

    @classmethod
    def of_reidentification(cls, attack: Reidentification) -> "Findings":
        """What stands out where a person's record is picked."""
        without = _strongest_without_each(attack.subsets, attack.quasi)
        return cls._of(attack.prior, attack.best().to_dicts(), without, attack.quasi)

    @classmethod
    def of_membership(cls, attack: Membership) -> "Findings":
        """What stands out where the adversary asks who is in a sample."""
        rounded = replace(attack, subsets=attack.subsets.with_columns(pl.col("posterior").round(_DIGITS)))
        without = _strongest_without_each(rounded.subsets, attack.quasi)
        return cls._of(round(attack.prior, _DIGITS), rounded.best().to_dicts(), without, attack.quasi)

    @classmethod
    def of_subsets(cls, prior: float, subsets: pl.DataFrame, quasi: Sequence[str]) -> "Findings":
        """What stands out in ``subsets``, which may have several rows for the same columns: the strongest counts."""
        best = strongest(subsets, "size").to_dicts()
        return cls._of(prior, best, _strongest_without_each(subsets, quasi), quasi)

    @classmethod
    def _of(cls, prior: float, best: Sequence[Row], without: Mapping[str, Row], quasi: Sequence[str]) -> "Findings":
        """``without`` has no row for the only column there is: what remains without it is the prior."""
        top = max(row["posterior"] for row in best)
        nothing: Row = {"posterior": prior, "quasi": ()}
        rows = {column: without.get(column, nothing) for column in quasi}
        falls = [
            Fall(column, row["posterior"], tuple(row["quasi"]), top - row["posterior"]) for column, row in rows.items()
        ]
        return cls(prior, tuple(best), tuple(sorted(falls, key=lambda fall: -fall.fall)))

    @property
    def strongest(self) -> Row:
        """The strongest subset; of those that are equally strong, the one with the fewest columns."""
        return max(self.best, key=lambda row: (row["posterior"], -row["size"]))

    @property
    def posterior(self) -> float:
        """How often the strongest attack is right."""
        return float(self.strongest["posterior"])

    @property
    def leakage(self) -> float:
        """By how much the strongest attack beats the prior."""
        return self.posterior - self.prior

    def told(self, share: Callable[[float], float]) -> "Findings":
        """The same with every share as it may be told."""
        best = tuple({**row, "posterior": share(row["posterior"])} for row in self.best)
        return Findings(share(self.prior), best, ())


@dataclass(frozen=True, eq=False)
class RiskFindings:
    """What stands out in both attacks on one table: picking a person's record, and guessing each sensitive column."""

    identity: Findings
    guesses: Mapping[str, Findings]
    """By sensitive column."""
    columns: int
    """How many an adversary may know."""
    combined: int
    """How many of them it combined at most."""
    unique: int | None
    """Records alone with their values; none where these are not their own."""
    scored: bool
    """Was the adversary held against the original, because values of the release need not be true?"""

    @classmethod
    def of(cls, found: Risk) -> "RiskFindings":
        """The attacks on a table whose values are true."""
        identity, inference = found.reidentification, found.attribute_inference
        scope = identity.evidence.scope
        return cls(
            identity=Findings.of_reidentification(identity),
            guesses={name: Findings.of_inference(inference, name) for name in scope.sensitive} if inference else {},
            columns=len(scope.quasi),
            combined=scope.max_size,
            unique=int(identity.best()["unique"][-1]),
            scored=False,
        )

    @classmethod
    def against_truth(
        cls, ways: Sequence[tuple[Dataset, Dataset]], known: Sequence[str], wanted: Sequence[str], most: int
    ) -> "RiskFindings":
        """The attacks on a release, scored against the truth in the same order, with up to ``most`` of the ``known``
        columns and with all of them; the strongest of several ways to look values up counts.
        """
        identities = [reidentification(data, known, most, truth=truth) for data, truth in ways]
        guesses = [attribute_inference(data, known, [*wanted], most, truth=truth) for data, truth in ways if wanted]
        picked = pl.concat(_with_all(each.subsets, known, partial(each.records, known)) for each in identities)
        return cls(
            identity=Findings.of_subsets(identities[0].prior, picked, known),
            guesses={name: _of_guesses(guesses, name, known) for name in wanted},
            columns=len(known),
            combined=most,
            unique=None,
            scored=True,
        )

    def told(self, share: Callable[[float], float]) -> "RiskFindings":
        """The same with every share as it may be told."""
        guesses = {name: found.told(share) for name, found in self.guesses.items()}
        return replace(self, identity=self.identity.told(share), guesses=guesses)


def columns_by_fall(found: Iterable[Findings]) -> list[str]:
    """The columns of several attacks, the one without which they fall most on average first."""
    falls: dict[str, list[float]] = {}
    for findings in found:
        for fall in findings.falls:
            falls.setdefault(fall.column, []).append(fall.fall)
    return sorted(falls, key=lambda column: -sum(falls[column]) / len(falls[column]))


def _of_guesses(attacks: Sequence[InferenceAgainstTruth], name: str, known: Sequence[str]) -> Findings:
    return Findings.of_subsets(attacks[0].priors[name], pl.concat(_guesses(each, name) for each in attacks), known)


def _guesses(attack: InferenceAgainstTruth, name: str) -> pl.DataFrame:
    subsets = attack.subsets.filter(pl.col("sensitive") == name)
    return _with_all(subsets, attack.quasi, partial(attack.records, attack.quasi, name))


def _with_all(subsets: pl.DataFrame, known: Sequence[str], records: Callable[[], pl.DataFrame]) -> pl.DataFrame:
    """The subsets, and all ``known`` columns together if these are not among them."""
    found = subsets.select("size", "quasi", "posterior")
    if len(known) in found["size"]:
        return found
    whole = {"size": [len(known)], "quasi": [list(known)], "posterior": [records()["success"].mean()]}
    return pl.concat([found, pl.DataFrame(whole)])


def _strongest_without_each(subsets: pl.DataFrame, quasi: Sequence[str]) -> dict[str, Row]:
    """For each column, the strongest subset that lacks it, where there is one."""
    strongest_first = subsets.sort("posterior", descending=True, maintain_order=True)
    without: dict[str, Row] = {}
    for column in quasi:
        others = strongest_first.filter(~pl.col("quasi").list.contains(column))
        if not others.is_empty():
            without[column] = others.row(0, named=True)
    return without
