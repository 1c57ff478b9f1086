"""Hierarchies that are read off the columns of a table."""

import polars as pl

from biombo._data.dataset import Dataset
from biombo._data.plain import written
from biombo._data.schema import Schema
from biombo._errors import ColumnError, InputError
from biombo._hierarchy import Hierarchy
from biombo._i18n import text


def read_off(data: Dataset, column: str, hierarchy: Hierarchy) -> Hierarchy:
    """``hierarchy`` as the columns of ``data`` say that it needs; one from a file without its header.

    >>> from biombo._data import read
    >>> data = read(pl.DataFrame({"clinic": ["a", "b", "a"], "city": ["Rio", "Lima", "Rio"]}))
    >>> read_off(data, "clinic", Hierarchy.from_columns(["city"])).ancestors("b")
    ('Lima',)
    """
    if hierarchy.may_have_header and data.rows:
        hierarchy = hierarchy.for_column(column)
    if not hierarchy.reads:
        return hierarchy
    if lacking := [name for name in hierarchy.reads if name not in data.columns]:
        raise InputError("hierarchy.columns-far", column=column, columns=", ".join(lacking))
    names = [column, *hierarchy.reads]
    codes = pl.DataFrame({str(place): data[name].codes for place, name in enumerate(names)}).unique(maintain_order=True)
    texts = [written(data[name].values).gather(codes[str(place)]).to_list() for place, name in enumerate(names)]
    return hierarchy.read_off(zip(*texts, strict=True))


def check_read_off(column: str, hierarchy: Hierarchy, schema: Schema) -> None:
    """Raise where labels of ``column`` would tell what stands in a column that is kept back, or that is sensitive."""
    for other in hierarchy.reads:
        role = schema[other].role
        if role not in ("quasi", "other", *([schema[column].role] if schema[column].role == "sensitive" else [])):
            shown = text(f"inspect.role.{role}")
            raise ColumnError("hierarchy.columns-role", column=column, other=other, role=shown)
