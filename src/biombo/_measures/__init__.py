"""What a generalisation costs, from cells."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._measures.costs import Costs, lost_with
    from biombo._measures.marginals import ColumnMarginals, Floats, Marginals

__all__ = ["ColumnMarginals", "Costs", "Floats", "Marginals", "lost_with"]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
