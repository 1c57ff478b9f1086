"""Local recoding: groups of records that are released alike, each at levels of its own."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._plan.recoding.levelled_values import LevelledValues, Preference
    from biombo._plan.recoding.recoded_column import RecodedColumn
    from biombo._plan.recoding.recoding import Recoding
    from biombo._plan.recoding.shown_levels import costs_as_shown

__all__ = ["LevelledValues", "Preference", "RecodedColumn", "Recoding", "costs_as_shown"]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
