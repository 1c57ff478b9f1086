"""What is asked of a search, checked and counted once for all that follows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._attack import Dropped
from biombo._cells import (
    CodedColumn,
    Codes,
    GroupValues,
    Lattice,
    PopulationRows,
    Requirement,
    TargetColumn,
    judge_groups,
    tallied,
)
from biombo._criteria import (
    Criterion,
    Demand,
    KAnonymity,
    KMap,
    by_quasi,
    demand,
    judge,
    rows_to_suppress,
    smallest_group_asked,
    suppression_limit,
)
from biombo._data import Column, Dataset, FarTuples, coded_alike
from biombo._engine import numbered
from biombo._errors import InputError, UsageError
from biombo._hierarchy import TOP, Answer
from biombo._measures import (
    ArxQuality,
    ColumnMarginals,
    ConstantColumn,
    Floats,
    LocalCosts,
    LossDomain,
    Marginals,
    became_constant,
    told_information,
    top_values,
)
from biombo._plan import Plan, SelectRecords, SuppressGroups
from biombo._search.arguments import check_share
from biombo._search.policy import Policy
from biombo._search.quasi_column import QuasiColumn
from biombo._search.terms import Terms, plan_for
from biombo._search.valid_records import WithoutInvalid


@dataclass(frozen=True, eq=False)
class Question:
    """One set of quasi columns with their generalisations, and the criteria for the groups that they make."""

    data: Dataset
    columns: tuple[QuasiColumn, ...]
    criteria: tuple[Criterion, ...]
    sensitive: tuple[str, ...]
    weights: Floats
    without_invalid: WithoutInvalid | None = None
    """What was left out beforehand, if that was asked for; ``data`` is the rest."""
    selected_by: tuple[SelectRecords, ...] = ()
    """What all records were selected by, before that."""
    predicts: str | None = None
    """The column for whose prediction little is to be lost, if there is one."""
    by_volume: bool = False
    """Does it matter how many combinations of values groups stand for?"""

    @classmethod
    def of(
        cls,
        data: Dataset | FarTuples,
        terms: Terms,
        *,
        missing: Answer,
        drop_invalid: bool = False,
        max_suppression: float = 1.0,
    ) -> "Question":
        """Read the quasi columns, and check what depends on the rows. Where tuples are too many to be here, those
        levels are left out that a column alone proves hopeless when at most ``max_suppression`` is suppressed.
        """
        if isinstance(data, FarTuples):
            return cls._of_far(data, terms, missing, drop_invalid, max_suppression)
        terms = terms.read_off(data)
        columns, rest = _columns(data, terms, missing), None
        quasi, sensitive = tuple(terms.hierarchies), terms.sensitive
        if drop_invalid:
            # Read before and after: what stops the search in a record that is left out would stop its plan as well.
            rest = WithoutInvalid.of(data, list(dict.fromkeys([*quasi, *sensitive, *terms.named_by_criteria])))
            data, columns = rest.data, _columns(rest.data, terms, missing)
        _refuse_large_k(data, terms)
        _refuse_outsiders(data, terms)
        return cls(data, columns, terms.criteria, sensitive, _weighed(terms), rest, terms.selected_by)

    @classmethod
    def _of_far(
        cls, far: FarTuples, terms: Terms, missing: Answer, drop_invalid: bool, max_suppression: float
    ) -> "Question":
        """The same with the tuples counted at the lowest levels that are left, in which one value stands for all that
        these do not tell apart.
        """
        person = far.schema.person
        alone = {name: far.alone(name) for name in far.columns if name != person}
        if drop_invalid and any(far.schema[name].invalid for name in alone):
            raise InputError("search.far-invalid", source=far.label)
        check_share(max_suppression)
        limit = suppression_limit(max_suppression, far.records)
        columns = [_column(alone[name], name, terms, missing) for name in terms.hierarchies]
        _refuse_large_k(next(iter(alone.values())), terms)
        columns = [column.without_hopeless(_k_of(column.name, terms.criteria), limit) for column in columns]
        read = {name: table[name] for name, table in alone.items()}
        for column in columns:
            read[column.name] = replace(read[column.name], codes=column.standing_for_others[column.codes])
        people = _people_asked(terms, far.records) if person in far.columns else 0
        data = far.recoded(read, {}, people).tuples()
        here = tuple(replace(column, codes=data[column.name].codes) for column in columns)
        rest = WithoutInvalid(data, Dropped(0, dict.fromkeys(alone, 0)), None) if drop_invalid else None
        return cls(data, here, terms.criteria, terms.sensitive, _weighed(terms), rest, terms.selected_by)

    def serving(self, policy: Policy) -> "Question":
        """The same with what a policy has to know counted as well."""
        return replace(self, predicts=policy.predicts, by_volume=policy.by_volume)

    @property
    def quasi(self) -> tuple[str, ...]:
        """The quasi columns, in the order in which they were named."""
        return tuple(column.name for column in self.columns)

    @property
    def loss_domain(self) -> LossDomain:
        """Over which values loss is told."""
        return self.columns[0].loss_domain

    @property
    def records(self) -> int:
        """How many records there are."""
        return self.data.records

    @property
    def telling(self) -> dict[str, Any]:
        """What the lattice has to say of nodes that it checks, for criteria over the whole table and for policies."""
        asked = self.demand
        of_targets = any(bound.target is not None for bound in asked.table) or self.target_place is not None
        told = {"tops": of_targets, "people": asked.people, "sizes": asked.by_sizes, "volumes": self.by_volume}
        return told | {"presences": asked.by_presence}

    def groups(
        self, columns: Sequence[CodedColumn], requirement: Requirement, keep: NDArray[np.bool_] | None = None
    ) -> GroupValues:
        """The groups that ``columns`` make, and what the rules of a requirement find in them; where these are about the
        population, of columns at their lowest levels.
        """
        targets, population = self.demand.targets if requirement.rules else (), None
        if requirement.rules and self._population:
            lowest = self._population_at({column.name: column.lowest for column in self.columns})
            alike = [coded_alike(column, lowest[column.name]) for column in columns]  # type: ignore[arg-type]
            columns, population = [each for each, _ in alike], self._rows([codes for _, codes in alike])
        return judge_groups(columns, targets, self.data.rows, requirement.rules, keep, self.data.counts, population)

    @cached_property
    def demand(self) -> Demand:
        """The criteria as the kernel wants them."""
        return demand(self.data, self.with_k(self.k), sensitive=self.sensitive)

    @cached_property
    def lattice(self) -> Lattice:
        """The distinct records, ready to be generalised to any level allowed."""
        columns, population = [column.allowed_levels for column in self.columns], None
        if self._population:
            columns = [column.allowed_beside(self._population[column.name][0]) for column in self.columns]
            population = self._rows([codes for _, codes in self._population.values()])
        return Lattice.count(columns, self.targets, self.data.rows, counts=self.data.counts, population=population)

    @cached_property
    def _population(self) -> dict[str, tuple[QuasiColumn, Codes]]:
        """By quasi column: the same with the values of the population, and their codes; nothing where nothing is asked
        about it.
        """
        whole = self.data.population
        if whole is None or not self.demand.population:
            return {}
        return {column.name: column.beside(self.data[column.name], whole[column.name]) for column in self.columns}

    def _rows(self, codes: Sequence[Codes]) -> PopulationRows:
        whole = self.data.population
        assert whole is not None
        return PopulationRows(codes, np.ones(whole.rows, np.int64) if whole.counts is None else whole.counts)

    def _population_at(self, levels: Mapping[str, int]) -> dict[str, Column]:
        """The columns of the population at ``levels``."""
        return {
            name: replace(column, codes=codes).generalised(levels[name])
            for name, (column, codes) in self._population.items()
        }

    @property
    def targets(self) -> tuple[TargetColumn, ...]:
        """What criteria are about, and what is to be predicted, if that is another."""
        asked = self.demand.targets
        if self.predicts is None or any(target.name == self.predicts for target in asked):
            return asked
        column = self.data[self.predicts]
        return (*asked, TargetColumn(column.name, column.codes, column.cardinality))

    @cached_property
    def target_place(self) -> int | None:
        """Where the lattice has the column that is to be predicted, if there is one."""
        return next((i for i, target in enumerate(self.targets) if target.name == self.predicts), None)

    @cached_property
    def nodes(self) -> NDArray[np.int64]:
        """Per node and column: the level of the column's hierarchy; for lattices whose nodes can be listed."""
        return np.asarray(self.lattice.nodes + np.array([column.lowest for column in self.columns]))

    @cached_property
    def marginals(self) -> Marginals:
        """What each column loses at each level."""
        alone = tuple(ColumnMarginals.of(column.values, counts=column.held) for column in self.columns)
        if self.predicts is None and not self.by_volume:
            return Marginals(alone, self.records)
        before = [self.data[name] for name in self.quasi]
        tuples = judge_groups(before, self.targets, self.data.rows, (), counts=self.data.counts)
        log_tuples = float((tuples.size * np.log2(tuples.size)).sum())
        if self.target_place is None:
            return Marginals(alone, self.records, log_tuples)
        told = (replace(each, told=self._told(column)) for each, column in zip(alone, self.columns, strict=True))
        return Marginals(tuple(told), self.records, log_tuples, int(tuples.top[:, self.target_place].sum()))

    def _told(self, column: QuasiColumn) -> Floats:
        """What a column tells about the one that is to be predicted, by level."""
        assert self.predicts is not None
        target = self.data[self.predicts]
        return told_information(column.all_levels, target.codes, target.cardinality, self.data.counts)

    @property
    def nodes_allowed(self) -> int:
        """How many nodes there are, with those that a column alone proved hopeless."""
        return prod(column.highest - column.lowest + 1 + column.hopeless for column in self.columns)

    def told_apart(self, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Nodes with the levels at which a column is constant anyway brought down to the lowest of them: what is equal
        then are one plan.
        """
        return np.minimum(nodes, [self._constant_from(column) for column in self.columns])

    def _constant_from(self, column: QuasiColumn) -> int:
        """The level from which on a column is the same in all records, and in the population where that counts."""
        if not self._population:
            return column.constant_from
        both, codes = self._population[column.name]
        return replace(both, held=both.held + tallied(codes, len(both.held))).constant_from

    @property
    def k(self) -> int:
        """The smallest group that the criteria allow."""
        return smallest_group_asked(self.criteria) or 1

    def requirements(self, ks: Sequence[int]) -> list[Requirement]:
        """What groups must be, for each of several ``k`` in place of the one asked for."""
        return [_requirement(demand(self.data, self.with_k(k), sensitive=self.sensitive)) for k in ks]

    def with_k(self, k: int) -> tuple[Criterion, ...]:
        """The criteria with another ``k``."""
        others = tuple(each for each in self.criteria if not isinstance(each, KAnonymity))
        asked = [each for each in self.criteria if isinstance(each, KAnonymity)]
        return (KAnonymity(k, quasi=asked[0].quasi if asked else None), *others)

    def became_constant(
        self, levels: Mapping[str, int], criteria: Sequence[Criterion], suppressed: int
    ) -> tuple[ConstantColumn, ...]:
        """The columns that tell nothing any more, or next to nothing, once those records are gone that must go."""
        before = {column.name: float(column.held.max() / column.held.sum()) for column in self.columns}
        keep = ~self.suppressed_rows(levels, criteria) if suppressed else None
        return became_constant(top_values(self.generalised(levels).values(), self.data.counts, keep), before)

    def smallest_group(self, levels: Mapping[str, int], criteria: Sequence[Criterion], suppressed: int) -> int | None:
        """How many are in the smallest group once those records are gone that must go; none where none stay."""
        data = self._at(levels)
        gone = self.suppressed_rows(levels, criteria) if suppressed else None
        (verdict,) = judge(data, KAnonymity(1), quasi=self.quasi, suppressed=gone).verdicts
        return None if verdict.achieved is None else int(verdict.achieved)

    def arx_quality(
        self, levels: Mapping[str, int], criteria: Sequence[Criterion], suppressed: int
    ) -> ArxQuality | None:
        """What ARX would show of the records at ``levels``; None where the records as they were are not all here."""
        if any(column.hopeless for column in self.columns):
            return None
        columns = [replace(column, loss_domain="hierarchy").all_levels for column in self.columns]
        shown = list(self.generalised(levels).values())
        group, _ = numbered([column.codes for column in shown], [column.cardinality for column in shown])
        stays = ~self.suppressed_rows(levels, criteria) if suppressed else np.ones(self.data.rows, bool)
        kept, place = np.unique(group[stays], return_inverse=True)
        numbers = np.full(self.data.rows, -1)
        numbers[stays] = place
        of_group = np.tile(np.array([levels[name] for name in self.quasi], np.uint8), (len(kept), 1))
        return ArxQuality.of(LocalCosts.of(columns, of_group, numbers, self.data.counts), self.data.counts)

    def generalised(self, levels: Mapping[str, int]) -> dict[str, Column]:
        """The quasi columns at ``levels``."""
        return {column.name: column.generalised(levels[column.name]) for column in self.columns}

    def _at(self, levels: Mapping[str, int]) -> Dataset:
        """The records at ``levels``, and the population where that counts."""
        whole = self.data.population
        if whole is not None and self._population:
            whole = replace(whole, columns={**whole.columns, **self._population_at(levels)})
        return replace(self.data, columns={**self.data.columns, **self.generalised(levels)}, population=whole)

    def suppressed_rows(self, levels: Mapping[str, int], criteria: Sequence[Criterion]) -> NDArray[np.bool_]:
        """The rows that must go at ``levels``."""
        data = self._at(levels)
        return rows_to_suppress(data, criteria, quasi=self.quasi, sensitive=self.sensitive)

    def out_of_reach(self, max_suppression: float) -> list[Criterion]:
        """The criteria that no plan can meet: all records in one group do not, and no smaller group does better."""
        suppression = self.limit(max_suppression) > 0
        told = [each for each in self.criteria if each.monotonic(suppression=suppression)]
        whole = self.data.population
        together = replace(_alike(self.data, self.quasi), population=whole and _alike(whole, self.quasi))
        judged = [judge(together, each, quasi=self.quasi, sensitive=self.sensitive) for each in told]
        return [each for each, judgement in zip(told, judged, strict=True) if not judgement.holds]

    def limit(self, max_suppression: float) -> int:
        """How many records may be suppressed: ⌊share · records⌋, in exact decimals."""
        check_share(max_suppression)
        return suppression_limit(max_suppression, self.records)

    def plan(self, levels: Mapping[str, int], criteria: Sequence[Criterion], max_suppression: float) -> Plan:
        """The plan that brings the columns to ``levels`` and suppresses what then fails."""
        dropping = self.without_invalid and self.without_invalid.operation
        first = [dropping] if dropping else []
        moved = [column.at_level(levels[column.name]) for column in self.columns if levels[column.name] > 0]
        operations = (*self.selected_by, *first, *moved, SuppressGroups())
        return plan_for(self.data, operations, criteria, self.quasi, self.sensitive, max_suppression)


def _alike(data: Dataset, quasi: Sequence[str]) -> Dataset:
    """The records with nothing told in the quasi columns."""
    nowhere: Codes = np.zeros(data.rows, np.uint8)
    return replace(data, columns={**data.columns, **{name: Column(name, nowhere, pl.Series([TOP])) for name in quasi}})


def _columns(data: Dataset, terms: Terms, missing: Answer) -> tuple[QuasiColumn, ...]:
    return tuple(_column(data, name, terms, missing) for name in terms.hierarchies)


def _column(data: Dataset, name: str, terms: Terms, missing: Answer) -> QuasiColumn:
    asked = {"missing": missing, "bounds": terms.bounds.get(name), "loss_domain": terms.loss_domain}
    column = QuasiColumn.of(data, name, terms.hierarchies[name], **asked)  # type: ignore[arg-type]
    if data.population is None or name not in data.population.columns:
        return column
    if column.beside(data[name], data.population[name])[0].at_levels.single_top:
        return column
    return QuasiColumn.of(data, name, terms.hierarchies[name].with_top(), **asked)  # type: ignore[arg-type]


def _refuse_outsiders(data: Dataset, terms: Terms) -> None:
    """Raise where somebody in the table cannot be in the population, by the values as they are: more general ones may
    not show it.
    """
    asking = [criterion for criterion in terms.criteria if criterion.against_population]
    for columns in by_quasi(asking, tuple(terms.hierarchies)):
        judge(data, KMap(1), quasi=columns)


def _weighed(terms: Terms) -> Floats:
    return np.array([float(terms.weights.get(name, 1)) for name in terms.hierarchies])


def _k_of(column: str, criteria: Sequence[Criterion]) -> int:
    """The largest group that is asked of a set of quasi columns with this one among them."""
    return smallest_group_asked(each for each in criteria if each.quasi is None or column in each.quasi) or 1


def _people_asked(terms: Terms, most: int) -> int:
    """How many people of each tuple tell all that is asked of groups; ``most`` where each of them counts."""
    if any(each.counts_members and each.group_size is None for each in terms.criteria):
        return most
    return smallest_group_asked(terms.criteria) or 1


def _requirement(asked: Demand) -> Requirement:
    return Requirement(asked.k, asked.rules)


def _refuse_large_k(data: Dataset, terms: Terms) -> None:
    """Raise where no group can be as large as is asked. How few there are is not told of records that were selected."""
    k, person = smallest_group_asked(terms.criteria) or 1, data.schema.person
    if terms.selected_by and person is not None and person in data.columns:
        people = len(np.unique(data[person].codes))
    else:
        people = data.records
    if k > people and terms.selected_by:
        raise UsageError("plan.few-selected", k=k, source=data.label)
    if k > people:
        raise UsageError("search.k-above-rows", k=k, rows=people, source=data.label)
