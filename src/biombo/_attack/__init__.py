"""What an adversary gains from a table: attributes inferred, people re-identified."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._attack.adversary_names import NAMED_ADVERSARIES, adversary_name
    from biombo._attack.as_json import as_json, part_key
    from biombo._attack.as_table import as_table
    from biombo._attack.attribute import AttributeInference, Records
    from biombo._attack.distribution import Distribution
    from biombo._attack.evidence import Dropped, refuse_all_invalid, valid_rows
    from biombo._attack.findings import Facts, Fall, Findings, RiskFindings, Row, columns_by_fall, fewest_facts
    from biombo._attack.identity import Reidentification
    from biombo._attack.members.attack import Membership, membership
    from biombo._attack.members.by_part import MembershipByPart, membership_by_part
    from biombo._attack.members.losses import IndividualAttack, Loss, individual_attack, member_loss
    from biombo._attack.members.one_person import MembershipTarget, membership_target
    from biombo._attack.members.tables import Repeated
    from biombo._attack.one_person import Target, check_target, target
    from biombo._attack.parts import AttributeInferenceByPart, ByPart, Part, numbered
    from biombo._attack.periods import moment_of, time_columns
    from biombo._attack.perturbation.guesses import guessed
    from biombo._attack.perturbation.identity import IdentityAgainstTruth
    from biombo._attack.perturbation.inference import InferenceAgainstTruth
    from biombo._attack.perturbation.tables import stacked
    from biombo._attack.population.estimate import PopulationEstimate
    from biombo._attack.population.individual_risk import individual_risk
    from biombo._attack.population.numerics import falling_root
    from biombo._attack.population.risk import PopulationRisk, check_estimate, population_risk
    from biombo._attack.risk import (
        Risk,
        RiskByPart,
        attribute_inference,
        check_attack,
        reidentification,
        risk,
        risk_by_part,
    )
    from biombo._attack.scope import SENSITIVE_AT_MOST, AttackScope, joint_name, subsets
    from biombo._attack.subset_table import strongest
    from biombo._attack.together import Together, fewest_together

__all__ = [
    "NAMED_ADVERSARIES",
    "SENSITIVE_AT_MOST",
    "AttackScope",
    "AttributeInference",
    "AttributeInferenceByPart",
    "ByPart",
    "Distribution",
    "Dropped",
    "Facts",
    "Fall",
    "Findings",
    "IdentityAgainstTruth",
    "IndividualAttack",
    "InferenceAgainstTruth",
    "Loss",
    "Membership",
    "MembershipByPart",
    "MembershipTarget",
    "Part",
    "PopulationEstimate",
    "PopulationRisk",
    "Records",
    "Reidentification",
    "Repeated",
    "Risk",
    "RiskByPart",
    "RiskFindings",
    "Row",
    "Target",
    "Together",
    "adversary_name",
    "as_json",
    "as_table",
    "attribute_inference",
    "check_attack",
    "check_estimate",
    "check_target",
    "columns_by_fall",
    "falling_root",
    "fewest_facts",
    "fewest_together",
    "guessed",
    "individual_attack",
    "individual_risk",
    "joint_name",
    "member_loss",
    "membership",
    "membership_by_part",
    "membership_target",
    "moment_of",
    "numbered",
    "part_key",
    "population_risk",
    "refuse_all_invalid",
    "reidentification",
    "risk",
    "risk_by_part",
    "stacked",
    "strongest",
    "subsets",
    "target",
    "time_columns",
    "valid_rows",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
