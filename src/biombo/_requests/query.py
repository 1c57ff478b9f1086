"""``QueryRequest``: a question to a table that stays inside."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from biombo._errors import UsageError
from biombo._files import refuse_unwritable
from biombo._requests.entries import number, placed, read_by, tabulated
from biombo._requests.request import TableRequest

if TYPE_CHECKING:
    from biombo._engine import Engine
    from biombo._plan import SelectRecords
    from biombo._query import QueryAnswer, QueryDesk


@dataclass(frozen=True, kw_only=True, repr=False)
class QueryRequest(TableRequest):
    """Ask for counts or means, against the history of all answers, under the names of ``biombo query``.

    ``where`` is part of the question here: whoever is not asked about is still there.
    """

    kind: ClassVar[str] = "query"

    by: Mapping[str, Any] = field(default_factory=dict, metadata=read_by(tabulated))
    """By column: the level of its hierarchy, the column as it is being level 0."""
    mean: str | None = None
    """The column whose mean is asked for."""
    totals: bool = False
    """Are totals asked for as well?"""
    history: str | None = placed("path", written=True)
    """The private file with all questions and answers."""
    person: str | None = None
    """The column that tells people apart."""
    k: int | None = number(2)
    """People in a cell, at least."""
    percent: float | None = number(0, 1)
    """How far a sum must be in doubt, as a share of what whoever has most of it has."""
    most: int | None = number(1)
    """Cells that may be asked for in all."""
    who: str = ""
    """Who asks."""
    approved: str = ""
    """Who approved it."""
    hierarchies: str | None = placed("folder")
    """The folder with a hierarchy for each column."""

    @property
    def selections(self) -> "tuple[SelectRecords, ...]":
        """None: the whole table is there."""
        return ()

    @property
    def outputs(self) -> list[Path]:
        """The history, which is added to."""
        return [] if self.history is None else [Path(self.history)]

    def check(self, source: Any = None) -> None:
        """Raise whatever can be known before anything is counted."""
        self.check_engine()
        if self.history is None:
            raise UsageError("query.no-history")
        refuse_unwritable(Path(self.history))
        self.opened(source, [*self.by, *(self.where or {}), *filter(None, [self.mean])], self.chosen_engine())
        self.refuse_outputs()

    def desk(self, source: Any = None, *, engine: "Engine | str | None" = None) -> "QueryDesk":
        """Where it is asked."""
        from biombo._data import Schema
        from biombo._query import QueryDesk
        from biombo._search import in_folder

        place = self.chosen_engine(engine)
        columns = [*self.by, *(self.where or {})]
        given = {} if self.hierarchies is None else in_folder(self.hierarchies, columns)
        rules = {"k": self.k, "percent": self.percent, "most": self.most, "person": self.person}
        schema = Schema.load(self.schema)
        return QueryDesk(self.table(source, place), Path(str(self.history)), schema, given, place, rules)

    def run(self, source: Any = None, *, engine: "Engine | str | None" = None, number: str = "") -> "QueryAnswer":
        """Ask, and note what is said; what was asked under the same ``number`` before gets what was said then."""
        self.check(source)
        desk = self.desk(source, engine=engine)
        asked = desk.question(self._levels(), self.mean, self.where, self.totals)
        return desk.ask(asked, who=self.who, approved=self.approved, number=number)

    def foreseen(self, source: Any = None) -> list[bool] | None:
        """By cell: would it be refused? None where its cells are settled with the first answer. Nothing of this depends
        on the data, and nothing is noted.
        """
        self.check(source)
        desk = self.desk(source)
        return desk.foreseen(desk.question(self._levels(), self.mean, self.where, self.totals))

    def _levels(self) -> dict[str, Any]:
        """One level of each column."""
        for column, levels in self.by.items():
            if len(levels) != 1:
                raise UsageError("query.one-level", column=column)
        return {column: levels[0] for column, levels in self.by.items()}
