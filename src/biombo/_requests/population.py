"""A table of the population beside the table that a request is about."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from biombo._errors import UsageError
from biombo._requests.entries import placed
from biombo._requests.request import TableRequest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from biombo._criteria import Criterion
    from biombo._data import Schema


@dataclass(frozen=True, kw_only=True, repr=False)
class PopulationRequest(TableRequest):
    """A request with criteria that may be counted in the population."""

    population_table: str | None = placed("path")
    """The table of everybody of whom the people of the table are some. It may be the very table, where ``where`` says
    which of its records are the research subset."""

    @property
    def inputs(self) -> list[Path]:
        """Also the population."""
        return [*super().inputs, *([] if self.population_table is None else [Path(self.population_table)])]

    def check_population(
        self, criteria: "Sequence[Criterion]", schema: "Schema", quasi: "Sequence[str]", *, of_some: bool
    ) -> None:
        """Raise where nothing is counted in the population that is given, it lacks a column, or is the table itself and
        it is not ``of_some`` of the records only.
        """
        from biombo._criteria import by_quasi, check_population_use
        from biombo._data import SourceTable, population_columns

        if self.population_table is None:
            return
        check_population_use(criteria)
        table = SourceTable.open(self.population_table)
        asking = [criterion for criterion in criteria if criterion.against_population]
        table.check([name for names in by_quasi(asking, quasi) for name in population_columns(schema, names)])
        if not of_some and {file.resolve() for file in table.files} & set(self._table_files()):
            raise UsageError("criteria.population-whole", source=table.label)

    def _table_files(self) -> list[Path]:
        return [] if self.database is not None else [Path(name).resolve() for name in self.files]
