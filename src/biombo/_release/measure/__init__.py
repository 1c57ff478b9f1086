"""What a release tells beyond its criteria: by columns that go out as they are, and by people's records together."""

from biombo._release.measure.histories import Histories
from biombo._release.measure.measurement import Measurement
from biombo._release.measure.untouched import Finding, Untouched

__all__ = ["Finding", "Histories", "Measurement", "Untouched"]
