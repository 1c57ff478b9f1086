"""What must hold before a table is published: criteria, and whether a table meets them."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._criteria.absence import Absence
    from biombo._criteria.average_risk import AverageRisk
    from biombo._criteria.base import Criterion, Evidence, Scope, SensitiveCriterion
    from biombo._criteria.beta_likeness import BetaLikeness
    from biombo._criteria.columns import (
        by_quasi,
        check_quasi_columns,
        criteria_list,
        refuse_both_roles,
        sensitive_in_use,
        smallest_group_asked,
    )
    from biombo._criteria.deassociation import Deassociation
    from biombo._criteria.delta_disclosure import DeltaDisclosure
    from biombo._criteria.disclosure import SMALLEST, WHOLE_PERCENTS, Count, Disclosure
    from biombo._criteria.judgement import Judgement, as_json, judge
    from biombo._criteria.k_anonymity import KAnonymity
    from biombo._criteria.k_map import KMap
    from biombo._criteria.kernel_rules import Demand, demand
    from biombo._criteria.kinds import KINDS
    from biombo._criteria.l_diversity import LDiversity
    from biombo._criteria.leakage import Leakage
    from biombo._criteria.plain_groups import PlainGroups
    from biombo._criteria.population_table import beside_population, check_population_use
    from biombo._criteria.population_uniqueness import PopulationUniqueness
    from biombo._criteria.presence import Presence
    from biombo._criteria.suppression import rows_to_suppress, suppression_limit
    from biombo._criteria.t_closeness import TCloseness
    from biombo._criteria.uniqueness import Uniqueness
    from biombo._criteria.verdict import Verdict, WorstGroup
    from biombo._criteria.vulnerability import Vulnerability
    from biombo._criteria.waived_verdict import WaivedVerdict
    from biombo._criteria.waiver import Sensitivity, Waiver, WaiverError, includes, refuse_contradictions, waiver_list
    from biombo._criteria.whole_table import KeptGroups, KeptPresence, TableBound
    from biombo._criteria.wording import shown

__all__ = [
    "KINDS",
    "SMALLEST",
    "WHOLE_PERCENTS",
    "Absence",
    "AverageRisk",
    "BetaLikeness",
    "Count",
    "Criterion",
    "Deassociation",
    "DeltaDisclosure",
    "Demand",
    "Disclosure",
    "Evidence",
    "Judgement",
    "KAnonymity",
    "KMap",
    "KeptGroups",
    "KeptPresence",
    "LDiversity",
    "Leakage",
    "PlainGroups",
    "PopulationUniqueness",
    "Presence",
    "Scope",
    "SensitiveCriterion",
    "Sensitivity",
    "TCloseness",
    "TableBound",
    "Uniqueness",
    "Verdict",
    "Vulnerability",
    "WaivedVerdict",
    "Waiver",
    "WaiverError",
    "WorstGroup",
    "as_json",
    "beside_population",
    "by_quasi",
    "check_population_use",
    "check_quasi_columns",
    "criteria_list",
    "demand",
    "includes",
    "judge",
    "refuse_both_roles",
    "refuse_contradictions",
    "rows_to_suppress",
    "sensitive_in_use",
    "shown",
    "smallest_group_asked",
    "suppression_limit",
    "waiver_list",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
