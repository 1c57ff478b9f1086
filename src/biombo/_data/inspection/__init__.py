"""What the columns of a table look like, and what they seem to be."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._data.inspection.adversaries import proposed_adversaries
    from biombo._data.inspection.bands import bands_for
    from biombo._data.inspection.column_names import MEANINGS, Meaning, meaning_of
    from biombo._data.inspection.column_types import column_type, dates
    from biombo._data.inspection.cuts import cuts_for, date_cuts_for, hierarchy_by_cuts
    from biombo._data.inspection.dependencies import Dependencies, dependencies
    from biombo._data.inspection.hierarchies import HierarchyProposal
    from biombo._data.inspection.identifiers import IDENTIFIERS, Recognised, recognise, valid_share
    from biombo._data.inspection.inspection import Inspection, identifiers_among, inspect
    from biombo._data.inspection.profile import (
        MOST_VALUES,
        ColumnProfile,
        ValueSample,
        profile,
        value_counts,
        value_sample,
    )

__all__ = [
    "IDENTIFIERS",
    "MEANINGS",
    "MOST_VALUES",
    "ColumnProfile",
    "Dependencies",
    "HierarchyProposal",
    "Inspection",
    "Meaning",
    "Recognised",
    "ValueSample",
    "bands_for",
    "column_type",
    "cuts_for",
    "date_cuts_for",
    "dates",
    "dependencies",
    "hierarchy_by_cuts",
    "identifiers_among",
    "inspect",
    "meaning_of",
    "profile",
    "proposed_adversaries",
    "recognise",
    "valid_share",
    "value_counts",
    "value_sample",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
