"""A chart as an SVG to put into a page: drawn offline, with a title and a description, stripped to what is seen."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any
from xml.etree import ElementTree

from markupsafe import Markup

from biombo._i18n import language
from biombo._report.charts.style import TEXT, config
from biombo._report.charts.vega_lite import Specification
from biombo._report.fonts import CHARACTERS, WHOLE

_NAMESPACE = "{http://www.w3.org/2000/svg}"
_SHAPES = {"path", "line", "rect", "text"}
_GROUPS = {"svg", "g"}
_KEPT = {
    *("d", "transform", "x", "y", "x2", "y2", "width", "height", "viewBox"),
    *("fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "opacity"),
    *("text-anchor", "font-size", "font-weight"),
}
"""All that a picture needs. What is not listed never reaches the page, whatever the names in the data are."""

_LONG_DECIMAL = re.compile(r"(\d+\.\d{2})\d+")

Drawer = Callable[[Specification], ElementTree.Element]
"""Makes an SVG of a specification."""


def drawn(chart: Specification, title: str, description: str) -> Markup:
    """The SVG of ``chart``; ``title`` and ``description`` are what a screen reader reads in its place."""
    root = _drawer.get()(chart)
    root.set("role", "img")
    for position, (tag, content) in enumerate({"title": title, "desc": description}.items()):
        root.insert(position, _element(tag, content))
    ElementTree.register_namespace("", _NAMESPACE[1:-1])
    return Markup(ElementTree.tostring(root, encoding="unicode"))


def as_picture(chart: Specification) -> ElementTree.Element:
    """The chart drawn offline, stripped to what is seen."""
    import vl_convert  # which the headline of a page does not need

    _register_fonts()
    root = ElementTree.fromstring(
        vl_convert.vegalite_to_svg(
            chart,
            config=config(_room(chart)),
            format_locale="pt-BR" if language() == "pt" else "en-US",
            allowed_base_urls=[],
        )
    )
    for element in list(root.iter()):
        _strip(element)
    return root


def as_specification(chart: Specification) -> ElementTree.Element:
    """The specification itself, as one text: whoever compares pages sees whether a chart tells the same, undrawn."""
    root = _element("svg")
    root.append(_element("text", json.dumps(chart, sort_keys=True, ensure_ascii=False, allow_nan=False)))
    return root


_drawer: ContextVar[Drawer] = ContextVar("biombo_drawer", default=as_picture)


@contextmanager
def drawing(drawer: Drawer) -> Iterator[None]:
    """Draw all charts of the pages that are made in this block by :func:`as_picture` or :func:`as_specification`."""
    before = _drawer.set(drawer)
    try:
        yield
    finally:
        _drawer.reset(before)


def _room(chart: Specification) -> float:
    """By how much a text may be wider than it was measured: letters that the font lacks are shown in another one."""
    if CHARACTERS.issuperset(json.dumps(chart, ensure_ascii=False)):
        return 0
    return TEXT / 2 * max(sum(letter not in CHARACTERS for letter in text) for text in _texts(chart))


def _texts(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict | list):
        for each in part.values() if isinstance(part, dict) else part:
            yield from _texts(each)


@cache
def _register_fonts() -> None:
    import vl_convert

    vl_convert.register_font_directory(str(WHOLE))


def _strip(element: ElementTree.Element) -> None:
    """Leave only shapes that are seen, and the attributes that shape them."""
    for child in list(element):
        if not _is_seen(child):
            element.remove(child)
    kept = {name: value for name, value in element.attrib.items() if name in _KEPT}
    element.attrib.clear()
    element.attrib.update({name: _LONG_DECIMAL.sub(r"\1", value) for name, value in kept.items()})


def _is_seen(element: ElementTree.Element) -> bool:
    tag = element.tag.removeprefix(_NAMESPACE)
    if tag in _GROUPS:
        return any(_is_seen(child) for child in element)
    if tag == "path":
        return element.get("display") != "none" and element.get("d") not in ("", "M0,0h0v0h0Z")
    return tag in _SHAPES


def _element(tag: str, content: str | None = None) -> ElementTree.Element:
    element = ElementTree.Element(f"{_NAMESPACE}{tag}")
    element.text = content
    return element
