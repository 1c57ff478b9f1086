"""Tables of counts and sums, protected: cells that tell too much are left out, with those that would give them away."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._tabulate.audit import Intervals, intervals
    from biombo._tabulate.classification import Classification, classified
    from biombo._tabulate.cube import Contributions, Cube, counted
    from biombo._tabulate.equations import Equations
    from biombo._tabulate.public_lists import MOST_LISTED, Categories, load_categories
    from biombo._tabulate.rules import Dominance, Rules, full_cells
    from biombo._tabulate.shown import CELLS, INTERVALS, ShownTable
    from biombo._tabulate.suppression import Suppression, suppressed
    from biombo._tabulate.tabulation import Tabulation, tabulate

__all__ = [
    "CELLS",
    "INTERVALS",
    "MOST_LISTED",
    "Categories",
    "Classification",
    "Contributions",
    "Cube",
    "Dominance",
    "Equations",
    "Intervals",
    "Rules",
    "ShownTable",
    "Suppression",
    "Tabulation",
    "classified",
    "counted",
    "full_cells",
    "intervals",
    "load_categories",
    "suppressed",
    "tabulate",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
