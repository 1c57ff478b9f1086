"""The criteria there are, by the names that plans use."""

from biombo._criteria.base import Criterion
from biombo._criteria.k_anonymity import KAnonymity
from biombo._criteria.l_diversity import LDiversity
from biombo._criteria.leakage import Leakage
from biombo._criteria.t_closeness import TCloseness
from biombo._criteria.vulnerability import Vulnerability

KINDS: dict[str, type[Criterion]] = {
    kind.name: kind for kind in (KAnonymity, LDiversity, TCloseness, Vulnerability, Leakage)
}
