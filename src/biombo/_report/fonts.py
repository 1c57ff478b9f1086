"""The font that reports carry along, so that they look the same wherever they are made and read."""

from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path

import font_source_sans_pro

DIRECTORY = Path(font_source_sans_pro.font_directory)
"""Where the whole font is, with letters of other scripts too: texts of charts are measured with it."""

MEASURED = "Source Sans Pro"
"""What the whole font is called."""

_OTHERS = "-apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, Liberation Sans, DejaVu Sans, sans-serif"

FAMILIES = f"Biombo Sans, {_OTHERS}"
"""The fonts of a page: ours, and those of the reader for letters that it does not have."""

CHARACTERS = frozenset([*map(chr, range(0x20, 0x7F)), *map(chr, range(0xA0, 0x100)), *"–—‘’“”•…→−∞≈≠≤≥∏∑✓ε"])
"""What pages carry along: the letters of Western Europe, and all marks that reports use."""

_LEGAL = {0, 13, 14}
"""In a font: whose it is, the licence, and where that is found."""


@dataclass(frozen=True)
class Face:
    """One style of the font."""

    file: str
    weight: int
    style: str = "normal"

    def rule(self) -> str:
        """The style as a rule of CSS that needs no other file."""
        return (
            f"@font-face {{ font-family: Biombo Sans; font-weight: {self.weight}; font-style: {self.style}; "
            f"src: url(data:font/woff2;base64,{b64encode(self.cut()).decode()}) format('woff2'); }}"
        )

    def cut(self, characters: Iterable[str] = CHARACTERS) -> bytes:
        """The font with ``characters`` alone, and without its name, which is reserved for the whole font."""
        from fontTools.subset import Options, Subsetter
        from fontTools.ttLib import TTFont

        options = Options(hinting=False, layout_features=["kern"], name_IDs=["*"], glyph_names=False)
        options.drop_tables += ["GSUB"]
        cutter, written = Subsetter(options), BytesIO()
        cutter.populate(unicodes=map(ord, characters))
        with TTFont(DIRECTORY / self.file, lazy=True, recalcTimestamp=False) as font:
            font["name"].names = [name for name in font["name"].names if name.nameID in _LEGAL]
            cutter.subset(font)
            font.flavor = "woff2"
            font.save(written, reorderTables=False)
        return written.getvalue()


FACES = (
    Face("SourceSansPro-Regular.ttf", 400),
    Face("SourceSansPro-Bold.ttf", 700),
    Face("SourceSansPro-It.ttf", 400, "italic"),
)


@cache
def font_rules() -> str:
    """The font as rules of CSS: made once, as that takes longer than a page."""
    return "\n".join(face.rule() for face in FACES)
