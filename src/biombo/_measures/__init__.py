"""What a generalisation costs, from cells."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._measures.costs import Costs
    from biombo._measures.marginals import ColumnMarginals, Floats, Marginals

__all__ = ["ColumnMarginals", "Costs", "Floats", "Marginals"]

__getattr__, __dir__ = face(__name__)
