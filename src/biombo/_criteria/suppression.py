"""Which records must go so that the groups of the others meet the criteria."""

from collections.abc import Sequence
from fractions import Fraction
from math import floor

import numpy as np

from biombo._criteria.base import Criterion
from biombo._criteria.columns import by_quasi
from biombo._criteria.judgement import Rows, judge
from biombo._data import Dataset
from biombo._hierarchy import exact


def suppression_limit(share: float, records: int) -> int:
    """How many of ``records`` may be suppressed: ⌊share · records⌋, in exact decimals.

    What a share lacks by less than a billionth, because no decimal says two ninths, counts as there.

    >>> suppression_limit(0.29, 100), suppression_limit(2 / 9, 9)
    (29, 2)
    """
    return floor(exact(share) * records + Fraction(1, 10**9))


def rows_to_suppress(
    data: Dataset,
    criteria: Sequence[Criterion],
    *,
    quasi: Sequence[str] | None = None,
    sensitive: Sequence[str] | None = None,
    keep: Rows | None = None,
    suppressed: Rows | None = None,
) -> Rows:
    """The rows of groups that fail, besides those ``suppressed`` already; of those that ``keep`` marks, if it does.

    Where criteria are about different sets of quasi columns, a record that goes for the one leaves a group of the other
    smaller; so this is repeated until nothing fails.
    """
    before = np.zeros(data.rows, bool) if suppressed is None else suppressed
    failing = np.zeros(data.rows, bool)
    used = data.schema.quasi if quasi is None else quasi
    several = len(by_quasi(criteria, used)) > 1
    while True:
        gone = before | failing
        judged = judge(data, criteria, quasi=used, sensitive=sensitive, keep=keep, suppressed=gone)
        found = judged.failing_rows()
        failing |= found
        if not several or not found.any() or (before | failing).all():
            return failing
