"""Values of columns: what is done to each of them once, and how they are read."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._plan.values.distinct_values import Remembered
    from biombo._plan.values.shift import Mover

__all__ = ["Mover", "Remembered"]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
