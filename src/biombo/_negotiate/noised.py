"""What an offer with noise would do: one draw of the plan, scored against the truth."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from biombo._attack import attribute_inference, reidentification
from biombo._data import Dataset, Schema, SourceTable, read
from biombo._engine import Paired, Pairs
from biombo._negotiate.groups import Groups
from biombo._negotiate.offer import Measured
from biombo._plan import Plan, apply_to_table, schema_in_use, selected, spoken_of
from biombo._release import exposure_of, truth_of


@dataclass(frozen=True, eq=False)
class InOrder(Pairs):
    """Records as they come out of a plan that drops none, each beside its own original."""

    released: Dataset
    own: Dataset

    @property
    def columns(self) -> Sequence[str]:
        """What comes out."""
        return list(self.released.columns)

    @property
    def originals(self) -> Sequence[str]:
        """The columns that were read."""
        return list(self.own.columns)

    @property
    def records(self) -> int:
        """How many there are."""
        return self.released.rows

    def counted(self, released: Sequence[str], own: Sequence[str] = ()) -> Paired:
        """Rows will do: they are at hand."""
        return Paired(_only(self.released, released), _only(self.own, own))

    def some(self, at_most: int) -> Paired:
        """All of them, or the first."""
        rows = np.arange(min(at_most, self.records))
        return Paired(self.released.take(rows), self.own.take(rows))


def drawn(table: SourceTable, plan: Plan, schema: Schema) -> InOrder:
    """One draw of ``plan`` on the records that it selects."""
    declared = spoken_of(table, plan, schema, schema.with_role("other"))
    released = apply_to_table(table, plan, None, declared, keep_order=True).data
    person = () if schema.person is None else (schema.person,)
    wanted = [*schema.quasi, *schema.sensitive, *person]
    own = read(selected(table, plan.selections), schema, columns=wanted)
    return InOrder(read(released, replace(schema, person=None, columns=_there(schema, released.columns))), own)


def measured_with_noise(table: SourceTable, plan: Plan, schema: Schema) -> Measured:
    """The numbers of an offer whose quasi or sensitive values are drawn at random."""
    pairs, used = drawn(table, plan, schema), schema_in_use(plan.completed(schema), schema)
    quasi = [name for name in schema.quasi if name in pairs.columns]
    both = pairs.counted([*quasi, *schema.sensitive], pairs.originals)
    truth = truth_of(both, plan, used)
    exposure = exposure_of(pairs, plan, used)
    groups, changed = Groups.of(pairs.released, quasi), _changed(pairs.released, truth, quasi)
    attacked: dict[str, Any] = {"quasi": quasi, "max_size": 1, "truth": truth}
    identity = reidentification(both.released, **attacked)
    inference = {name: attribute_inference(both.released, sensitive=name, **attacked) for name in schema.sensitive}
    alone = int(np.count_nonzero(groups.records == 1))
    return Measured(
        records=pairs.records,
        groups=groups.count,
        smallest_group=None,
        groups_below=0,
        records_below=0,
        singled_out=alone if exposure is None else exposure.alone_and_true,
        alone=alone,
        lost=0,
        noised=int(changed.sum()),
        reidentified=identity.posterior(quasi),
        worst=1.0 if exposure is None else exposure.surest,
        prior={name: found.prior for name, found in inference.items()},
        posterior={name: found.posterior(quasi, name) for name, found in inference.items()},
    )


def _only(data: Dataset, columns: Sequence[str]) -> Dataset:
    return replace(data, columns={name: data[name] for name in columns})


def _there(schema: Schema, columns: Sequence[str]) -> dict[str, Any]:
    return {name: about for name, about in schema.columns.items() if name in columns}


def _changed(released: Dataset, truth: Dataset, quasi: Sequence[str]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """The records that have another value than the true one in some quasi column."""
    changed = np.zeros(released.rows, bool)
    for name in quasi:
        before, after = truth[name].decoded(), released[name].decoded()
        changed |= (before.cast(str) != after.cast(str)).fill_null(False).to_numpy()
    return changed
