"""Reports on risks, searches and releases: charts, tables and plain words in one file.

Each is had as a string (``render_…``, one HTML page) or as a file (``write_…``, HTML, or a PDF where the file is called
so), in the language in use. What they tell was measured before: they draw what they are given.
"""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._report.charts import GivenUp, drawn, trade_off
    from biombo._report.document import Clause, PlainDocument, render_document, write_document
    from biombo._report.fonts import CHARACTERS, FACES, WHOLE, font_file, font_rules
    from biombo._report.html import (
        ReportPart,
        as_pdf,
        can_draw_pdf,
        is_pdf,
        page_content,
        refuse_without_drawing,
        software_version,
        write_page,
    )
    from biombo._report.release.analyst import utility_part
    from biombo._report.release.director import release_headline
    from biombo._report.release.facts import (
        ColumnFact,
        CriterionFact,
        DecisionFact,
        DialogueStep,
        DialogueVote,
        DialogueWaiver,
        GoesOut,
        NoisedFact,
        OfferFact,
        OperationFact,
        PublicationStep,
        ReleaseFacts,
        RequestedFact,
        StepFact,
        ValueFact,
        WaivedDetail,
        WaivedFact,
    )
    from biombo._report.release.page import render_release_report, write_release_report
    from biombo._report.release.requested import render_dialogue, write_dialogue
    from biombo._report.release.version import Version
    from biombo._report.risk.page import render_report, risk_parts, write_report
    from biombo._report.search.page import render_search_report, search_parts, write_search_report
    from biombo._report.verdict import advice_lines, risk_verdict, search_verdict
    from biombo._report.wording import displayed

__all__ = [
    "CHARACTERS",
    "FACES",
    "WHOLE",
    "Clause",
    "ColumnFact",
    "CriterionFact",
    "DecisionFact",
    "DialogueStep",
    "DialogueVote",
    "DialogueWaiver",
    "GivenUp",
    "GoesOut",
    "NoisedFact",
    "OfferFact",
    "OperationFact",
    "PlainDocument",
    "PublicationStep",
    "ReleaseFacts",
    "ReportPart",
    "RequestedFact",
    "StepFact",
    "ValueFact",
    "Version",
    "WaivedDetail",
    "WaivedFact",
    "advice_lines",
    "as_pdf",
    "can_draw_pdf",
    "displayed",
    "drawn",
    "font_file",
    "font_rules",
    "is_pdf",
    "page_content",
    "refuse_without_drawing",
    "release_headline",
    "render_dialogue",
    "render_document",
    "render_release_report",
    "render_report",
    "render_search_report",
    "risk_parts",
    "risk_verdict",
    "search_parts",
    "search_verdict",
    "software_version",
    "trade_off",
    "utility_part",
    "write_dialogue",
    "write_document",
    "write_page",
    "write_release_report",
    "write_report",
    "write_search_report",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
