"""Criteria on released records: judged, counted once more from the definition, and in every way to read the records."""

from collections.abc import Sequence
from math import isclose

import polars as pl

from biombo._criteria import Criterion, KAnonymity, LDiversity, Verdict, Vulnerability, judge
from biombo._data import Dataset
from biombo._errors import InputError
from biombo._release.plain_reading import PlainReading

_ALL, _RECORDS = "\x1eall", "\x1erecords"
"""Names that no column has."""


def recounted(criterion: Criterion, released: Dataset, quasi: Sequence[str], sensitive: Sequence[str]) -> Verdict:
    """How the records stand to the criterion for whoever reads them in the way that is worst for them."""
    readings = released.readings if isinstance(released, PlainReading) else [released]
    verdicts = [_judged(criterion, reading, quasi, sensitive) for reading in readings]
    sign = 1 if criterion.lowest_is_worst else -1
    return min(verdicts, key=lambda verdict: (verdict.holds, sign * (verdict.achieved or 0)))


def _judged(criterion: Criterion, data: Dataset, quasi: Sequence[str], sensitive: Sequence[str]) -> Verdict:
    verdict = judge(data, criterion, quasi=quasi, sensitive=sensitive).verdicts[0]
    found = counted(criterion, data, verdict.quasi, sensitive)
    if found is not None and (verdict.achieved is None or not isclose(found, verdict.achieved, rel_tol=1e-9)):
        raise InputError("release.counted-differently", criterion=criterion, judged=verdict.achieved, counted=found)
    return verdict


def counted(criterion: Criterion, data: Dataset, quasi: Sequence[str], sensitive: Sequence[str]) -> float | None:
    """The worst value of the criterion, from its definition; none where it takes more than counting.

    k-anonymity: the fewest records of a group; distinct l-diversity: the fewest values in a group; vulnerability: the
    largest share that the most frequent value has of a group, or that all of them together have of the table.
    """
    if isinstance(criterion, KAnonymity):
        return float(_cells(data, quasi)[_RECORDS].min())  # type: ignore[arg-type]
    if isinstance(criterion, LDiversity) and criterion.kind == "distinct":
        return min(_fewest_values(data, quasi, column) for column in _about(criterion.column, sensitive))
    if isinstance(criterion, Vulnerability):
        over_table = criterion.over == "table"
        return max(_guessed(data, quasi, column, over_table) for column in _about(criterion.column, sensitive))
    return None


def _about(column: str | None, sensitive: Sequence[str]) -> Sequence[str]:
    return sensitive if column is None else [column]


def _cells(data: Dataset, columns: Sequence[str]) -> pl.DataFrame:
    """How many records there are of each combination of values."""
    everyone = pl.repeat(0, data.rows, dtype=pl.UInt8, eager=True).alias(_ALL)
    records = pl.DataFrame([everyone, *(pl.Series(name, data[name].codes) for name in columns)])
    return records.group_by(_ALL, *columns).len(_RECORDS)


def _fewest_values(data: Dataset, quasi: Sequence[str], column: str) -> float:
    values = _cells(data, [*quasi, column]).group_by(_ALL, *quasi).len(_RECORDS)
    return float(values[_RECORDS].min())  # type: ignore[arg-type]


def _guessed(data: Dataset, quasi: Sequence[str], column: str, over_table: bool) -> float:
    groups = _cells(data, [*quasi, column]).group_by(_ALL, *quasi)
    found = groups.agg(top=pl.col(_RECORDS).max(), size=pl.col(_RECORDS).sum())
    shares = found["top"].sum() / data.rows if over_table else (found["top"] / found["size"]).max()
    return float(shares)  # type: ignore[arg-type]
