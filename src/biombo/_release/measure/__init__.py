"""What a release tells beyond its criteria: by columns that go out as they are, and by people's records together."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._release.measure.comparison import Comparison
    from biombo._release.measure.dependence import Hidden, is_told_by
    from biombo._release.measure.exposure import Exposure, exposure_of
    from biombo._release.measure.histories import Histories
    from biombo._release.measure.measurement import Measurement
    from biombo._release.measure.truth import truth_of
    from biombo._release.measure.unchanged_columns import Finding, Untouched

__all__ = [
    "Comparison",
    "Exposure",
    "Finding",
    "Hidden",
    "Histories",
    "Measurement",
    "Untouched",
    "exposure_of",
    "is_told_by",
    "truth_of",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
