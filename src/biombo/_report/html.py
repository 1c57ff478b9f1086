"""One HTML page that needs nothing else: templates filled in, what stands above and below, and the page as a PDF."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib import resources
from importlib.metadata import PackageNotFoundError, version
from itertools import count
from pathlib import Path

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from biombo._errors import UsageError
from biombo._files import PUBLIC, write_whole
from biombo._i18n import text
from biombo._report.blocks import Section
from biombo._report.fonts import SHOWN, font_rules
from biombo._report.wording import displayed, moment, rich

LONGEST = 160


def rendered(template: str, **content: object) -> str:
    """The page with this content; its figures, tables and captions are numbered as they come."""
    numbers = {name: count(1).__next__ for name in ("next_figure", "next_table", "next_id")}
    return (
        _environment()
        .get_template(template)
        .render(language=text("report.page.language"), font_rules=Markup(font_rules()), **numbers, **content)
    )


@dataclass(frozen=True)
class ReportPart:
    """A part of a report as a piece of HTML without styles or scripts of its own, for a page of somebody else."""

    name: str
    """What it is called by programs: the anchor of the section."""
    title: str
    html: str


def parts_of(sections: Iterable[Section]) -> tuple[ReportPart, ...]:
    """Sections of a report, each without its heading; figures and tables are numbered through all of them."""
    numbers = {name: count(1).__next__ for name in ("next_figure", "next_table")}
    return tuple(
        ReportPart(each.anchor, each.title, piece("part.html.j2", each.anchor, section=each, **numbers))
        for each in sections
    )


def piece(template: str, name: str, **content: object) -> str:
    """A piece of a page. What is marked in it begins with ``name``, so that several can share a page; charts that
    scroll can be reached by keys.
    """
    ids = count(1)
    marks = {"next_id": lambda: f"{name}-{next(ids)}", "focusable": True}
    return _environment().get_template(template).render(**marks, **content)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(t=text, rich=rich, fonts=SHOWN)
    return environment


def _source(name: str) -> str:
    return (resources.files("biombo._report") / "templates" / name).read_text("utf-8")


@dataclass(frozen=True)
class Masthead:
    """The lines above and below."""

    kicker: str
    title: str
    source: str
    """Where the rows came from, unless the title says so."""
    made: str
    footer: Markup

    @classmethod
    def of(cls, source: str, title: str | None, made_at: datetime | None, *, kicker: str, question: str) -> "Masthead":
        """``kicker`` and ``question`` are keys; the question is the title where none is given."""
        shown, when = displayed(source, longest=LONGEST), moment(made_at or datetime.now().astimezone())
        return cls(
            kicker=text(kicker),
            title=displayed(title, longest=LONGEST) if title else text(question, source=shown),
            source=shown if title else "",
            made=when,
            footer=rich("report.method.made", version=software_version(), time=when, source=shown),
        )


def software_version() -> str:
    """The version of Biombo, in words where it runs from its source folder."""
    try:
        return version("biombo")
    except PackageNotFoundError:
        return text("report.method.unversioned")


def write_page(path: str | Path, page: str, mode: int = PUBLIC) -> Path:
    """Write a page, whole or not at all, as HTML, or as a PDF where the name of the file ends so; gives the path."""
    write_whole(path, page_content(path, page), mode=mode)
    return Path(path)


def page_content(path: str | Path, page: str) -> str | bytes:
    """What to write to ``path`` for a page: HTML, or a PDF where it is called so."""
    return as_pdf(page) if is_pdf(path) else page


def is_pdf(path: str | Path) -> bool:
    """Is a page that is written there a PDF?"""
    return Path(path).suffix.lower() == ".pdf"


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
        import weasyprint  # noqa: F401
    except (ImportError, OSError):  # OSError: the package is there, but not the system's Pango
        return False
    return True
