"""What all hierarchies have in common that are another one with something changed."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from biombo._hierarchy.hierarchy import Bounds, Hierarchy, Rows


@dataclass(frozen=True)
class Changed(Hierarchy):
    """``inner``, whose values and names it has."""

    inner: Hierarchy

    def _level_label(self, level: int) -> str:
        return self.inner.level_label(level)

    def _level_told(self, level: int) -> str:
        return self.inner.level_told(level)

    @property
    def values(self) -> Collection[str] | None:
        """The values that the inner hierarchy lists."""
        return self.inner.values

    def _examples(self) -> Iterable[str]:
        return self.inner.examples

    def _domain(self, level: int, bounds: Bounds | None) -> Iterable[str]:
        return self.inner._domain(level, bounds)

    def name_of(self, label: str) -> str | None:
        """What the inner hierarchy calls it."""
        return self.inner.name_of(label)

    @property
    def strict(self) -> Hierarchy:
        """The same without an answer of its own."""
        return self if self.inner.strict is self.inner else replace(self, inner=self.inner.strict)

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns that the inner hierarchy is read off."""
        return self.inner.reads

    def read_off(self, rows: Rows) -> Hierarchy:
        """The same with the inner hierarchy read off the table."""
        return replace(self, inner=self.inner.read_off(rows))

    @property
    def may_have_header(self) -> bool:
        """As in the inner hierarchy."""
        return self.inner.may_have_header

    def for_column(self, column: str) -> Hierarchy:
        """The same without a header in the inner hierarchy."""
        inner = self.inner.for_column(column)
        return self if inner is self.inner else replace(self, inner=inner)

    def is_beside(self, value: str) -> bool:
        """As in the inner hierarchy."""
        return self.inner.is_beside(value)
