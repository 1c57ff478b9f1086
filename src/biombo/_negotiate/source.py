"""The table that is negotiated about, and what is measured on it: rows are read once, tuples are kept.

Hierarchies that are read off columns of the table stand in acts and events as they were declared: which columns, and no
value. Whatever is done by them is done with what the table says, read off it again by whoever opens it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn, cast

import numpy as np

from biombo._criteria import KAnonymity
from biombo._data import Dataset, SourceTable, read_off
from biombo._engine import LOCAL, Rows
from biombo._errors import BiomboError, ColumnError, UsageError
from biombo._hierarchy import Hierarchy
from biombo._negotiate import acts
from biombo._negotiate.agreed_plan import has_noise, hierarchies_of, plan_of, prepared, schema_of
from biombo._negotiate.measure import Changed, ValueCheck, Workbench
from biombo._negotiate.offer import Measured
from biombo._negotiate.state import State
from biombo._plan import Generalise, Operation, Plan, SelectRecords, apply_to_table, selected, spoken_of
from biombo._search import search
from biombo._utility import refuse_without_models, utility


class _Gone:
    """Stands for a table that is not kept any more."""

    def __getattr__(self, name: str) -> NoReturn:
        raise UsageError("negotiation.source-gone")


@dataclass(eq=False)
class NegotiatedSource:
    """One table, opened for one negotiation. Everything that it gives is exact, and private."""

    table: SourceTable
    _kept: dict[str, Workbench] = field(default_factory=dict)
    _read: dict[str, Hierarchy] = field(default_factory=dict)

    @classmethod
    def gone(cls) -> "NegotiatedSource":
        """One that is not kept any more: whoever wants something of it is told."""
        return cls(cast(SourceTable, _Gone()))

    @property
    def columns(self) -> list[str]:
        """Its columns."""
        return self.table.columns

    def fingerprint(self) -> str:
        """What the table is recognised by."""
        return self.table.fingerprint()

    def workbench(self, state: State) -> Workbench:
        """The counted tuples that were asked for."""
        schema, where = schema_of(state), prepared(state).where
        person = () if schema.person is None else (schema.person,)
        wanted = [*schema.quasi, *schema.sensitive, *person]
        known = repr((wanted, where))
        if known not in self._kept:
            self._kept = {known: Workbench(self._tuples(state, wanted))}
        return self._kept[known]

    def _tuples(self, state: State, columns: Sequence[str]) -> Dataset:
        """The counted tuples of ``columns`` in the records that were asked for."""
        schema, where = schema_of(state), prepared(state).where
        selections = (SelectRecords(where),) if where else ()
        data = LOCAL.open(selected(self.table, selections)).tuples(columns, schema)
        return replace(data, schema=schema)

    def read_off(self, state: State, column: str, hierarchy: Hierarchy) -> Hierarchy:
        """``hierarchy`` as the records that were asked for say, where it is read off columns of theirs. Private. Raises
        where a value stands beside two others: told to managers alone, since it is named.
        """
        if not hierarchy.reads:
            return hierarchy
        known = repr((column, hierarchy.content_hash(), prepared(state).where))
        if known not in self._read:
            self._read[known] = read_off(self._tuples(state, [column, *hierarchy.reads]), column, hierarchy)
        return self._read[known]

    def check_hierarchies(self, state: State) -> None:
        """Raise where a hierarchy that the manager declared cannot be read off the table. For managers."""
        for column, hierarchy in hierarchies_of(schema_of(state)).items():
            self.read_off(state, column, hierarchy)

    def check_manipulations(self, state: State, operations: Sequence[Operation]) -> None:
        """Raise where manipulations do not fit the table. For managers."""
        for operation in operations:
            if isinstance(operation, Generalise):
                self.read_off(state, operation.column, operation.hierarchy)
        self.workbench(state).under(self.resolved(state, operations))

    def resolved(self, state: State, operations: Sequence[Operation]) -> tuple[Operation, ...]:
        """The same with the hierarchies that the table tells. What goes wrong is told without any value."""
        return tuple(self._resolved(state, each) if isinstance(each, Generalise) else each for each in operations)

    def _resolved(self, state: State, operation: Generalise) -> Generalise:
        try:
            return replace(operation, hierarchy=self.read_off(state, operation.column, operation.hierarchy))
        except BiomboError:
            raise ColumnError("negotiation.does-not-fit", column=operation.column, name=operation.title) from None

    def plan(self, state: State) -> Plan:
        """The plan in force as it is carried out: with the hierarchies that the table tells. Private."""
        plan = plan_of(state)
        return replace(plan, operations=self.resolved(state, plan.operations))

    def records(self, state: State) -> int:
        """Records that were asked for."""
        return self.workbench(state).data.records

    def under(self, state: State) -> Changed:
        """The table once the manipulations are done that were accepted."""
        return self.workbench(state).under(self.resolved(state, state.agreement.manipulations))

    def measured(self, state: State) -> Measured:
        """The numbers of the offer in force."""
        plan = self.plan(state)
        if has_noise(state) or state.agreement.noised_values:
            from biombo._negotiate.noised import measured_with_noise  # most negotiations draw nothing

            return measured_with_noise(self.table, plan, schema_of(state))
        return self.under(state).measured(plan, state.levels.k or acts.FEWEST, state.agreement.max_suppression)

    def value_checks(self, state: State) -> list[ValueCheck]:
        """How diverse the values of each sensitive column are in the groups that are left."""
        return self.value_checks_for(state, state.levels.l or acts.FEWEST)

    def value_checks_for(self, state: State, l: int) -> list[ValueCheck]:  # noqa: E741
        """The same for another QMASG than the one that was set."""
        changed, there = self._as_released(state)
        return [
            ValueCheck.of(changed, there, name, l, state.agreement.synonyms.get(name, {}), every=has_noise(state))
            for name in schema_of(state).sensitive
        ]

    def _as_released(self, state: State) -> tuple[Changed, Rows]:
        """The tuples as they would come out: with noise, by one draw."""
        if has_noise(state):
            drawn = self._drawn(state)
            quasi = tuple(name for name in drawn.schema.quasi if name in drawn.columns)
            return Changed(drawn, drawn, quasi), np.ones(drawn.rows, bool)
        changed, agreement = self.under(state), state.agreement
        return changed, ~changed.suppressed(state.levels.k or acts.FEWEST, agreement.max_suppression)

    def _drawn(self, state: State) -> Dataset:
        from biombo._negotiate.noised import drawn

        return drawn(self.table, self.plan(state), schema_of(state)).released

    def plans(self, state: State, asked: acts.AskForPlans, most: int) -> list[dict[str, Any]]:
        """The best plans under the requester's bounds, with what they cost as shares."""
        data, schema = self.workbench(state).data, schema_of(state)
        wanted: dict[str, Any] = {"prefer": state.request.prefer or "loss"}
        found = _searched(
            data,
            KAnonymity(state.levels.k or acts.FEWEST),
            quasi=list(schema.quasi),
            sensitive=list(schema.sensitive),
            hierarchies=self._hierarchies(state),
            max_suppression=asked.max_suppression,
            bounds=dict(asked.bounds) or None,
            weights=dict(asked.weights) or None,
            missing="own-branch",
            loss_domain="hierarchy",
            plans=most,
            **wanted,
        )
        declared = hierarchies_of(schema)
        return [_plan_told(each, data.records, declared) for each in found]

    def _hierarchies(self, state: State) -> dict[str, Hierarchy]:
        """By quasi column, with what the table tells. What goes wrong is told without any value."""
        declared = hierarchies_of(schema_of(state))
        operations = self.resolved(state, [Generalise(name, each, 0) for name, each in declared.items()])
        return {each.column: each.hierarchy for each in operations if isinstance(each, Generalise)}

    def metrics(self, state: State) -> dict[str, Any]:
        """What the plan in force lost, and how well the column can be predicted that the requester named (12)."""
        schema, plan = schema_of(state), self.plan(state)
        declared = spoken_of(self.table, plan, schema, schema.with_role("other"))
        applied = apply_to_table(self.table, plan, None, declared, keep_order=True)
        predict = self.to_predict(state)
        how: dict[str, Any] = {"plan": plan, "schema": declared, "outcome": applied.outcome, "predict": predict}
        found = utility(self.table, applied.data, models=["tree"], seed=0, **how)  # as in Moraes et al. (2025)
        measures = found.measures
        told: dict[str, Any] = {
            "completeness": measures.completeness,
            "precision": measures.precision,
            "loss": measures.loss,
            "column_loss": dict(measures.column_loss),
            "distances": {each.column: each.total_variation for each in found.distances},
        }
        if found.classification is not None:
            told["accuracy"] = {
                "original": found.classification.original.tree,
                "release": found.classification.release.tree,
                "new_records": found.classification.for_new_records.tree,
            }
            told["predict"] = found.classification.target
        return told

    def to_predict(self, state: State) -> str | None:
        """The column that the requester wants to predict, where it is released and can be."""
        label = state.request.predict
        column = None if label is None else prepared(state).columns.get(label)
        if column is None or schema_of(state)[column].kept_back:
            return None
        try:
            refuse_without_models()
        except BiomboError:
            return None
        return str(column)


def _searched(*asked: Any, **how: Any) -> Any:
    """What a search finds. What is wrong with the question is told without examples of values: a requester may ask."""
    try:
        return search(*asked, **how)
    except BiomboError:
        raise UsageError("negotiation.no-plans") from None


def _plan_told(plan: Any, records: int, declared: Mapping[str, Hierarchy]) -> dict[str, Any]:
    """A plan that was found as plain values, its hierarchies without what was read off the table."""
    operations = tuple(_as_declared(each, declared) for each in plan.plan.operations)
    labels = {
        operation.column: operation.hierarchy.level_told(operation.level)
        for operation in plan.plan.operations
        if operation.name == "generalise"
    }
    return {
        "levels": dict(plan.levels),
        "labels": labels,
        "suppressed": plan.suppressed / max(1, records),
        "loss": float(plan.loss),
        "plan": replace(plan.plan, operations=operations).to_tree(),
    }


def _as_declared(operation: Operation, declared: Mapping[str, Hierarchy]) -> Operation:
    if not isinstance(operation, Generalise) or not declared[operation.column].reads:
        return operation
    hierarchy = declared[operation.column]
    return replace(operation, hierarchy=hierarchy.with_top() if operation.level > hierarchy.height else hierarchy)


def check_labels(preparation: acts.Prepare, wanted: Mapping[str, str], there: Sequence[str], label: str) -> None:
    """Raise where a label of the request has neither a column nor ``None``, or a column is not there."""
    for name in wanted:
        if name not in preparation.columns:
            raise ColumnError("negotiation.unmapped", label=name)
    for name, column in preparation.columns.items():
        if name not in wanted:
            raise ColumnError("negotiation.unwanted", label=name)
        if column is not None and column not in there:
            raise ColumnError.missing(str(column), there, label)
