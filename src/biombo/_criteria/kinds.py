"""The criteria there are, by the names that plans use."""

from biombo._criteria.absence import Absence
from biombo._criteria.average_risk import AverageRisk
from biombo._criteria.base import Criterion
from biombo._criteria.beta_likeness import BetaLikeness
from biombo._criteria.deassociation import Deassociation
from biombo._criteria.delta_disclosure import DeltaDisclosure
from biombo._criteria.k_anonymity import KAnonymity
from biombo._criteria.k_map import KMap
from biombo._criteria.l_diversity import LDiversity
from biombo._criteria.leakage import Leakage
from biombo._criteria.population_uniqueness import PopulationUniqueness
from biombo._criteria.presence import Presence
from biombo._criteria.t_closeness import TCloseness
from biombo._criteria.uniqueness import Uniqueness
from biombo._criteria.vulnerability import Vulnerability

KINDS: dict[str, type[Criterion]] = {
    kind.name: kind
    for kind in (
        KAnonymity,
        KMap,
        Presence,
        Absence,
        LDiversity,
        Deassociation,
        TCloseness,
        BetaLikeness,
        DeltaDisclosure,
        Vulnerability,
        Leakage,
        AverageRisk,
        Uniqueness,
        PopulationUniqueness,
    )
}
