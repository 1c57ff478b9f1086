"""Reports on risks and on searches: charts, tables and plain words in one HTML file."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._report.html import as_pdf, can_draw_pdf, software_version
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
    from biombo._report.risk.page import render_report, write_report
    from biombo._report.search.page import render_search_report, write_search_report
    from biombo._report.wording import displayed

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
    "displayed",
    "render_release_report",
    "render_report",
    "render_search_report",
    "software_version",
    "write_report",
    "write_search_report",
]

__getattr__, __dir__ = face(__name__)
