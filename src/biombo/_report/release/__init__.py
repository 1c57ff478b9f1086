"""Reports on releases: one for everybody and one with everything, from the same facts."""

from biombo._report.release.facts import (
    ColumnFact,
    CriterionFact,
    DecisionFact,
    GoesOut,
    OperationFact,
    ReleaseFacts,
    StepFact,
)
from biombo._report.release.page import render_release_report
from biombo._report.release.pdf import as_pdf, can_draw_pdf

__all__ = [
    "ColumnFact",
    "CriterionFact",
    "DecisionFact",
    "GoesOut",
    "OperationFact",
    "ReleaseFacts",
    "StepFact",
    "as_pdf",
    "can_draw_pdf",
    "render_release_report",
]
