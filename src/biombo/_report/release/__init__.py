"""Reports on releases: one for everybody and one with everything, from the same facts."""

from biombo._report.release.comparing import Compared, columns_to_compare
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
from biombo._report.release.predicted import Predicted

__all__ = [
    "ColumnFact",
    "Compared",
    "CriterionFact",
    "DecisionFact",
    "GoesOut",
    "OperationFact",
    "Predicted",
    "ReleaseFacts",
    "StepFact",
    "as_pdf",
    "can_draw_pdf",
    "columns_to_compare",
    "render_release_report",
]
