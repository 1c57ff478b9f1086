"""What operations on several columns together have in common."""

from biombo._documents import is_within_limit
from biombo._errors import UsageError
from biombo._hierarchy import Numerals
from biombo._plan.operations.operation import Operation
from biombo._plan.values.shift import MOST_DECIMALS


class SeveralColumns(Operation):
    """An operation whose entry ``columns`` names the columns that it changes."""

    columns_: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it changes."""
        return self.columns_


class SeveralNumbers(SeveralColumns):
    """The same for numbers, which are rounded to ``decimals``; values ``apart`` stay."""

    decimals: int
    apart: tuple[str, ...]
    decimal: str
    thousands: str

    @property
    def numerals(self) -> Numerals:
        """The marks in numbers that are text."""
        return Numerals(self.decimal, self.thousands)

    def check_numbers(self) -> None:
        """Raise where these entries make no sense."""
        object.__setattr__(self, "apart", tuple(sorted(set(self.apart))))
        if not is_within_limit(self, "columns_"):
            raise UsageError("plan.several-columns", name=self.name)
        if not is_within_limit(self, "decimals"):
            told = {"column": self.columns_[0], "value": self.decimals, "most": MOST_DECIMALS}
            raise UsageError("plan.noise-decimals", **told)
        _ = self.numerals
