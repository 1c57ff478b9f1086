"""Attacks at a glance: how few facts do it, and nothing about single records."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from biombo._glance import Glance, columns
from biombo._i18n import integer, percent, text

if TYPE_CHECKING:
    from biombo._attack.attribute import AttributeInference
    from biombo._attack.identity import Reidentification
    from biombo._attack.members.attack import Membership
    from biombo._attack.one_person import Target
    from biombo._attack.parts import ByPart
    from biombo._attack.perturbation.identity import IdentityAgainstTruth
    from biombo._attack.perturbation.inference import InferenceAgainstTruth
    from biombo._attack.population.risk import PopulationRisk
    from biombo._attack.risk import Risk, RiskByPart

_CERTAIN = 0.9995
"""What reads as 100%: with more facts it stays so."""


def of_risk(risk: "Risk") -> Glance:
    """Both attacks; the line is about what is guessed, where anything is."""
    identity, inference = of_identity(risk.reidentification), risk.attribute_inference
    if inference is None:
        return identity
    guessed = of_inference(inference)
    return Glance(guessed.line, guessed.header, guessed.rows, [identity])


def of_risk_by_part(risk: "RiskByPart") -> Glance:
    """The strongest attack on each part."""
    return _of_parts(risk.by, {part: (each.rows, each.max_posterior) for part, each in risk.parts.items()})


def of_parts(found: "ByPart[Any]") -> Glance:
    """The strongest attack on each part."""
    return _of_parts(found.by, {part: (each.rows, _strongest(each.subsets)) for part, each in found.parts.items()})


def _of_parts(by: Sequence[str], parts: dict[Any, tuple[int, float]]) -> Glance:
    records = sum(rows for rows, _ in parts.values())
    line = text("glance.risk.parts", parts=len(parts), by=", ".join(by), records=records)
    rows = [(" + ".join(value or "" for value in part), integer(n), percent(top)) for part, (n, top) in parts.items()]
    return Glance(line, columns("part", "records", "right"), rows)


def _strongest(subsets: pl.DataFrame) -> float:
    return float(subsets["posterior"].max())  # type: ignore[arg-type]


def of_inference(found: "AttributeInference | InferenceAgainstTruth") -> Glance:
    """The fewest facts by which each sensitive column is guessed."""
    worst = max(found.sensitive, key=lambda name: _strongest(found.subsets.filter(pl.col("sensitive") == name)))
    top = _strongest(found.subsets.filter(pl.col("sensitive") == worst))
    told = {"records": found.rows, "sensitive": worst, "posterior": top, "prior": found.priors[worst]}
    rows = []
    for name in found.sensitive:
        best = found.best().filter(pl.col("sensitive") == name)
        prior = percent(found.priors[name])
        rows += [(name, _known(row), percent(row["posterior"]), prior) for row in _until_certain(best)]
    header = columns("sensitive", "known", "right", "prior")
    return Glance(text("glance.risk.inference", **told), header, rows)


def of_identity(found: "Reidentification") -> Glance:
    """The fewest facts by which records are found."""
    unique = int(found.subsets["unique"].max()) / found.rows  # type: ignore[arg-type]
    rows = [
        (_known(row), percent(row["posterior"]), percent(row["unique"] / found.rows))
        for row in _until_certain(found.best())
    ]
    line = text("glance.risk.identity", records=found.rows, unique=unique)
    return Glance(line, columns("known", "found", "unique"), rows)


def of_identity_against_truth(found: "IdentityAgainstTruth") -> Glance:
    """The fewest facts by which the records of people are found in a perturbed table."""
    line = text("glance.risk.truth", records=found.rows, posterior=_strongest(found.subsets), prior=found.prior)
    rows = [(_known(row), percent(row["posterior"])) for row in _until_certain(found.best())]
    return Glance(line, columns("known", "found"), rows)


def of_membership(found: "Membership") -> Glance:
    """How much each number of facts tells about who is in the sample."""
    best = found.best()
    last = best.row(-1, named=True)
    line = text(
        "glance.membership.line",
        sampled=found.sampled,
        people=found.people,
        quasi=_known(last),
        posterior=last["posterior"] or 0.0,
        prior=found.prior,
    )
    rows = [
        (_known(row), percent(row["posterior"] or 0.0), integer(row["certain"])) for row in best.iter_rows(named=True)
    ]
    return Glance(line, columns("known", "member", "certain"), rows)


def of_population(found: "PopulationRisk") -> Glance:
    """What is to be expected of the population."""
    estimate = found.estimate
    told = {"fraction": estimate.sample.fraction, "uniques": estimate.sample_uniques, "share": estimate.dankar.share}
    rows = [
        (text("glance.population.fraction"), percent(estimate.sample.fraction)),
        (text("glance.population.unique"), integer(estimate.sample_uniques)),
        (text("glance.population.prosecutor"), percent(estimate.prosecutor.highest)),
        (text("glance.population.journalist"), percent(estimate.journalist)),
        (text("glance.population.marketer"), percent(estimate.marketer)),
    ]
    return Glance(text("glance.population.line", records=found.rows, **told), columns("estimate", "value"), rows)


def of_target(found: "Target") -> Glance:
    """What each sensitive column may be, the likeliest first."""
    rows = [
        (name, row["value"], percent(row["probability"]))
        for name, values in found.values.items()
        for row in values.iter_rows(named=True)
    ]
    line = text("glance.target.line", candidates=found.candidates, rows=found.rows)
    return Glance(line, columns("sensitive", "value", "right"), rows)


def _known(row: dict[str, Any]) -> str:
    return " + ".join(row["quasi"])


def _until_certain(best: pl.DataFrame) -> list[dict[str, Any]]:
    """The rows up to the first that reads as 100%."""
    rows = list(best.iter_rows(named=True))
    certain = (place for place, row in enumerate(rows) if row["posterior"] >= _CERTAIN)
    return rows[: next(certain, len(rows)) + 1]
