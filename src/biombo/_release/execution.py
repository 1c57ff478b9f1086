"""The plan of a release, carried out where the release is built."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from biombo._data import Progress, Schema, SourceTable
from biombo._engine import Table, Written
from biombo._plan import OUTCOME, Applied, Onlooker, Plan, Privacy, SuppressionError, apply_to_table, schema_in_use
from biombo._release.cells import write_cells
from biombo._release.errors import RefusedError
from biombo._release.staging import Staging
from biombo._release.trace.vault import NewVault
from biombo._release.trace_ids import Links
from biombo._secrets import KeyPlace


@dataclass(frozen=True)
class Carried:
    """A plan that was carried out."""

    plan: Plan
    applied: Applied
    used: Schema
    written: Written
    data: Path
    release: str
    """The id of the release that the vault is of."""

    def in_place(self, out: Path, private: Path) -> Applied:
        """What the plan did, with its files where they will be."""
        tables = tuple(private / path.name for path in self.applied.identity_tables)
        return replace(self.applied, out=out / self.data.name, identity_tables=tables)


@dataclass(frozen=True)
class CarryingOut:
    """Writes the records of a release as a plan leaves them."""

    source: SourceTable
    table: Table
    """The same, as an engine has opened it."""
    schema: Schema
    staging: Staging
    vault: NewVault
    data: str
    """What the file with the records is called."""
    plan_keys: KeyPlace | Iterable[KeyPlace] | None
    before_noise: Callable[[Privacy], object] | None
    progress: Progress | None

    def first_that_fits(self, plans: tuple[Plan, ...]) -> Carried:
        """The first plan that does not mask more than it may, carried out; refused when the criteria are not met."""
        *earlier, last = plans
        for plan in earlier:
            try:
                return self._carried(plan)
            except SuppressionError:
                continue
        return self._carried(last)

    def _carried(self, plan: Plan) -> Carried:
        data = self.staging.public / self.data
        with self.vault.written(self.staging.private) as vault:
            links = Links(lambda ids, keys: vault.add(ids, self.table.places(keys)))
            written: list[Written] = []
            cells = partial(write_cells, self.staging.private)
            applied = apply_to_table(
                self.source,
                plan,
                data,
                self.schema,
                key=self.plan_keys,
                private=self.staging.private,
                before_noise=self.before_noise,
                progress=self.progress,
                onlooker=Onlooker(links.named, cells, written.append),
                table=self.table,
            )
        applied.outcome.write(self.staging.private / OUTCOME)
        if not applied.holds:
            raise RefusedError("release.not-met", verdict=str(applied.judgement))
        completed, (last,) = plan.completed(self.schema), written
        return Carried(completed, applied, schema_in_use(completed, self.schema), last, data, self.vault.release)
