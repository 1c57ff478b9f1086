"""``report``: what was found as one HTML page."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from biombo._errors import UsageError
from biombo._i18n import language

if TYPE_CHECKING:
    from biombo._attack import Risk, RiskByPart
    from biombo._release import Release
    from biombo._requests.publish import PublishOutcome
    from biombo._requests.risk import RiskOutcome
    from biombo._requests.search import SearchOutcome
    from biombo._search import JointResult, SearchResult


def report(
    found: "Risk | RiskByPart | SearchResult | JointResult | Release | RiskOutcome | SearchOutcome | PublishOutcome",
    out: str | Path | None = None,
    **told: Any,
) -> str:
    """The report on a risk, a search or a release as one HTML page, in the language in use.

    Args:
        found: What :func:`biombo.risk`, :func:`biombo.risk_by_part`, :func:`biombo.search` or :func:`biombo.publish`
            gave, or what came of a request, which knows the rest by itself.
        out: The file to write, whole or not at all: HTML, or a PDF where it is called so. That of a search is readable
            by the user alone.
        told: What the page is told besides, where ``found`` is not of a request: ``source`` (in words; by default what
            the table is called), ``title``, ``labels`` by column (by default those of the schema); ``membership`` for
            a risk; ``frontier`` and ``explanations`` for a search. For a release, ``private=True`` gives the private
            page.

    >>> import biombo as bb
    >>> data = bb.read(bb.samples.clinic())
    >>> page = bb.report(bb.risk(data, ["age", "city"], "disease"), source="The clinic")
    >>> page.lower().startswith("<!doctype html>"), "The clinic" in page
    (True, True)
    """
    from biombo._attack import Risk, RiskByPart
    from biombo._files import PRIVATE, PUBLIC
    from biombo._report import render_report, render_search_report, write_page
    from biombo._search import JointResult, SearchResult

    searched = isinstance(found, SearchResult | JointResult)
    if isinstance(found, Risk | RiskByPart):
        page = render_report(found, **(_about(found) | told))
    elif isinstance(found, SearchResult | JointResult):
        page = render_search_report(found, **(_about(found) | told))
    elif hasattr(found, "page"):
        page, searched = found.page(**told), bool(told.get("private"))
    elif hasattr(found, "request"):
        page = found.report(**told)
        searched = found.request.kind == "search" or bool(told.get("private"))
    else:
        raise UsageError("request.no-report", type=type(found).__name__)
    if out is not None:
        write_page(out, page, PRIVATE if searched else PUBLIC)
    return page


def _about(found: "Risk | RiskByPart | SearchResult | JointResult") -> dict[str, Any]:
    """What the data of ``found`` are called, and their columns."""
    from biombo._attack import Risk, RiskByPart

    if isinstance(found, Risk):
        data = found.reidentification.evidence.data
    elif isinstance(found, RiskByPart):
        data = next(iter(found.parts.values())).reidentification.evidence.data
    else:
        data = found.question.data
    return {"source": data.title, "labels": data.schema.labels(language())}


def refuse_page(path: str | Path) -> None:
    """Raise before long work for a PDF that could not be drawn."""
    from biombo._report import is_pdf, refuse_without_drawing

    if is_pdf(path):
        refuse_without_drawing()
