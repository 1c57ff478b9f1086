"""A chart as an SVG to put into a page: drawn offline, with a title and a description, stripped to what is seen."""

import re
from typing import Any
from xml.etree import ElementTree

import vl_convert
from markupsafe import Markup

from biombo._i18n import language
from biombo._report.charts.style import AnyChart, config

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


def drawn(chart: AnyChart, title: str, description: str) -> Markup:
    """The SVG of ``chart``; ``title`` and ``description`` are what a screen reader reads in its place."""
    svg = vl_convert.vegalite_to_svg(
        chart.to_dict(validate=False),  # half of the time, for charts that are all ours
        config=config(),
        format_locale="pt-BR" if language() == "pt" else "en-US",
        allowed_base_urls=[],
    )
    root = ElementTree.fromstring(svg)
    for element in list(root.iter()):
        _strip(element)
    root.set("role", "img")
    for position, (tag, content) in enumerate({"title": title, "desc": description}.items()):
        root.insert(position, _element(tag, content))
    ElementTree.register_namespace("", _NAMESPACE[1:-1])
    return Markup(ElementTree.tostring(root, encoding="unicode"))


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


def _element(tag: str, content: str) -> Any:
    element = ElementTree.Element(f"{_NAMESPACE}{tag}")
    element.text = content
    return element
