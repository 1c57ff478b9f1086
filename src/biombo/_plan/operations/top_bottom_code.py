"""Top and bottom coding: the ends of a range become one value each."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from biombo._data import Role
from biombo._engine import Step
from biombo._errors import UsageError
from biombo._hierarchy import Numerals, exact, plain
from biombo._plan.operations.operation import Context, RowOperation
from biombo._plan.values.numbers import RewrittenNumbers


@dataclass(frozen=True)
class TopBottomCode(RowOperation):
    """Numbers from ``top`` up become ``≥ top``, those down from ``bottom`` become ``≤ bottom``; the others stay.

    Few people are at the ends of a range, and known for it. Missing values and those in ``apart``, such as 999 for an
    unknown age, stay. ``decimal`` and ``thousands`` are the marks in numbers that are text. The column becomes text.

    >>> TopBottomCode("age", bottom=18, top=90, apart=["999"]).to_tree()
    {'top-bottom-code': {'column': 'age', 'bottom': 18, 'top': 90, 'apart': ['999']}}
    """

    name: ClassVar[str] = "top-bottom-code"
    roles: ClassVar[tuple[Role, ...]] = ("quasi", "sensitive", "other")
    truthful: ClassVar[bool] = True
    reversible: ClassVar[bool] = False
    leaks: ClassVar[str] = "plan.leaks.top-bottom-code"

    column: str
    bottom: float | None = None
    top: float | None = None
    apart: tuple[str, ...] = ()
    decimal: str = "."
    thousands: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "apart", tuple(sorted(set(self.apart))))
        for entry in ("bottom", "top"):
            if (limit := getattr(self, entry)) is not None:
                object.__setattr__(self, entry, plain(limit, entry))
        if self.bottom is None and self.top is None:
            raise UsageError("plan.no-end", column=self.column)
        if self.bottom is not None and self.top is not None and self.bottom >= self.top:
            raise UsageError("plan.ends", column=self.column, bottom=self.bottom, top=self.top)
        Numerals(self.decimal, self.thousands)

    def start(self, context: Context) -> Step:  # noqa: ARG002
        """Look at each distinct number once."""
        bottom = None if self.bottom is None else exact(self.bottom)
        top = None if self.top is None else exact(self.top)

        def coded(number: Fraction, numerals: Numerals) -> str | None:
            if bottom is not None and number <= bottom:
                return f"≤ {numerals.write(bottom)}"
            if top is not None and number >= top:
                return f"≥ {numerals.write(top)}"
            return None

        return RewrittenNumbers(self.column, self.apart, Numerals(self.decimal, self.thousands), coded)
