"""Reading a column through a hierarchy: knowing the group of a procedure can be harm enough."""

from dataclasses import replace

import polars as pl

from biombo._cells import recoded
from biombo._data.dataset import Column, Dataset
from biombo._data.plain import written
from biombo._data.reader import as_dataset
from biombo._errors import ColumnError, shortened
from biombo._frames import Frame
from biombo._hierarchy import Hierarchy


def through(data: Dataset | Frame, column: str, hierarchy: Hierarchy, level: int) -> Dataset:
    """The dataset with ``column`` at ``level`` of ``hierarchy``. Missing and invalid values stay apart.

    >>> import polars as pl
    >>> data = pl.DataFrame({"procedure": ["0304020346", "0304020117", "0211020036"]})
    >>> through(data, "procedure", Hierarchy.by_prefix([2]), 1)["procedure"].decoded().to_list()
    ['03', '03', '02']
    """
    data = as_dataset(data)
    original = data[column]
    hierarchy.check_level(level)
    invalid = data.schema[column].invalid
    values_written = written(original.values).to_list()
    unknown = [v for v in values_written if v is not None and v not in invalid and not hierarchy.knows(v)]
    if unknown:
        raise ColumnError("attack.not-in-hierarchy", column=column, count=len(unknown), values=shortened(unknown, 5))
    labels = {v: hierarchy.generalised(v, level) for v in values_written if v is not None and v not in invalid}
    apart = {v: _apart(v, set(labels.values())) for v in invalid if v is not None}
    code_of: dict[str | None, int] = {}
    codes = [
        code_of.setdefault(None if v is None else labels.get(v, apart.get(v, v)), len(code_of)) for v in values_written
    ]
    values = pl.Series(column, list(code_of), dtype=pl.String)
    generalised = Column(column, recoded(original.codes, codes, len(code_of)), values)
    still_invalid = frozenset(apart.values()) | (invalid & {None})
    described = replace(data.schema[column], type="categorical", invalid=still_invalid)
    schema = replace(data.schema, columns={**data.schema.columns, column: described})
    return replace(data, columns={**data.columns, column: generalised}, schema=schema)


def _apart(invalid: str, labels: set[str]) -> str:
    """An invalid value under a name that no valid one has after generalisation."""
    while invalid in labels:
        invalid += "?"
    return invalid
