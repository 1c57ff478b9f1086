"""What came of a synthesis."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from biombo._glance import Glance, Result, columns
from biombo._i18n import integer, text
from biombo._synthesis.filling import Filling
from biombo._synthesis.private.guarantee import Guarantee
from biombo._synthesis.risk import SyntheticRisk
from biombo._synthesis.tree import Edge


@dataclass(frozen=True, eq=False, repr=False)
class Synthesis(Result):
    """A synthetic table, and what there is to know of it. Made by :func:`biombo.synthesise`. All but ``data`` tells
    about the original: keep it private.
    """

    source: str
    """What the original is called."""
    records: int
    """Records of the result."""
    replaced: int
    """Of these, the synthetic ones: they are about nobody, and count as no people."""
    columns: tuple[str, ...]
    """The columns that were synthesised."""
    kept: tuple[str, ...]
    """The columns that are original, record by record."""
    k: int
    tree: tuple[Edge, ...]
    """Each column with the one that it was drawn by."""
    rare: Mapping[str, int]
    """By column: records whose value was never drawn, because fewer than k people have it, or no domain lists it."""
    beyond: Mapping[str, int]
    """By column: records more extreme than anything that was drawn."""
    redrawn: Mapping[str, int]
    """By constraint: how often a drawn record broke it, and was drawn anew."""
    guarantee: Guarantee | None
    """What differential privacy guarantees; none where there is none."""
    held_out: int
    """Records that the model was not fitted on."""
    risk: SyntheticRisk | None
    """What attacks gain; none where nothing could be held out."""
    out: Path | None
    data: Any = field(repr=False)
    """The result itself, where no file was asked for, as the kind of table that was given."""
    filling: Filling | None = None
    """What was added beside people who stand out, where that was asked for."""

    def sentences(self) -> list[str]:
        """What was done, what it guarantees and what was measured, in the language in use."""
        filled = [] if self.filling is None else [*self.filling.sentences()]
        return [*self._made(), *filled, *self._promised(), *([] if self.risk is None else self.risk.sentences())]

    def _made(self) -> Iterator[str]:
        told = {"source": self.source, "records": self.records, "replaced": self.replaced}
        yield text("synthesis.made", columns=", ".join(self.columns), **told)
        if self.kept or self.replaced < self.records:
            yield text("synthesis.partial", columns=", ".join(self.kept) or "–", records=self.records - self.replaced)
        if extremes := [name for name, records in self.beyond.items() if records]:
            yield text("synthesis.extremes", columns=", ".join(extremes), k=self.k)
        if rare := [name for name, records in self.rare.items() if records]:
            yield text("synthesis.rare", columns=", ".join(rare), k=self.k)
        for constraint, times in self.redrawn.items():
            yield text("synthesis.redrawn", constraint=constraint, times=times)

    def _promised(self) -> Iterator[str]:
        if self.guarantee is None:
            yield text("synthesis.no-guarantee")
        else:
            yield from self.guarantee.sentences()
        if self.risk is None:
            yield text("synthesis.not-measured")

    def _glance(self) -> Glance:
        line = text("glance.synthesis.line", source=self.source, records=self.records, replaced=self.replaced)
        shown = [(name, parent or "–", integer(self.rare.get(name, 0))) for name, parent in self.tree]
        below = [] if self.risk is None else [self.risk._glance()]
        promised = Glance(next(self._promised()))
        return Glance(line, columns("column", "drawn-by", "rare"), shown, [promised, *below])

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values, without the records."""
        return {
            "source": self.source,
            "out": None if self.out is None else str(self.out),
            "records": self.records,
            "synthetic": self.replaced,
            "columns": list(self.columns),
            "kept": list(self.kept),
            "k": self.k,
            "tree": [{"column": name, "drawn_by": parent} for name, parent in self.tree],
            "rare": dict(self.rare),
            "beyond": dict(self.beyond),
            "redrawn": dict(self.redrawn),
            "guarantee": None if self.guarantee is None else self.guarantee.as_json(),
            "held_out": self.held_out,
            "risk": None if self.risk is None else self.risk.as_json(),
            "filling": None if self.filling is None else self.filling.as_json(),
        }
