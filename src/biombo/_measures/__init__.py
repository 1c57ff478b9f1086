"""What a generalisation costs, from cells."""

from biombo._measures.costs import Costs
from biombo._measures.marginals import ColumnMarginals, Marginals

__all__ = ["ColumnMarginals", "Costs", "Marginals"]
