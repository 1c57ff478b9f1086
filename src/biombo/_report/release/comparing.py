"""The original and the release, attacked and compared."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace

from biombo._attack import Risk, risk
from biombo._attack.question import QUASI_AT_MOST, subsets
from biombo._data import Dataset, Schema
from biombo._errors import BiomboError, BiomboWarning
from biombo._plan import Plan
from biombo._utility import Utility, utility

_SUBSETS = 1 << 12
"""So many combinations of columns are tried; with more, fewer columns are combined."""


@dataclass(frozen=True, eq=False)
class Compared:
    """What the original and the release tell, and what was lost between them."""

    before: Risk | None
    after: Risk | None
    utility: Utility | None
    not_compared: str
    """Why there is no utility, where it is so."""

    @classmethod
    def of(cls, original: Dataset, released: Dataset, plan: Plan, used: Schema) -> "Compared":
        """Attack both tables by the columns of ``used``, every value counting as it is written, and compare them."""
        before, after = (_attacked(data, used.quasi, used.sensitive) for data in (original, released))
        try:
            return cls(before, after, utility(original, released, plan=plan, schema=used), "")
        except BiomboError as error:  # such as: no column in common, since all are pseudonyms
            return cls(before, after, None, str(error))


def columns_to_compare(plan: Plan, used: Schema, there: Sequence[str]) -> list[str]:
    """The columns of the original that it takes: all but identifiers that nothing reads."""
    read = {name for operation in plan.operations for name in operation.reads} | {used.person}
    return [name for name in there if used[name].role != "identifier" or name in read]


def _attacked(data: Dataset, quasi: Sequence[str], sensitive: Sequence[str]) -> Risk | None:
    known = [name for name in quasi if name in data.columns]
    wanted = [name for name in sensitive if name in data.columns]
    if not known or len(known) > QUASI_AT_MOST or data.rows == 0:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BiomboWarning)  # the report says it in its own words
        return risk(replace(data, schema=Schema()), known, wanted, _most_columns(len(known)))


def _most_columns(columns: int) -> int:
    """How many columns can be combined without trying too many combinations."""
    return max(size for size in range(1, columns + 1) if size == 1 or subsets(columns, size) <= _SUBSETS)
