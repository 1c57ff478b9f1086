"""``SynthesiseRequest``: synthetic records of a table."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from biombo._errors import UsageError
from biombo._glance import Glance, Result
from biombo._requests.entries import conditions, number, placed, read_by, unsaved
from biombo._requests.request import TableRequest
from biombo._watch import begin

if TYPE_CHECKING:
    from biombo._data import SourceTable
    from biombo._engine import Engine
    from biombo._synthesis import Recipe, Synthesis


@dataclass(frozen=True, kw_only=True, repr=False)
class SynthesiseRequest(TableRequest):
    """Make synthetic records of a table, under the names of ``biombo synthesise``."""

    kind: ClassVar[str] = "synthesise"

    out: str | None = placed("path", written=True)
    """The file to write, ``.csv`` or ``.parquet``."""
    columns: tuple[str, ...] = ()
    """The columns to synthesise; none: all that the schema gives a role to."""
    keep_column: tuple[str, ...] = ()
    """Columns that stay original, record by record."""
    replace_where: Mapping[str, Any] | None = field(default=None, metadata=read_by(conditions))
    """The only records to replace by synthetic ones, as ``where`` has it."""
    fill_groups: int | None = number(2)
    """Leave all records as they are, and add made-up ones until so many share the quasi values of each."""
    records: int | None = number(1)
    """How many records to make."""
    k: int = number(1, default=5)
    """No value that fewer people have is drawn."""
    bins: int = number(2, default=32)
    """Into how many intervals amounts are put at most."""
    constraints: str | None = placed("path")
    """What must hold between columns: a YAML file."""
    epsilon: float | None = number(0)
    """The ε of differential privacy; none: nothing is guaranteed."""
    delta: float = number(0, 0.5, default=0.0)
    mechanism: Literal["mst", "aim"] = "mst"
    """What is asked under ε."""
    records_per_person: int = number(1, default=1)
    """The most records of one person that ε is for."""
    holdout: float = number(0, 0.5, default=0.2)
    """The share of records that the model does not see."""
    force: bool = unsaved(False)
    """Replace a file that exists."""

    def check(self, source: Any = None) -> None:
        """Raise whatever can be known before the table is read."""
        self._prepared(source, self.chosen_engine())

    @property
    def outputs(self) -> list[Path]:
        """The file to write."""
        return [] if self.out is None else [Path(self.out)]

    def _prepared(self, source: Any, engine: "Engine") -> "tuple[SourceTable, Recipe]":
        from biombo._data import Schema
        from biombo._synthesis import Recipe, check_synthesis, columns_asked, constraints_of

        self.check_engine()
        if self.out is None:
            raise UsageError("plan.no-out")
        table = self.table(source, engine)
        schema = Schema.load(self.schema).told_of(table.columns)
        recipe = Recipe(
            schema,
            columns_asked(table, schema, self.columns or None, self.keep_column),
            self.keep_column,
            self.replace_where,
            self.records,
            self.k,
            self.bins,
            () if self.constraints is None else constraints_of(self.constraints),
            self.epsilon,
            self.delta,
            records_per_person=self.records_per_person,
            holdout=self.holdout,
            fill_groups=self.fill_groups,
            mechanism=self.mechanism,
        )
        check_synthesis(table, recipe, Path(self.out), force=self.force)
        self.refuse_outputs()
        return table, recipe

    def run(self, source: Any = None, *, engine: "Engine | str | None" = None) -> "SynthesiseOutcome":
        """Make the records; ``source`` may be a table in place of the files, ``engine`` is where these are read, in the
        place of the one that is named.
        """
        from biombo._synthesis import synthesise_table

        place = self.chosen_engine(engine)
        table, recipe = self._prepared(source, place)
        begin("fitting")
        target = Path(str(self.out))
        return SynthesiseOutcome(self, synthesise_table(table, recipe, target, force=self.force, engine=place))


@dataclass(frozen=True, eq=False, repr=False)
class SynthesiseOutcome(Result):
    """What came of a synthesis. Private: it tells about the original."""

    request: SynthesiseRequest
    synthesis: "Synthesis"

    @property
    def holds(self) -> bool:
        """Did no attack gain more on the originals than chance explains?"""
        return self.synthesis.risk is None or not self.synthesis.risk.is_found

    def verdict(self) -> list[str]:
        """What was done, what it guarantees and what was measured."""
        return self.synthesis.sentences()

    def _glance(self) -> Glance:
        return self.synthesis._glance()

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        return self.synthesis.as_json()
