"""Mask some characters of each value."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import ClassVar

from biombo._data import MOST_VALUES, Role, ValueSample
from biombo._documents import is_within_limit, limited
from biombo._engine import Batch, Step, Summary, Warn
from biombo._errors import UsageError
from biombo._hierarchy import TOP
from biombo._i18n import text
from biombo._plan.operations.operation import Context, RowOperation
from biombo._plan.values.checked_numbers import given_away
from biombo._plan.values.distinct_values import Remembered, relabelled
from biombo._plan.values.numbers import is_text


@dataclass(frozen=True)
class MaskCharacters(RowOperation):
    """Put the mark ``with`` for the characters of ``column`` at ``positions``, or for all but the first and last few.

    Positions count from 1, and from the end when negative. ``separators`` stay and do not count. With ``hide-length``
    hidden characters that stand together become one mark. A value of which nothing would be hidden, because it is too
    short, is hidden whole; a missing one stays.

    It warns where the hidden part is given away: by check digits that stay visible, or by its length.

    >>> MaskCharacters("zip", with_="x", keep_first=2).masked("100111")
    '10xxxx'
    >>> MaskCharacters("cpf", positions=[1, 2, 3, -2, -1], separators=".-").masked("529.982.247-25")
    '***.982.247-**'
    """

    name: ClassVar[str] = "mask-characters"
    roles: ClassVar[tuple[Role, ...]] = ("quasi", "sensitive", "other")
    truthful: ClassVar[bool] = True
    reversible: ClassVar[bool] = False
    leaks: ClassVar[str] = "plan.leaks.mask-characters"

    column: str
    with_: str = TOP
    keep_first: int = field(default=0, metadata=limited(0))
    keep_last: int = field(default=0, metadata=limited(0))
    positions: tuple[int, ...] = ()
    hide_length: bool = False
    separators: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "positions", tuple(sorted(set(self.positions))))
        object.__setattr__(self, "separators", "".join(sorted(set(self.separators))))
        if len(self.with_) != 1 or self.with_ in self.separators:
            raise UsageError("plan.mark", column=self.column, mark=self.with_)
        if not all(is_within_limit(self, kept) for kept in ("keep_first", "keep_last")) or 0 in self.positions:
            raise UsageError("plan.positions", column=self.column)
        if self.positions and (self.keep_first or self.keep_last):
            raise UsageError("plan.positions-and-kept", column=self.column)

    def hidden(self, value: str) -> list[bool]:
        """Which characters of ``value`` are hidden."""
        places = [place for place, sign in enumerate(value) if sign not in self.separators]
        chosen = {places[number] for number in self._chosen(len(places))} or set(places)
        return [place in chosen for place in range(len(value))]

    def masked(self, value: str) -> str:
        """``value`` with the mark for what is hidden."""
        return self.with_marks(value, self.hidden(value))

    def with_marks(self, value: str, hidden: Sequence[bool]) -> str:
        """``value`` with the mark for the characters that ``hidden`` says."""
        signs = zip(value, hidden, strict=True)
        if not self.hide_length:
            return "".join(self.with_ if is_hidden else sign for sign, is_hidden in signs)
        runs = groupby(signs, key=lambda sign: sign[1])
        return "".join(self.with_ if is_hidden else "".join(sign for sign, _ in run) for is_hidden, run in runs)

    def start(self, context: Context) -> Step:  # noqa: ARG002
        """Mask each distinct value of a batch once."""
        return _Masking(self)

    def _chosen(self, length: int) -> Sequence[int]:
        """Which of ``length`` characters, counted from 0, are to be hidden."""
        if not self.positions:
            return range(self.keep_first, length - self.keep_last)
        counted = (position - 1 if position > 0 else length + position for position in self.positions)
        return [number for number in counted if 0 <= number < length]


class _Masking(Step):
    """Remembers what may have to be warned of."""

    def __init__(self, operation: MaskCharacters) -> None:
        self._operation = operation
        self._met: Counter[str] = Counter()
        self._hidden_lengths: set[int] = set()
        self._masked = Remembered(self._mask)
        self._numeric = False

    def __call__(self, batch: Batch) -> Batch:
        name = self._operation.column
        chunk = batch.table.column(name)
        self._numeric |= not is_text(chunk)
        return batch.with_column(name, relabelled(chunk, name, self._labels))

    def summary(self) -> Summary:
        """The values that it met, and how many characters it hid."""
        return _Met(self._operation, Counter(self._met), frozenset(self._hidden_lengths), self._numeric)

    def _labels(self, values: Sequence[str | None], rows: Sequence[int]) -> Sequence[str | None]:
        for value, count in zip(values, rows, strict=True):
            if value is not None and (len(self._met) < MOST_VALUES or value in self._met):
                self._met[value] += count
        return self._masked(values, rows)

    def _mask(self, value: str) -> str:
        hidden = self._operation.hidden(value)
        if value:
            self._hidden_lengths.add(sum(hidden))
        return self._operation.with_marks(value, hidden)


@dataclass(frozen=True, eq=False)
class _Met(Summary):
    operation: MaskCharacters
    values: Counter[str]
    """Up to so many, with their records."""
    hidden_lengths: frozenset[int]
    numeric: bool

    def merged(self, other: "_Met") -> "_Met":
        values = Counter(dict((self.values + other.values).most_common(MOST_VALUES)))
        lengths = self.hidden_lengths | other.hidden_lengths
        return _Met(self.operation, values, lengths, self.numeric or other.numeric)

    def tell(self, warn: Warn) -> None:
        """Warn where the hidden part is given away."""
        column, met = self.operation.column, ValueSample(tuple(self.values), tuple(self.values.values()), self.numeric)
        if found := given_away(met, self.operation.hidden):
            warn(text("plan.warnings.check-digits", column=column, **vars(found)))
        if len(self.hidden_lengths) > 1 and not self.operation.hide_length:
            lengths = {"shortest": min(self.hidden_lengths), "longest": max(self.hidden_lengths)}
            warn(text("plan.warnings.length", column=column, **lengths))
