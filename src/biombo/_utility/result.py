"""What a release is still good for, and what it lost."""

from dataclasses import dataclass

from biombo._utility.classification import Classification
from biombo._utility.distributions import ColumnDistance
from biombo._utility.measures import Measures
from biombo._utility.pairs import Associations
from biombo._utility.summaries import Summary


@dataclass(frozen=True, eq=False)
class Utility:
    """A release beside its original. Made by :func:`biombo.utility`. It tells about the original: keep it private."""

    original: str
    """What the original is called."""
    release: str
    original_rows: int
    release_rows: int
    plan_hash: str | None
    removed: tuple[str, ...]
    """Columns that the release lacks, identifiers not counted."""
    measures: Measures
    distances: tuple[ColumnDistance, ...]
    associations: Associations
    summaries: tuple[Summary, ...]
    """Of columns that hold amounts."""
    classification: Classification | None
    """Where a target was named."""

    def __repr__(self) -> str:
        return f"<Utility {self.release}: {self.release_rows:,} of {self.original_rows:,} records>"
