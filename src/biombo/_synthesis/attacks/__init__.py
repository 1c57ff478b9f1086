"""What synthetic records give away of the records that they were made of, beside records that they were not made of."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._synthesis.attacks.inference import infer
    from biombo._synthesis.attacks.linkability import link
    from biombo._synthesis.attacks.nearest import Nearness, nearness
    from biombo._synthesis.attacks.rates import AttackRisk, Rate, Tries, residual, wilson
    from biombo._synthesis.attacks.singling_out import single_out
    from biombo._synthesis.attacks.three_tables import SharedColumn, ThreeTables, compared

__all__ = [
    "AttackRisk",
    "Nearness",
    "Rate",
    "SharedColumn",
    "ThreeTables",
    "Tries",
    "compared",
    "infer",
    "link",
    "nearness",
    "residual",
    "single_out",
    "wilson",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
