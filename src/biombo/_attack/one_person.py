"""One adversary, one person: what the published table gives away (Gonze et al. 2024, section 4.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._attack.evidence import code_of_value
from biombo._attack.scope import AttackScope
from biombo._cells import tallied
from biombo._data import Column, Dataset, as_dataset, named_values
from biombo._errors import UsageError
from biombo._frames import Frame
from biombo._glance import Glance, Glanced


@dataclass(frozen=True, eq=False, repr=False)
class Target(Glanced):
    """What an adversary learns about one person. Personal: keep it out of public folders."""

    known: Mapping[str, str | None]
    candidates: int
    """Records that share what the adversary knows."""
    rows: int
    """Records in the table."""
    values: Mapping[str, pl.DataFrame]
    """Per sensitive column, the candidates' values: value, records, probability, and share in the whole table."""

    labels: Mapping[str, Mapping[Any, str]] = field(default_factory=dict)
    """Per sensitive column, what people call the candidates' values, where the schema names a hierarchy that knows it:
    ``MASTECTOMIA SIMPLES (0416120032)``."""

    @property
    def reidentified(self) -> bool:
        """Is there only one record that it can be?"""
        return self.candidates == 1

    def guess(self, sensitive: str) -> tuple[Any, float]:
        """The adversary's best guess and the probability that it is right."""
        row = self.values[sensitive].row(0, named=True)
        return row["value"], row["probability"]

    def label(self, sensitive: str, value: Any) -> str:
        """What people call the value, with its code behind; the value itself where that is not known."""
        return self.labels.get(sensitive, {}).get(value, str(value))

    def _glance(self) -> Glance:
        from biombo._attack.glance import of_target

        return of_target(self)


def target(
    data: Dataset | Frame, known: Mapping[str, str | None], *, sensitive: Sequence[str] | str | None = None
) -> Target:
    """What an adversary who knows ``known`` about one person learns about the sensitive columns.

    All rows are candidates, those with invalid values in other columns too.

    >>> import polars as pl
    >>> from biombo._data import read
    >>> clinic = read(pl.DataFrame({"age": ["45", "45", "30"], "care": ["hormones", "hormones", "check-up"]}))
    >>> bruno = target(clinic, {"age": "45"}, sensitive="care")
    >>> bruno.candidates, bruno.guess("care")
    (2, ('hormones', 1.0))
    """
    data = as_dataset(data)
    scope = check_target(data, known, sensitive)
    matches = np.ones(data.rows, bool)
    for name, value in known.items():
        matches &= data[name].codes == code_of_value(data[name], value)
    candidates = data.records_in(matches)
    if candidates == 0:
        raise UsageError("attack.target-unknown", known=", ".join(f"{name}={value}" for name, value in known.items()))
    values = {name: _values(data, data[name], matches) for name in scope.sensitive}
    labels = {name: named_values(data.schema, name, table["value"].to_list()) for name, table in values.items()}
    return Target(dict(known), candidates, data.records, values, labels)


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
