"""What an adversary gains from a table: attributes inferred, people re-identified."""

from biombo._attack.against_truth import IdentityAgainstTruth, InferenceAgainstTruth
from biombo._attack.as_json import as_json, part_key
from biombo._attack.as_table import as_table
from biombo._attack.assess import Risk, RiskByPart, attribute_inference, reidentification, risk, risk_by_part
from biombo._attack.attribute import AttributeInference, Records
from biombo._attack.distribution import Distribution
from biombo._attack.evidence import Dropped
from biombo._attack.identity import Reidentification
from biombo._attack.in_sample import (
    IndividualAttack,
    Loss,
    Membership,
    MembershipTarget,
    Repeated,
    individual_attack,
    member_loss,
    membership,
    membership_target,
)
from biombo._attack.one_person import Target, target
from biombo._attack.parts import AttributeInferenceByPart, ByPart, Part, numbered
from biombo._attack.unknown_population import PopulationEstimate, PopulationRisk, population_risk

__all__ = [
    "AttributeInference",
    "AttributeInferenceByPart",
    "ByPart",
    "Distribution",
    "Dropped",
    "IdentityAgainstTruth",
    "IndividualAttack",
    "InferenceAgainstTruth",
    "Loss",
    "Membership",
    "MembershipTarget",
    "Part",
    "PopulationEstimate",
    "PopulationRisk",
    "Records",
    "Reidentification",
    "Repeated",
    "Risk",
    "RiskByPart",
    "Target",
    "as_json",
    "as_table",
    "attribute_inference",
    "individual_attack",
    "member_loss",
    "membership",
    "membership_target",
    "numbered",
    "part_key",
    "population_risk",
    "reidentification",
    "risk",
    "risk_by_part",
    "target",
]
