"""Tables of counts and sums, protected: cells that tell too much are left out, with those that would give them away."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._tabulate.aggregation import aggregate
    from biombo._tabulate.atoms import Atoms, Group, Value
    from biombo._tabulate.audit import Intervals, intervals
    from biombo._tabulate.bounds import Program, System
    from biombo._tabulate.cell_keys import CellKeys, cell_keys, record_keys
    from biombo._tabulate.classification import Classification, Places, classified, refuse_words
    from biombo._tabulate.counting import Counting
    from biombo._tabulate.cube import Contributions, Cube, Numbers, Sums, counted
    from biombo._tabulate.earlier import EarlierTable
    from biombo._tabulate.equations import Equations
    from biombo._tabulate.likeness import Likeness
    from biombo._tabulate.noise import NoisyCounts, kept, whole_counts
    from biombo._tabulate.patterns import Patterns, weighed
    from biombo._tabulate.perturbation import Perturbation, highest_entropy
    from biombo._tabulate.protection import Counted, Protection
    from biombo._tabulate.public_lists import MOST_LISTED, Categories, load_categories
    from biombo._tabulate.rounding import Rounding, rounded
    from biombo._tabulate.rules import Dominance, Marks, Rules, full_cells, is_whole
    from biombo._tabulate.shown import CELLS, INTERVALS, STRUCTURE, ShownTable
    from biombo._tabulate.suppression import Suppression, suppressed
    from biombo._tabulate.tabulation import Tabulation, levels_of, tabulate

__all__ = [
    "CELLS",
    "INTERVALS",
    "MOST_LISTED",
    "STRUCTURE",
    "Atoms",
    "Categories",
    "CellKeys",
    "Classification",
    "Contributions",
    "Counted",
    "Counting",
    "Cube",
    "Dominance",
    "EarlierTable",
    "Equations",
    "Group",
    "Intervals",
    "Likeness",
    "Marks",
    "NoisyCounts",
    "Numbers",
    "Patterns",
    "Perturbation",
    "Places",
    "Program",
    "Protection",
    "Rounding",
    "Rules",
    "ShownTable",
    "Sums",
    "Suppression",
    "System",
    "Tabulation",
    "Value",
    "aggregate",
    "cell_keys",
    "classified",
    "counted",
    "full_cells",
    "highest_entropy",
    "intervals",
    "is_whole",
    "kept",
    "levels_of",
    "load_categories",
    "record_keys",
    "refuse_words",
    "rounded",
    "suppressed",
    "tabulate",
    "weighed",
    "whole_counts",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
