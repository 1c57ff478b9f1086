"""A report read back: what a person sees, and what a browser gets."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = {"meta", "br", "link", "img", "input", "hr"}
_INLINE = {"a", "b", "em", "span", "strong", "var"}
_NUMBERED = re.compile(r"^(Table|Tabela|Figure|Figura) \d+\. ")


@dataclass
class Seen:
    """A page, taken apart."""

    tags: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    tables: dict[str, list[list[list[str]]]] = field(default_factory=dict)
    """By caption: tables as rows of cells, the headings first."""
    figures: list[str] = field(default_factory=list)
    """Captions, in order."""
    svgs: list[dict[str, list[str]]] = field(default_factory=list)
    """Per picture: its ``title``, ``desc`` and ``text`` contents."""
    paragraphs: list[str] = field(default_factory=list)
    text: str = ""
    """All that is read: texts, and titles and descriptions of pictures; formulas and styles left out; on one line."""

    def table(self, caption: str, nth: int = 0) -> list[dict[str, str]]:
        """The rows of the first table, or of a later one, with that caption, by heading."""
        headings, *rows = self.tables[caption][nth]
        return [dict(zip(headings, row, strict=True)) for row in rows]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.seen = Seen()
        self.open: list[str] = []
        self.caption = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.tags.add(tag)
        self._part(tag)
        self.seen.attributes.update(name for name, _ in attrs)
        if tag not in _VOID:
            self.open.append(tag)
        if tag == "svg":
            self.seen.svgs.append({"title": [], "desc": [], "text": []})
        if tag == "table":
            self.seen.tables.setdefault(self.caption, []).append([])
        if tag == "tr":
            self._rows.append([])
        if tag in ("th", "td"):
            self._rows[-1].append("")
        if tag == "p":
            self.seen.paragraphs.append("")
        if tag == "figcaption":
            self.seen.figures.append("")

    def _part(self, tag: str) -> None:
        """Words on both sides of a tag are apart, unless it stands within a line."""
        if tag not in _INLINE:
            self.seen.text += " "

    @property
    def _rows(self) -> list[list[str]]:
        return self.seen.tables[self.caption][-1]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes something else"
        self._part(tag)
        if tag == "p":
            self.caption = _NUMBERED.sub("", self.seen.paragraphs[-1])
        if tag == "figcaption":
            self.seen.figures[-1] = _NUMBERED.sub("", self.seen.figures[-1])

    def handle_data(self, data: str) -> None:
        if "style" in self.open or "math" in self.open:
            return
        self.seen.text += data
        if "svg" in self.open and self.open[-1] in self.seen.svgs[-1]:
            self.seen.svgs[-1][self.open[-1]].append(data)
        elif "th" in self.open or "td" in self.open:
            self._rows[-1][-1] += data
        elif "figcaption" in self.open:
            self.seen.figures[-1] += data
        elif "p" in self.open:
            self.seen.paragraphs[-1] += data


def read_back(page: str) -> Seen:
    """Take a page apart; fails where tags do not match."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    reader.seen.text = " ".join(reader.seen.text.split())
    return reader.seen
