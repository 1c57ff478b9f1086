"""Value generalisation hierarchies."""

from biombo._hierarchy.all_or_nothing import AllOrNothing
from biombo._hierarchy.bounds import BoundsHierarchy
from biombo._hierarchy.dates import DateHierarchy
from biombo._hierarchy.hierarchy import TOP, Hierarchy
from biombo._hierarchy.interval import IntervalHierarchy
from biombo._hierarchy.prefix import PrefixHierarchy
from biombo._hierarchy.recoding import Answer, HierarchyCodes, UnknownValue
from biombo._hierarchy.table import TableHierarchy

__all__ = [
    "TOP",
    "AllOrNothing",
    "Answer",
    "BoundsHierarchy",
    "DateHierarchy",
    "Hierarchy",
    "HierarchyCodes",
    "IntervalHierarchy",
    "PrefixHierarchy",
    "TableHierarchy",
    "UnknownValue",
]
