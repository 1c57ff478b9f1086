"""Risk when the population is unknown, estimated from a sample and its fraction or weights."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._attack.population.estimate import PopulationEstimate
    from biombo._attack.population.individual_risk import individual_risk
    from biombo._attack.population.numerics import expected_inverse_size, falling_root, harmonic, log_gamma_ratio
    from biombo._attack.population.pitman import PitmanModel, pitman_uniques
    from biombo._attack.population.risk import PopulationRisk, population_risk
    from biombo._attack.population.sample_groups import SampleGroups
    from biombo._attack.population.snb import shlosser_groups, snb_parameters, snb_uniques
    from biombo._attack.population.uniques import Model, Reason, Uniques, dankar_uniques
    from biombo._attack.population.zayatz import zayatz_uniques

__all__ = [
    "Model",
    "PitmanModel",
    "PopulationEstimate",
    "PopulationRisk",
    "Reason",
    "SampleGroups",
    "Uniques",
    "dankar_uniques",
    "expected_inverse_size",
    "falling_root",
    "harmonic",
    "individual_risk",
    "log_gamma_ratio",
    "pitman_uniques",
    "population_risk",
    "shlosser_groups",
    "snb_parameters",
    "snb_uniques",
    "zayatz_uniques",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
