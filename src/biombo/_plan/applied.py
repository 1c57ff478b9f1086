"""What came of applying a plan."""

from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from biombo._criteria import Judgement


@dataclass(frozen=True, eq=False)
class Applied:
    """The result of a plan, and how it stands to the plan's criteria. Made by :func:`biombo.apply`."""

    source: str
    """What the table is called."""
    rows: int
    """Records in the result."""
    suppressed: int
    """Records that were dropped."""
    masked: int
    """Records in the result whose quasi values were replaced."""
    masked_further: int
    """Of the masked, those whose own group met the criteria: they were masked to hide the others."""
    judgement: Judgement | None
    """How the result stands to the criteria; none where the plan has none."""
    plan_hash: str
    shuffled: bool
    """Are the records in random order, drawn from the system's secure source of randomness?"""
    out: Path | None
    """The file with the result."""
    data: pl.DataFrame | None = field(repr=False)
    """The result itself, where no file was asked for."""

    @property
    def holds(self) -> bool:
        """Does the result meet the criteria?"""
        return self.judgement is None or self.judgement.holds
