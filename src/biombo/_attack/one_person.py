"""One adversary, one person: what the published table gives away (document 000, section 4.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._attack.evidence import code_of_value
from biombo._attack.scope import AttackScope
from biombo._cells import tallied
from biombo._data import Column, Dataset
from biombo._errors import UsageError


@dataclass(frozen=True, eq=False)
class Target:
    """What an adversary learns about one person. Personal: keep it out of public folders."""

    known: Mapping[str, str | None]
    candidates: int
    """Records that share what the adversary knows."""
    rows: int
    """Records in the table."""
    values: Mapping[str, pl.DataFrame]
    """Per sensitive column, the candidates' values: value, records, probability, and share in the whole table."""

    @property
    def reidentified(self) -> bool:
        """Is there only one record that it can be?"""
        return self.candidates == 1

    def guess(self, sensitive: str) -> tuple[Any, float]:
        """The adversary's best guess and the probability that it is right."""
        row = self.values[sensitive].row(0, named=True)
        return row["value"], row["probability"]


def target(data: Dataset, known: Mapping[str, str | None], *, sensitive: Sequence[str] | str | None = None) -> Target:
    """What an adversary who knows ``known`` about one person learns about the sensitive columns.

    All rows are candidates, those with invalid values in other columns too.

    >>> import polars as pl
    >>> from biombo._data import read
    >>> clinic = read(pl.DataFrame({"age": ["45", "45", "30"], "care": ["hormones", "hormones", "check-up"]}))
    >>> bruno = target(clinic, {"age": "45"}, sensitive="care")
    >>> bruno.candidates, bruno.guess("care")
    (2, ('hormones', 1.0))
    """
    scope = check_target(data, known, sensitive)
    matches = np.ones(data.rows, bool)
    for name, value in known.items():
        matches &= data[name].codes == code_of_value(data[name], value)
    candidates = data.records_in(matches)
    if candidates == 0:
        raise UsageError("attack.target-unknown", known=", ".join(f"{name}={value}" for name, value in known.items()))
    values = {name: _values(data, data[name], matches) for name in scope.sensitive}
    return Target(dict(known), candidates, data.records, values)


def check_target(data: Dataset, known: Mapping[str, str | None], sensitive: Sequence[str] | str | None) -> AttackScope:
    """Raise whatever can be known by the columns of ``data``; what the adversary knows, and what it wants."""
    if not known or not isinstance(known, Mapping):
        raise UsageError("attack.target-knows-nothing")
    return AttackScope.of(data, list(known), sensitive, max_size=1)


def _values(data: Dataset, column: Column, matches: NDArray[np.bool_]) -> pl.DataFrame:
    here = tallied(column.codes, column.cardinality, data.counts, matches)
    everywhere = tallied(column.codes, column.cardinality, data.counts)
    table = pl.DataFrame(
        {
            "value": column.values,
            "records": here,
            "probability": here / data.records_in(matches),
            "share": everywhere / data.records,
        }
    )
    return table.filter(pl.col("records") > 0).sort("records", descending=True, maintain_order=True)
