"""Value generalisation hierarchies."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._hierarchy.branches import Branch, branches_of
    from biombo._hierarchy.built_in import examples_of
    from biombo._hierarchy.coded_age import CodedAgeHierarchy
    from biombo._hierarchy.codes import Answer, HierarchyCodes, UnknownValue
    from biombo._hierarchy.columns import ColumnsHierarchy
    from biombo._hierarchy.date_bounds import DateBoundsHierarchy
    from biombo._hierarchy.dates import DateHierarchy, WrittenDates, start_of_period
    from biombo._hierarchy.hierarchy import TOP, Hierarchy
    from biombo._hierarchy.intervals import BoundsHierarchy, IntervalHierarchy
    from biombo._hierarchy.numerals import Numerals, exact, plain
    from biombo._hierarchy.prefix import PrefixHierarchy
    from biombo._hierarchy.rule import AllOrNothing
    from biombo._hierarchy.table import TableHierarchy

__all__ = [
    "TOP",
    "AllOrNothing",
    "Answer",
    "BoundsHierarchy",
    "Branch",
    "CodedAgeHierarchy",
    "ColumnsHierarchy",
    "DateBoundsHierarchy",
    "DateHierarchy",
    "Hierarchy",
    "HierarchyCodes",
    "IntervalHierarchy",
    "Numerals",
    "PrefixHierarchy",
    "TableHierarchy",
    "UnknownValue",
    "WrittenDates",
    "branches_of",
    "exact",
    "examples_of",
    "plain",
    "start_of_period",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
