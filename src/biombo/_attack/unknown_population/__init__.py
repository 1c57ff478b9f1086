"""Risk when the population is unknown, estimated from a sample and its fraction or weights."""

from biombo._attack.unknown_population.benedetti_franconi import individual_risk
from biombo._attack.unknown_population.estimate import PopulationEstimate
from biombo._attack.unknown_population.matching import Matching
from biombo._attack.unknown_population.pitman import PitmanModel
from biombo._attack.unknown_population.table import PopulationRisk, population_risk
from biombo._attack.unknown_population.uniques import Uniques

__all__ = [
    "Matching",
    "PitmanModel",
    "PopulationEstimate",
    "PopulationRisk",
    "Uniques",
    "individual_risk",
    "population_risk",
]
