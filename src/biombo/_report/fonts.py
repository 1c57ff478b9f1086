"""The font that reports carry along, so that they look the same wherever they are made and read."""

from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path

import font_source_sans_pro

WHOLE = Path(font_source_sans_pro.font_directory)
"""Where the whole font is, with letters of other scripts too: texts of charts are measured with it."""

MEASURED = "Source Sans Pro, Arial, sans-serif"
"""What the whole font is called, and what else letters are measured with."""

_OURS = "Biombo Sans"
"""What pages carry needs a name of its own: Source is reserved for the whole font."""

SHOWN = f"{_OURS}, -apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, Liberation Sans, DejaVu Sans, sans-serif"
"""What pages are shown in: ours, and the reader's own fonts for letters that it does not have."""

CHARACTERS = frozenset([*map(chr, range(0x20, 0x7F)), *map(chr, range(0xA0, 0x100)), *"–—‘’“”•…→−∞≈≠≤≥∏∑✓αβδε"])
"""What pages carry: the letters of Western Europe, and all marks that reports use."""

_LEGAL = {0, 13, 14}
"""Where a font says whose it is, by which licence it may be used, and where that is found."""


@dataclass(frozen=True)
class Face:
    """One style of the font: its file, and how CSS calls it."""

    file: str
    look: str

    def cut(self) -> bytes:
        """The font with the characters that reports use, compressed (WOFF2)."""
        from fontTools.subset import Options, Subsetter
        from fontTools.ttLib import TTFont

        options = Options(hinting=False, name_IDs=["*"], glyph_names=False)
        options.drop_tables += ["GDEF", "GPOS", "GSUB"]  # kerning: a hair's breadth, for half of the time
        cutter, written = Subsetter(options), BytesIO()
        cutter.populate(unicodes=map(ord, CHARACTERS))
        with TTFont(WHOLE / self.file, lazy=True, recalcTimestamp=False) as font:
            cutter.subset(font)
            font["name"].names = [name for name in font["name"].names if name.nameID in _LEGAL]
            font.flavor = "woff2"
            font.save(written, reorderTables=False)
        return written.getvalue()

    def rule(self) -> str:
        """The font as a rule of CSS that needs no other file."""
        source = f"url(data:font/woff2;base64,{b64encode(self.cut()).decode()}) format('woff2')"
        return f"@font-face {{ font-family: {_OURS}; {self.look}; src: {source}; }}"


FACES = (
    Face("SourceSansPro-Regular.ttf", "font-weight: 400"),
    Face("SourceSansPro-Bold.ttf", "font-weight: 700"),
    Face("SourceSansPro-It.ttf", "font-weight: 400; font-style: italic"),
)


@cache
def font_rules() -> str:
    """The font for a page: made once, as that takes longer than the page."""
    return "\n".join(face.rule() for face in FACES)


_NAMED = {"regular.woff2": FACES[0], "bold.woff2": FACES[1], "italic.woff2": FACES[2]}


@cache
def font_file(name: str) -> bytes | None:
    """One style of the font as a file, for pages that share it; none where there is no such file."""
    return _NAMED[name].cut() if name in _NAMED else None
