"""Reports on risks, searches and releases: charts, tables and plain words in one file.

Each is had as a string (``render_…``, one HTML page) or as a file (``write_…``, HTML, or a PDF where the file is called
so), in the language in use. What they tell was measured before: they draw what they are given.
"""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._report.fonts import CHARACTERS, FACES, WHOLE, font_rules
    from biombo._report.html import (
        as_pdf,
        can_draw_pdf,
        is_pdf,
        page_content,
        refuse_without_drawing,
        software_version,
        write_page,
    )
    from biombo._report.release.facts import (
        ColumnFact,
        CriterionFact,
        DecisionFact,
        GoesOut,
        OperationFact,
        ReleaseFacts,
        StepFact,
    )
    from biombo._report.release.page import render_release_report, write_release_report
    from biombo._report.release.version import Version
    from biombo._report.risk.page import render_report, write_report
    from biombo._report.search.page import render_search_report, write_search_report
    from biombo._report.wording import displayed

__all__ = [
    "CHARACTERS",
    "FACES",
    "WHOLE",
    "ColumnFact",
    "CriterionFact",
    "DecisionFact",
    "GoesOut",
    "OperationFact",
    "ReleaseFacts",
    "StepFact",
    "Version",
    "as_pdf",
    "can_draw_pdf",
    "displayed",
    "font_rules",
    "is_pdf",
    "page_content",
    "refuse_without_drawing",
    "render_release_report",
    "render_report",
    "render_search_report",
    "software_version",
    "write_page",
    "write_release_report",
    "write_report",
    "write_search_report",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
