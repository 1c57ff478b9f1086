"""A page of ours as a PDF, by its print style."""

import logging
from functools import cache
from warnings import filterwarnings

from biombo._errors import UsageError
from biombo._report.fonts import SHOWN


def as_pdf(page: str) -> bytes:
    """The HTML ``page`` as a tagged PDF, drawn without a look at anything outside of it."""
    refuse_without_drawing()
    from weasyprint import HTML
    from weasyprint.urls import URLFetcher

    logging.getLogger("weasyprint").setLevel(logging.ERROR)  # else each rule that is for screens only is told
    lettered = page.replace("<svg ", f'<svg font-family="{SHOWN}" ')  # the page's style does not reach into pictures
    pdf: bytes = HTML(string=lettered, url_fetcher=URLFetcher(allowed_protocols={"data"})).write_pdf(pdf_tags=True)
    return pdf


def refuse_without_drawing() -> None:
    """Raise where WeasyPrint, or the libraries of the system that it draws with, are missing."""
    if not can_draw_pdf():
        raise UsageError("release.no-pdf")


@cache
def can_draw_pdf() -> bool:
    """Is there what PDFs are drawn with?"""
    try:
        filterwarnings("ignore", module="weasyprint")  # of a machine without fonts: pages bring theirs
        import weasyprint  # noqa: F401
    except (ImportError, OSError):  # OSError: the package is there, but not the system's Pango
        return False
    return True
