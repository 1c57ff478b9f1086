"""What stands out in the outcome of an attack: the strongest subset, and what each column contributes to it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from biombo._attack.together import Together, fewest_together
from biombo._data import Dataset
from biombo._errors import UsageError

Row = Mapping[str, Any]

_DIGITS = 12
"""Sums of fractions differ behind these digits with the order of the groups; what is equal must look equal."""

_WORTH_SAYING = 0.01
"""The fall of a posterior below which it is no advice to change a column."""

_BAD = (0.5, 0.9, 0.99)
"""Shares of the records above which the fewest facts are worth telling."""


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
    together: Together | None = None
    """The fewest columns that must change together, where no column alone helps."""

    @classmethod
    def of_inference(cls, attack: AttributeInference, target: str) -> "Findings":
        """What stands out where one sensitive column is guessed."""
        about = attack.of_target(target)
        best, without = strongest(about, "size").to_dicts(), _strongest_without_each(about, attack.quasi)
        found = cls._of(attack.priors[target], best, without, attack.quasi)
        return found._with_together(about, attack.quasi)

    @classmethod
    def of_reidentification(cls, attack: Reidentification) -> "Findings":
        """What stands out where a person's record is picked."""
        without = _strongest_without_each(attack.subsets, attack.quasi)
        found = cls._of(attack.prior, attack.best().to_dicts(), without, attack.quasi)
        return found._with_together(attack.subsets, attack.quasi)

    @classmethod
    def of_membership(cls, attack: Membership) -> "Findings":
        """What stands out where the adversary asks who is in a sample."""
        rounded = replace(attack, subsets=attack.subsets.with_columns(pl.col("posterior").round(_DIGITS)))
        without = _strongest_without_each(rounded.subsets, attack.quasi)
        found = cls._of(round(attack.prior, _DIGITS), rounded.best().to_dicts(), without, attack.quasi)
        return found._with_together(rounded.subsets, attack.quasi)

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

    def _with_together(self, subsets: pl.DataFrame, quasi: Sequence[str]) -> "Findings":
        """The same with what must change together, where the strongest attack gains and no column alone helps."""
        if self.leakage <= 0 or self.helps(self.falls[0].fall):
            return self
        return replace(self, together=fewest_together(subsets, quasi, self.prior))

    def helps(self, fall: float) -> bool:
        """Is a fall of the posterior worth a piece of advice: a percentage point, or half of what the attack gains?"""
        return fall > 0 and fall >= min(_WORTH_SAYING, self.leakage / 2)

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
        picked = pl.concat(_with_all(each.subsets, known, partial(each.posterior, known)) for each in identities)
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


@dataclass(frozen=True)
class Facts:
    """What knowing some columns does at worst: the columns, and the share of the records that it happens to."""

    quasi: tuple[str, ...]
    share: float


def fewest_facts(found: Risk, sensitive: str | None = None) -> tuple[Facts, ...]:
    """How few facts make it bad: for one column, and for the fewest that pass 50%, 90% and 99%, the worst choice.

    The share is that of records alone with their values or, of a ``sensitive`` column, of right guesses. Where
    99% is never passed, the last step is the worst of all choices, with as few columns as that takes. One column that
    does nothing to anybody is left out, unless nothing does.

    >>> import biombo as bb
    >>> table = pl.DataFrame({"born": [1, 2, 3, 4, 4], "sex": ["f", "f", "f", "f", "m"]})
    >>> fewest_facts(bb.risk(bb.read(table), ["born", "sex"], []))
    (Facts(quasi=('born',), share=0.6), Facts(quasi=('born', 'sex'), share=1.0))
    """
    worst = _worst_by_size(found, sensitive)
    reached = [next((facts for facts in worst if facts.share > limit), None) for limit in _BAD]
    strongest = max(worst, key=lambda facts: facts.share)
    steps = dict.fromkeys([worst[0], *(facts for facts in reached if facts), *([] if reached[-1] else [strongest])])
    return tuple(facts for facts in steps if facts.share > 0 or len(steps) == 1)


def _worst_by_size(found: Risk, sensitive: str | None) -> list[Facts]:
    """For each number of columns the worst choice, the fewest columns first."""
    if sensitive is None:
        identity = found.reidentification
        alone = identity.subsets["unique"].to_numpy() / identity.rows
        shares = identity.subsets.select("size", "quasi", pl.Series("posterior", alone))
    else:
        if found.attribute_inference is None:
            raise UsageError("attack.no-sensitive")
        shares = found.attribute_inference.of_target(sensitive)
    return [Facts(tuple(row["quasi"]), row["posterior"]) for row in strongest(shares.sort("size"), "size").to_dicts()]


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
    return _with_all(subsets, attack.quasi, partial(attack.posterior, attack.quasi, name))


def _with_all(subsets: pl.DataFrame, known: Sequence[str], posterior: Callable[[], float]) -> pl.DataFrame:
    """The subsets, and all ``known`` columns together if these are not among them."""
    found = subsets.select("size", "quasi", pl.col("posterior").round(_DIGITS))
    if len(known) in found["size"]:
        return found
    whole = {"size": [len(known)], "quasi": [list(known)], "posterior": [round(posterior(), _DIGITS)]}
    return pl.concat([found, pl.DataFrame(whole)])


def _strongest_without_each(subsets: pl.DataFrame, quasi: Sequence[str]) -> dict[str, Row]:
    """For each column, the strongest subset that lacks it, where there is one."""
    strongest_first = subsets.sort("posterior", descending=True, maintain_order=True)
    places: dict[str, int] = {}
    left = set(quasi)
    for place, known in enumerate(_lists(strongest_first["quasi"])):
        lacking = left.difference(known)
        places |= dict.fromkeys(lacking, place)
        left -= lacking
        if not left:
            break
    return {column: strongest_first.row(places[column], named=True) for column in quasi if column in places}


def _lists(column: pl.Series, at_once: int = 256) -> Iterator[list[str]]:
    """The lists of ``column`` one after the other: mostly the first few tell all."""
    for start in range(0, len(column), at_once):
        yield from column[start : start + at_once].to_list()
