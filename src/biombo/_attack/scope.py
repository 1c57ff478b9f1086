"""What is asked of a table: which columns an adversary knows, which ones it wants, how many it may combine."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from biombo._data import QUASI_AT_MOST, Dataset
from biombo._errors import ColumnError, UsageError

SUBSETS_WITHOUT_MAX_SIZE = 1 << 17
SUBSETS_AT_MOST = 1 << 22
SENSITIVE_AT_MOST = 32
ROWS_AT_MOST = (1 << 32) - 1


@dataclass(frozen=True)
class AttackScope:
    """The quasi and sensitive columns of an attack, checked against the table."""

    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    max_size: int

    @classmethod
    def of(
        cls,
        data: Dataset,
        quasi: Sequence[str] | None,
        sensitive: Sequence[str] | str | None,
        max_size: int | None,
    ) -> "AttackScope":
        """The columns named, or else those of the schema. One sensitive column may be given by its name alone."""
        if not isinstance(data, Dataset):
            raise UsageError("attack.not-read", type=type(data).__name__)
        if isinstance(quasi, str):
            raise UsageError("usage.string-for-list", argument="quasi", value=quasi)
        if isinstance(sensitive, str):
            sensitive = [sensitive]
        known = tuple(data.schema.quasi if quasi is None else quasi)
        wanted = tuple(data.schema.sensitive if sensitive is None else sensitive)
        _check_columns(data, known, wanted)
        return cls(known, wanted, _checked_size(len(known), max_size))


def subsets(columns: int, max_size: int) -> int:
    """How many subsets of 1 to ``max_size`` columns there are.

    >>> subsets(7, 7)
    127
    """
    return sum(comb(columns, size) for size in range(1, max_size + 1))


def _check_columns(data: Dataset, quasi: tuple[str, ...], sensitive: tuple[str, ...]) -> None:
    if not quasi:
        raise UsageError("attack.no-quasi", source=data.label)
    if len(quasi) > QUASI_AT_MOST or len(sensitive) > SENSITIVE_AT_MOST:
        raise UsageError("attack.too-many-columns", quasi=QUASI_AT_MOST, sensitive=SENSITIVE_AT_MOST)
    if data.rows > ROWS_AT_MOST:
        raise UsageError("attack.too-many-rows", rows=data.rows, most=ROWS_AT_MOST)
    for name in (*quasi, *sensitive):
        data[name]
    both = [name for name in sensitive if name in quasi]
    if both:
        raise ColumnError("attack.both-roles", column=both[0])
    repeated = [name for columns in (quasi, sensitive) for name in columns if columns.count(name) > 1]
    if repeated:
        raise ColumnError("attack.repeated", column=repeated[0])
    if len(sensitive) > 1 and joint_name(sensitive) in quasi:
        raise ColumnError("attack.joint-name", column=joint_name(sensitive))
    if data.schema.person in (*quasi, *sensitive):
        raise ColumnError("attack.person", column=data.schema.person)


def _checked_size(columns: int, max_size: int | None) -> int:
    if max_size is not None and (not isinstance(max_size, int) or max_size < 1):
        raise UsageError("attack.max-size", max_size=max_size)
    size = min(max_size or columns, columns)
    most = SUBSETS_AT_MOST if max_size else SUBSETS_WITHOUT_MAX_SIZE
    if subsets(columns, size) > most:
        fits = max((s for s in range(1, size) if subsets(columns, s) <= most), default=1)
        raise UsageError("attack.too-many-subsets", subsets=subsets(columns, size), columns=columns, fits=fits)
    return size


def joint_name(sensitive: Sequence[str]) -> str:
    """What several sensitive columns are called when they are guessed together."""
    return "+".join(sensitive)
