"""Tables of counts and sums, protected: cells that tell too much are left out, with those that would give them away."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._tabulate.atoms import Atoms, Group, Value
    from biombo._tabulate.audit import Intervals, intervals
    from biombo._tabulate.bounds import Program, System
    from biombo._tabulate.classification import Classification, Places, classified
    from biombo._tabulate.cube import Contributions, Cube, Numbers, Sums, counted
    from biombo._tabulate.equations import Equations
    from biombo._tabulate.rules import Dominance, Marks, Rules, full_cells
    from biombo._tabulate.shown import CELLS, INTERVALS, ShownTable
    from biombo._tabulate.suppression import Suppression, suppressed
    from biombo._tabulate.tabulation import Tabulation, amounts_of, levels_of, tabulate

__all__ = [
    "CELLS",
    "INTERVALS",
    "Atoms",
    "Classification",
    "Contributions",
    "Cube",
    "Dominance",
    "Equations",
    "Group",
    "Intervals",
    "Marks",
    "Numbers",
    "Places",
    "Program",
    "Rules",
    "ShownTable",
    "Sums",
    "Suppression",
    "System",
    "Tabulation",
    "Value",
    "amounts_of",
    "classified",
    "counted",
    "full_cells",
    "intervals",
    "levels_of",
    "suppressed",
    "tabulate",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
