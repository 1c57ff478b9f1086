"""What a generalisation costs, from cells."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._measures.arx_quality import ArxQuality
    from biombo._measures.constancy import ConstantColumn, Tops, became_constant, top_values
    from biombo._measures.costs import Costs, lost_with
    from biombo._measures.domains import LossDomain, check_loss_domain, occurring_leaves
    from biombo._measures.local_costs import LocalCosts, group_shares, held_at_levels, local_entropy
    from biombo._measures.marginals import ColumnMarginals, Floats, Marginals
    from biombo._measures.release_costs import ReleaseCosts
    from biombo._measures.suppression_factor import SuppressionFactor
    from biombo._measures.told_information import told_information

__all__ = [
    "ArxQuality",
    "ColumnMarginals",
    "ConstantColumn",
    "Costs",
    "Floats",
    "LocalCosts",
    "LossDomain",
    "Marginals",
    "ReleaseCosts",
    "SuppressionFactor",
    "Tops",
    "became_constant",
    "check_loss_domain",
    "group_shares",
    "held_at_levels",
    "local_entropy",
    "lost_with",
    "occurring_leaves",
    "told_information",
    "top_values",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
