"""The table that is negotiated about, and what is measured on it: rows are read once, tuples are kept."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from biombo._criteria import KAnonymity
from biombo._data import Column, Dataset, Schema, SourceTable
from biombo._engine import LOCAL, Rows
from biombo._errors import BiomboError, ColumnError, UsageError
from biombo._hierarchy import Hierarchy
from biombo._negotiate import acts
from biombo._negotiate.agreed_plan import has_noise, plan_of, prepared, schema_of
from biombo._negotiate.measure import Changed, ValueCheck, Workbench
from biombo._negotiate.offer import Measured
from biombo._negotiate.state import State
from biombo._plan import Plan, SelectRecords, apply_to_table, selected, spoken_of
from biombo._search import search
from biombo._utility import refuse_without_models, utility


@dataclass(eq=False)
class NegotiatedSource:
    """One table, opened for one negotiation. Everything that it gives is exact, and private."""

    table: SourceTable
    _kept: dict[str, Workbench] = field(default_factory=dict)

    @property
    def columns(self) -> list[str]:
        """Its columns."""
        return self.table.columns

    def fingerprint(self) -> str:
        """What the table is recognised by: its values, whatever kind of file they are in."""
        found = hashlib.sha256(repr(self.columns).encode())
        for _, batch in self.table.whole.batches(self.columns):
            found.update(pl.DataFrame(batch).write_csv(include_header=False).encode())
        return found.hexdigest()

    def workbench(self, state: State) -> Workbench:
        """The counted tuples that were asked for."""
        schema, where = schema_of(state), prepared(state).where
        person = () if schema.person is None else (schema.person,)
        wanted = [*schema.quasi, *schema.sensitive, *person]
        known = repr((wanted, where))
        if known not in self._kept:
            selections = (SelectRecords(where),) if where else ()
            data = LOCAL.open(selected(self.table, selections)).tuples(wanted, schema)
            columns = {name: _empty_as_missing(column) for name, column in data.columns.items()}
            self._kept = {known: Workbench(replace(data, columns=columns, schema=schema))}
        return self._kept[known]

    def records(self, state: State) -> int:
        """Records that were asked for."""
        return self.workbench(state).data.records

    def under(self, state: State) -> Changed:
        """The table once the manipulations are done that were accepted."""
        return self.workbench(state).under(state.agreement.manipulations)

    def measured(self, state: State, plan: Plan) -> Measured:
        """The numbers of the offer in force."""
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

        return drawn(self.table, plan_of(state), schema_of(state)).released

    def plans(self, state: State, asked: acts.AskForPlans, most: int) -> list[dict[str, Any]]:
        """The best plans under the requester's bounds, with what they cost as shares."""
        data, schema = self.workbench(state).data, schema_of(state)
        wanted: dict[str, Any] = {"prefer": state.request.prefer or "loss"}
        found = _searched(
            data,
            KAnonymity(state.levels.k or acts.FEWEST),
            quasi=list(schema.quasi),
            sensitive=list(schema.sensitive),
            hierarchies=hierarchies_of(schema),
            max_suppression=asked.max_suppression,
            bounds=dict(asked.bounds) or None,
            weights=dict(asked.weights) or None,
            missing="own-branch",
            loss_domain="hierarchy",
            plans=most,
            **wanted,
        )
        return [_plan_told(each, data.records) for each in found]

    def metrics(self, state: State, plan: Plan) -> dict[str, Any]:
        """What the plan in force lost, and how well the column can be predicted that the requester named (12)."""
        schema = schema_of(state)
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


def _empty_as_missing(column: Column) -> Column:
    """An empty text is a missing value, as in what is released."""
    values = column.values
    if values.dtype != pl.String or not (values == "").any():
        return column
    kept = values.replace("", None).unique(maintain_order=True)
    place = {value: code for code, value in enumerate(kept.to_list())}
    codes = np.array([place[value or None] for value in values.to_list()], np.uint32)
    return Column(column.name, codes[column.codes], kept)


def hierarchies_of(schema: Schema) -> dict[str, Any]:
    """By quasi column: the hierarchy that the schema names; all or nothing where it names none."""
    return {name: schema[name].hierarchy or Hierarchy.all_or_nothing() for name in schema.quasi}


def _plan_told(plan: Any, records: int) -> dict[str, Any]:
    labels = {
        operation.column: operation.hierarchy.level_label(operation.level)
        for operation in plan.plan.operations
        if operation.name == "generalise"
    }
    return {
        "levels": dict(plan.levels),
        "labels": labels,
        "suppressed": plan.suppressed / max(1, records),
        "loss": float(plan.loss),
        "plan": plan.plan.to_tree(),
    }


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
