"""What a generalisation costs, from cells."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._measures.constancy import ConstantColumn, Tops, became_constant, top_values
    from biombo._measures.costs import Costs, lost_with
    from biombo._measures.domains import LossDomain, check_loss_domain, occurring_leaves
    from biombo._measures.marginals import ColumnMarginals, Floats, Marginals

__all__ = [
    "ColumnMarginals",
    "ConstantColumn",
    "Costs",
    "Floats",
    "LossDomain",
    "Marginals",
    "Tops",
    "became_constant",
    "check_loss_domain",
    "lost_with",
    "occurring_leaves",
    "top_values",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
