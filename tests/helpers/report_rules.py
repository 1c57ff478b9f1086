"""What every report has to keep to: its tags, its language, and the names that try to break it."""

import re

from biombo._i18n import _catalogue
from biombo._report import font_rules

ALLOWED_TAGS = {
    *("html", "head", "meta", "title", "style", "body", "header", "main", "section", "nav", "footer", "div", "span"),
    *("h1", "h2", "h3", "p", "br", "b", "em", "strong", "var", "ul", "ol", "li", "dl", "dt", "dd", "a"),
    *("figure", "figcaption", "details", "summary", "table", "thead", "tbody", "tr", "th", "td"),
    *("svg", "g", "path", "line", "rect", "text", "desc"),
    *("math", "mi", "mo", "mn", "mtext", "mspace", "mrow", "mfrac", "msub", "msup", "munder", "mtable", "mtr", "mtd"),
}
ALLOWED_ATTRIBUTES = {
    "data-head",
    "data-hint",
    *("lang", "charset", "name", "content", "http-equiv", "id", "class", "href", "scope", "role", "tabindex"),
    *("aria-label", "aria-labelledby", "aria-hidden", "displaystyle", "columnalign", "stretchy"),
    *("d", "transform", "x", "y", "x2", "y2", "width", "height", "viewbox", "xmlns", "fill", "fill-opacity"),
    *("stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "opacity", "text-anchor", "font-size"),
    *("font-weight",),
}
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(2)>',
    "</text></svg><script>alert(3)</script>",
    "{{ 7 * 7 }}{% raw %}",
    "' onload='alert(4)",
    "]]><!--",
    "a.b[0]\\'\"",
    "javascript:alert(5)",
]
ENGLISH = {
    "the",
    "and",
    "of",
    "with",
    "without",
    "records",
    "record",
    "column",
    "columns",
    "part",
    "known",
    "right",
    "is",
}


def fetched_by(page: str) -> list[str]:
    """What a page would fetch from elsewhere. Its font is in the page itself; a namespace is a name, not an address."""
    alone = page.replace(font_rules(), "")
    assert alone != page, "the page has its font"
    addresses = set(re.findall(r"(?:https?:)?//[^\s\"'<>)]+", alone)) - {"http://www.w3.org/2000/svg"}
    return [*addresses, *re.findall(r"\b(?:src|srcset|action|data)\s*=|@import|url\(", alone)]


def english_in(text: str) -> list[str]:
    """What is left of the English catalogue in a Portuguese text."""
    words = set(re.findall(r"[a-zà-ú]+", text.lower()))
    return [piece for piece in english_pieces() if piece in text] + sorted(words & ENGLISH)


def english_pieces() -> list[str]:
    """Pieces of English texts that Portuguese ones do not have."""
    english, portuguese = _catalogue("en"), _catalogue("pt")
    return [
        piece
        for key in english
        if key.startswith("report.") and english[key] != portuguese[key]
        for piece in fixed_words(english[key])
    ]


def fixed_words(template: str) -> list[str]:
    """What stays of a text when its placeholders are filled in, as far as it is long enough to be told."""
    plain = re.sub(r"<[^>]+>", "", template)
    return [piece.strip() for piece in re.split(r"\{[^}]*\}", plain) if len(piece.strip()) > 11]
