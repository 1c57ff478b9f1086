"""The same attack on several parts of a table, or on several tables (Gonze et al. 2024, Fig. 1, 2 and 4)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Generic, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo import _kernel
from biombo._attack.attribute import AttributeInference
from biombo._attack.identity import Reidentification
from biombo._attack.subset_table import flat
from biombo._data import Dataset, written
from biombo._errors import ColumnError, InputError, UsageError
from biombo._frames import Framed, FrameKind
from biombo._glance import Glance, Glanced
from biombo._i18n import text
from biombo._watch import warn

Part = tuple[str | None, ...]
Attack = TypeVar("Attack", AttributeInference, Reidentification)


@dataclass(frozen=True, eq=False, repr=False)
class ByPart(Glanced, Framed, Generic[Attack]):
    """The outcome of an attack for each part."""

    by: tuple[str, ...]
    """What tells the parts apart: columns, or ``("dataset",)``."""
    parts: Mapping[Part, Attack]

    def __getitem__(self, part: str | Part) -> Attack:
        return self.parts[(part,) if isinstance(part, str) else part]

    def __iter__(self) -> Iterator[Part]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)

    def subsets(self) -> pl.DataFrame:
        """Every part's ``subsets``, the part in front."""
        return self._stacked({part: outcome.subsets for part, outcome in self.parts.items()})

    def best(self) -> pl.DataFrame:
        """Every part's strongest subset for each number of columns, the part in front."""
        return self._stacked({part: outcome.best() for part, outcome in self.parts.items()})

    def _table(self) -> pl.DataFrame:
        return flat(self.subsets().drop("groups_by_size", "records_by_size", strict=False))

    @property
    def _kind(self) -> FrameKind:
        return next(iter(self.parts.values()))._kind

    def _glance(self) -> Glance:
        from biombo._attack.glance import of_parts

        return of_parts(self)

    def _stacked(self, tables: Mapping[Part, pl.DataFrame]) -> pl.DataFrame:
        return pl.concat(
            table.select(*(pl.lit(v, pl.String).alias(n) for n, v in zip(self.by, part, strict=True)), pl.all())
            for part, table in tables.items()
        )


@dataclass(frozen=True, eq=False, repr=False)
class AttributeInferenceByPart(ByPart[AttributeInference]):
    """Attribute inference for each part of a table."""

    def priors(self) -> pl.DataFrame:
        """Per part and sensitive column: records, prior and entropy (Fig. 1)."""
        return self._stacked(
            {
                part: pl.DataFrame(
                    {
                        "sensitive": list(outcome.priors),
                        "records": outcome.rows,
                        "prior": list(outcome.priors.values()),
                        "entropy": list(outcome.entropies.values()),
                    }
                )
                for part, outcome in self.parts.items()
            }
        )

    def correlation(self) -> pl.DataFrame:
        """Pearson's correlation, over the parts, of the best leakage with the number of records and with the entropy.

        For each sensitive column and number of quasi columns; null where it is not defined (fewer than three parts, or
        one of the two does not vary).
        """
        joined = self.best().join(self.priors(), on=[*self.by, "sensitive"], nulls_equal=True)
        return joined.group_by("sensitive", "size", maintain_order=True).agg(
            pl.len().alias("parts"),
            _pearson("leakage", "records").alias("records"),
            _pearson("leakage", "entropy").alias("entropy"),
        )


def _pearson(a: str, b: str) -> pl.Expr:
    defined = (pl.len() > 2) & (pl.col(a).n_unique() > 1) & (pl.col(b).n_unique() > 1)
    return pl.when(defined).then(pl.corr(a, b))


def split(data: Dataset, by: Sequence[str]) -> dict[Part, Dataset]:
    """The rows of a table by the values of some columns, parts in the order of those values."""
    if isinstance(by, str):
        raise UsageError("usage.string-for-list", argument="by", value=by)
    columns = [data[name] for name in by]
    numbers, count = _kernel.row_groups([c.codes for c in columns], [c.cardinality for c in columns], data.rows)
    labels = [written(column.values).to_list() for column in columns]
    order = np.argsort(numbers.ravel(), kind="stable")
    starts = np.searchsorted(numbers.ravel()[order], np.arange(count + 1))
    parts = {}
    for first, last in pairwise(starts):
        rows = order[first:last]
        part = tuple(values[int(column.codes[rows[0]])] for column, values in zip(columns, labels, strict=True))
        invalid = [name for name, value in zip(by, part, strict=True) if value in data.schema[name].invalid]
        if invalid:
            sentence = text("errors.attack.part-invalid", column=invalid[0], rows=_records(data, rows))
            warn(sentence)
        else:
            parts[part] = _rows_of(data, rows, by, part)
    if not parts:
        raise InputError("attack.all-parts-invalid", by=", ".join(by))
    return dict(sorted(parts.items(), key=lambda item: [(value is None, value or "") for value in item[0]]))


def _rows_of(data: Dataset, rows: NDArray[np.intp], by: Sequence[str], part: Part) -> Dataset:
    kept = [column for name, column in data.columns.items() if name not in by]
    columns = {column.name: replace(column, codes=column.codes[rows]) for column in kept}
    label = f"{data.label} ({', '.join(f'{name}={value}' for name, value in zip(by, part, strict=True))})"
    counts = None if data.counts is None else data.counts[rows]
    return replace(data, columns=columns, rows=len(rows), label=label, counts=counts)


def _records(data: Dataset, rows: NDArray[np.intp]) -> int:
    return len(rows) if data.counts is None else int(data.counts[rows].sum())


_RESULT_COLUMNS = {
    *("sensitive", "size", "quasi", "prior", "posterior", "leakage", "multiplicative", "groups", "unique", "records"),
    *("reidentification", "entropy", "groups_by_size", "records_by_size"),
}


def numbered(labels: Iterable[str]) -> list[str]:
    """Labels that are all different: one that was there already gets a number.

    >>> numbered(["a", "b", "a"])
    ['a', 'b', 'a (2)']
    """
    found: dict[str, None] = {}
    for label in labels:
        different, number = label, 1
        while different in found:
            number += 1
            different = f"{label} ({number})"
        found[different] = None
    return list(found)


def checked_by(by: Sequence[str], quasi: Sequence[str], sensitive: Sequence[str]) -> None:
    """Refuse a column that is to tell the parts apart and to be attacked, is named twice or means something else."""
    for name, times in Counter(by).items():
        if times > 1:
            raise ColumnError("attack.repeated", column=name)
        if name in _RESULT_COLUMNS:
            raise ColumnError("attack.by-reserved", column=name)
        if name in quasi or name in sensitive:
            raise ColumnError("attack.by-and-used", column=name)
