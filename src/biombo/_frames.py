"""Frames: tables in memory, as pandas, Polars and Arrow have them.

What came as one of them goes out as the same, which is settled here: pandas in, pandas out. Whatever is no frame, such
as a file, goes out as a Polars table. pandas is loaded only where somebody hands over a table of it, or asks for one.
"""

import sys
from abc import ABC, abstractmethod
from typing import Any, Literal, Protocol, get_args

import polars as pl
import pyarrow as pa

from biombo._errors import UsageError

FrameKind = Literal["polars", "pandas", "arrow"]


class ArrowGiver(Protocol):
    """What tables in memory have in common: they give out Arrow batches."""

    def __arrow_c_stream__(self, requested_schema: object | None = None, /) -> object:
        """The batches, for whoever speaks Arrow."""


Frame = ArrowGiver | pl.LazyFrame
"""A table in memory: of pandas, of Polars, of Arrow, or of whoever gives out Arrow batches."""


def frame_kind(table: Any) -> FrameKind | None:
    """What ``table`` is; None where it is no table in memory. Whatever else gives out Arrow batches counts as Arrow.

    >>> import polars as pl
    >>> frame_kind(pl.DataFrame({"age": [31]})), frame_kind("people.csv")
    ('polars', None)
    """
    pandas = sys.modules.get("pandas")
    if isinstance(table, pl.DataFrame | pl.LazyFrame):
        return "polars"
    if pandas is not None and isinstance(table, pandas.DataFrame):
        return "pandas"
    if isinstance(table, pa.Table | pa.RecordBatch | pa.RecordBatchReader) or hasattr(table, "__arrow_c_stream__"):
        return "arrow"
    return None


def framed(table: pl.DataFrame, kind: FrameKind) -> Any:
    """``table`` as a frame of that kind, value by value the same.

    >>> import polars as pl
    >>> framed(pl.DataFrame({"age": [31, None]}), "pandas").dtypes.to_dict()
    {'age': Int64Dtype()}
    """
    if kind not in get_args(FrameKind):
        raise UsageError("usage.frame-kind", kind=kind, kinds=", ".join(get_args(FrameKind)))
    if kind == "pandas":
        return _as_pandas(table)
    return table if kind == "polars" else table.to_arrow()


def as_polars(frame: Any) -> pl.DataFrame:
    """A frame that :func:`framed` made as a Polars table again."""
    if isinstance(frame, pl.DataFrame):
        return frame
    return pl.DataFrame(pa.Table.from_pandas(frame, preserve_index=False) if frame_kind(frame) == "pandas" else frame)


def texts_of(column: Any) -> list[str | None]:
    """The values of a pandas, Polars or Arrow column, or of anything that can be gone through, as texts; None where one
    is missing.

    >>> texts_of(pl.Series([31, None]))
    ['31', None]
    """
    if isinstance(column, pa.Array | pa.ChunkedArray):
        column = column.to_pylist()
    elif (pandas := sys.modules.get("pandas")) is not None and isinstance(column, pandas.Series | pandas.Index):
        column = column.astype(object).where(column.notna(), None)
    return [None if value is None else str(value) for value in column]


def _as_pandas(table: pl.DataFrame) -> Any:
    try:
        import pandas
    except ModuleNotFoundError:
        raise UsageError("usage.no-pandas") from None
    return pandas.DataFrame(
        {column.name: _pandas_column(column) for column in table}, columns=table.columns, copy=False
    )


def _pandas_column(column: pl.Series) -> Any:
    """Whole numbers and truth values stay what they are beside missing ones, of which pandas would else make floats."""
    import pandas

    nullable = {
        **{
            f"{sign}int{bits}": getattr(pandas, f"{sign.upper()}Int{bits}Dtype") for sign in ("", "u") for bits in _BITS
        },
        "bool": pandas.BooleanDtype,
    }
    values = column.to_arrow()
    if column.null_count() and str(values.type) in nullable:
        return values.to_pandas(types_mapper=lambda arrow: nullable[str(arrow)]())
    return values.to_pandas()


_BITS = (8, 16, 32, 64)


class Framed(ABC):
    """A result that is a table too, which goes out as the kind of frame that its data came as."""

    @abstractmethod
    def _table(self) -> pl.DataFrame:
        """All of it, flat."""

    @property
    @abstractmethod
    def _kind(self) -> FrameKind:
        """What the data came as."""

    def to_frame(self, kind: FrameKind | None = None) -> Any:
        """A flat table: a pandas one where the data came as one, an Arrow one where they came so, else a Polars one;
        or the ``kind`` asked for.
        """
        return framed(self._table(), self._kind if kind is None else kind)
