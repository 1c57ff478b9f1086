"""What the attacks on one table found, for the reports of a release."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import polars as pl

from biombo._attack import InferenceAgainstTruth, Risk, attribute_inference, reidentification
from biombo._data import Dataset
from biombo._report.findings import Findings, guessing, picking, standing_out


@dataclass(frozen=True, eq=False)
class Measured:
    """Picking a person's record, and guessing each sensitive column."""

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
    def of(cls, found: Risk) -> "Measured":
        """The attacks on a table whose values are true."""
        identity, inference = found.reidentification, found.attribute_inference
        question = identity.evidence.question
        return cls(
            identity=picking(identity),
            guesses={name: guessing(inference, name) for name in question.sensitive} if inference else {},
            columns=len(question.quasi),
            combined=question.max_size,
            unique=int(identity.best()["unique"][-1]),
            scored=False,
        )

    def told(self, share: Callable[[float], float]) -> "Measured":
        """The same with every share as it may be told."""
        guesses = {name: _told(found, share) for name, found in self.guesses.items()}
        return replace(self, identity=_told(self.identity, share), guesses=guesses)

    @classmethod
    def against_truth(
        cls, ways: Sequence[tuple[Dataset, Dataset]], known: Sequence[str], wanted: Sequence[str], most: int
    ) -> "Measured":
        """The attacks on a release, scored against the truth in the same order, with up to ``most`` of the ``known``
        columns and with all of them; the strongest of several ways to look values up counts.
        """
        identities = [reidentification(data, known, most, truth=truth) for data, truth in ways]
        guesses = [attribute_inference(data, known, [*wanted], most, truth=truth) for data, truth in ways if wanted]
        picked = pl.concat(_with_all(each.subsets, known, partial(each.records, known)) for each in identities)
        return cls(
            identity=standing_out(identities[0].prior, picked, known),
            guesses={
                name: standing_out(guesses[0].priors[name], pl.concat(_guesses(each, name) for each in guesses), known)
                for name in wanted
            },
            columns=len(known),
            combined=most,
            unique=None,
            scored=True,
        )


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


def _told(found: Findings, share: Callable[[float], float]) -> Findings:
    best = tuple({**row, "posterior": share(row["posterior"])} for row in found.best)
    return Findings(share(found.prior), best, ())
