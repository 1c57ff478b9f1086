"""A risk as plain values, for ``--json``: the object that the documentation describes."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import polars as pl

from biombo._attack.attribute import AttributeInference
from biombo._attack.identity import Reidentification
from biombo._attack.members.attack import Membership
from biombo._attack.members.by_part import MembershipByPart
from biombo._attack.members.losses import member_loss
from biombo._attack.parts import AttributeInferenceByPart, Part, numbered
from biombo._attack.population.risk import PopulationRisk
from biombo._attack.risk import Risk, RiskByPart


def as_json(
    risk: Risk | RiskByPart,
    membership: Membership | MembershipByPart | None = None,
    population: PopulationRisk | None = None,
) -> dict[str, Any]:
    """One object, numbers at full precision."""
    if isinstance(risk, Risk):
        found = _risk(risk)
        if isinstance(membership, Membership):
            found["membership"] = membership_as_json(membership, risk.reidentification.evidence.scope.sensitive)
        if population:
            found["population"] = population_as_json(population)
        return found
    inference = risk.attribute_inference
    return {
        "by": list(risk.by),
        "parts": {
            key: {
                "part": dict(zip(risk.by, part, strict=True)),
                **_risk(outcome),
                **_of_part(membership, part, outcome),
            }
            for key, (part, outcome) in zip(numbered(map(part_key, risk.parts)), risk.parts.items(), strict=True)
        },
        "correlation": _correlation(inference) if inference else {},
    }


def _of_part(membership: Membership | MembershipByPart | None, part: Part, risk: Risk) -> dict[str, Any]:
    """What the sample tells about who is in it, of one part, where its population was given and has the part."""
    if not isinstance(membership, MembershipByPart) or part not in membership.parts:
        return {}
    return {"membership": membership_as_json(membership.parts[part], risk.reidentification.evidence.scope.sensitive)}


def part_key(part: Part) -> str:
    """One name for a part: its values joined by ``+``; a missing one is an empty text."""
    return "+".join(value or "" for value in part)


def _risk(risk: Risk) -> dict[str, Any]:
    inference = risk.attribute_inference
    evidence = risk.reidentification.evidence
    return {
        "records": risk.rows,
        "dropped": {"rows": risk.dropped.rows, "by_column": dict(risk.dropped.by_column)},
        "binned": [{"column": b.column, "kind": b.kind, "edges": list(b.edges)} for b in evidence.binnings],
        "attribute_inference": inference_as_json(inference) if inference else {},
        "reidentification": identity_as_json(risk.reidentification),
    }


def inference_as_json(inference: AttributeInference) -> dict[str, Any]:
    """By what is guessed: what an adversary gains from each subset."""
    keys = ("quasi", "posterior", "leakage", "multiplicative", "groups")
    adversaries = inference.adversaries()
    return {
        name: {
            "prior": inference.priors[name],
            "entropy": inference.entropies[name],
            "subsets": inference.subsets.filter(pl.col("sensitive") == name).select(keys).to_dicts(),
            "adversaries": adversaries.filter(pl.col("sensitive") == name).select("adversary", *keys).to_dicts(),
        }
        for name in inference.sensitive
    }


def identity_as_json(reidentification: Reidentification) -> dict[str, Any]:
    """How often the record is picked, for each subset."""
    keys = ("quasi", "posterior", "groups", "unique")
    return {
        "prior": reidentification.prior,
        "subsets": reidentification.subsets.select(keys).to_dicts(),
        "adversaries": reidentification.adversaries().select("adversary", *keys).to_dicts(),
    }


def membership_as_json(membership: Membership, sensitive: Sequence[str] = ()) -> dict[str, Any]:
    """What a sample tells about who is in it, for each subset, and what that costs by ``sensitive`` column."""
    keys = ("quasi", "posterior", "worst", "leakage", "multiplicative", "certain", "found", "not_found", "absent")
    return {
        "prior": membership.prior,
        "people": membership.people,
        "sampled": membership.sampled,
        "subsets": [
            {key: row[key] for key in (*keys, "unique", "unique_found", "unique_both")}
            | {"bayes": {"prior": membership.bayes_prior, "posterior": row["bayes_posterior"]}}
            | {"as_published": {"expected_degradation": row["expected_degradation"]}}
            for row in membership.subsets.iter_rows(named=True)
        ],
        "loss": {name: asdict(member_loss(membership, membership.quasi, name)) for name in sensitive},
    }


def population_as_json(population: PopulationRisk) -> dict[str, Any]:
    """What is to be expected of a population that nobody has."""
    estimate = population.estimate
    return {
        "quasi": list(population.quasi),
        "fraction": estimate.sample.fraction,
        "sample_uniques": estimate.sample_uniques,
        "prosecutor": asdict(estimate.prosecutor),
        "journalist": estimate.journalist,
        "marketer": estimate.marketer,
        "by_benedetti_franconi": asdict(estimate.by_benedetti_franconi),
        "uniques": {name: asdict(getattr(estimate, name)) for name in ("zayatz", "snb", "pitman", "dankar")},
    }


def _correlation(inference: AttributeInferenceByPart) -> dict[str, Any]:
    table = inference.correlation()
    return {
        name: table.filter(pl.col("sensitive") == name).drop("sensitive").to_dicts()
        for name in table["sensitive"].unique(maintain_order=True)
    }
