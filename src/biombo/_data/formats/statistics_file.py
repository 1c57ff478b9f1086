"""Files of SPSS, Stata and SAS: codes stay codes, and what the file says of them can be asked for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

import pyarrow as pa

from biombo._data.formats.header import unique
from biombo._data.formats.soundness import foreign_failures
from biombo._data.formats.source import ColumnNotes, File
from biombo._data.formats.values import batch_of
from biombo._data.plain import as_written
from biombo._errors import InputError, shortened
from biombo._i18n import text
from biombo._watch import remark, stop_if_cancelled

CELLS_AT_A_TIME = 1 << 21
_READERS = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".por": "read_por",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
_SPSS = ("read_sav",)
"""What can tell codes for missing values and the values themselves apart."""


@dataclass(frozen=True)
class StatisticsFile(File):
    """A file of SPSS, Stata or SAS. An empty text is missing; so is what Stata and SAS have instead of a number."""

    cells: int = CELLS_AT_A_TIME
    """How many are read at a time."""

    @property
    def columns(self) -> list[str]:
        """The names of the variables."""
        return unique(self._about.column_names, self.label)

    @property
    def rows(self) -> int | None:
        """As the file says; some do not."""
        said = self._about.number_rows
        return None if said is None or said < 0 else int(said)

    @cached_property
    def notes(self) -> Mapping[str, ColumnNotes]:
        """The labels of variables and values, and the codes for missing values."""
        about = self._about
        return {
            name: ColumnNotes(
                label=about.column_names_to_labels.get(name) or None,
                value_labels=_coded(about.variable_value_labels.get(name, {})),
                missing=frozenset(_code(low) for low, high in _ranges(about, name) if low == high),
                missing_ranges=tuple((low, high) for low, high in _ranges(about, name) if low != high),
            )
            for name in self.columns
        }

    @cached_property
    def _about(self) -> Any:
        _, about = self._read(metadataonly=True)
        if not all(about.column_names):
            raise InputError("input.damaged", path=self.label, detail=text("errors.input.no-name"))
        coded = [name for name in about.column_names if about.missing_ranges.get(name)]
        if coded:
            remark(text("errors.input.missing-codes", path=self.label, columns=shortened(coded)))
        return about

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows, with only ``columns``."""
        step, first = max(self.cells // max(len(columns), 1), 1), 0
        while True:
            stop_if_cancelled()
            values, _ = self._read(usecols=list(columns), row_offset=first, row_limit=step)
            rows = len(next(iter(values.values()), ()))
            if rows:
                yield batch_of({name: _known(values[name]) for name in columns})
            first += rows
            if rows < step:
                break
        if self.rows is not None and first != self.rows:
            raise InputError("input.changed", path=self.label)

    def _read(self, **asked: Any) -> tuple[Mapping[str, list[Any]], Any]:
        reader = _READERS.get(self._suffix, "read_sav")  # only those of SPSS are known by how they begin
        coded = {"user_missing": True} if reader in _SPSS else {}
        library = _pyreadstat()
        with foreign_failures("input.damaged", path=self.label):
            found: tuple[Mapping[str, list[Any]], Any] = getattr(library, reader)(
                str(self.whole), output_format="dict", **coded, **asked
            )
            return found

    @property
    def _suffix(self) -> str:
        name = (self.member or self.path.name).lower().removesuffix(".gz")
        return "." + name.rpartition(".")[2]


def _known(values: list[Any]) -> list[Any]:
    return [None if value == "" else value for value in values]


def _code(value: Any) -> str:
    return str(as_written(value)) if isinstance(value, int | float) else str(value)


def _coded(labels: Mapping[Any, str]) -> dict[str, str]:
    return {_code(value): str(word) for value, word in labels.items()}


def _ranges(about: Any, name: str) -> list[tuple[Any, Any]]:
    """From where to where values of a variable stand for a missing one; from a code to itself where it is only one."""
    return [(each["lo"], each["hi"]) for each in about.missing_ranges.get(name, ())]


def _pyreadstat() -> ModuleType:
    try:
        import pyreadstat
    except ImportError:
        raise InputError("input.no-pyreadstat", command="pip install 'biombo[statistics]'") from None
    return pyreadstat
