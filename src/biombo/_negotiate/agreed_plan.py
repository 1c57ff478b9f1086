"""The plan that follows from what was agreed: nothing else is ever measured, reported or released."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from biombo._criteria import Criterion, KAnonymity, LDiversity, Waiver
from biombo._data import Schema
from biombo._errors import ColumnError, UsageError
from biombo._hierarchy import Hierarchy
from biombo._negotiate.acts import Prepare
from biombo._negotiate.state import State
from biombo._plan import (
    Diversify,
    Exponential,
    Generalise,
    Geometric,
    Laplace,
    MaskCharacters,
    NoiseSmallGroups,
    NoiseUniformGroups,
    Operation,
    Plan,
    PrivateOperation,
    Round,
    SelectRecords,
    SuppressColumn,
    SuppressGroups,
    TopBottomCode,
)

MANIPULATIONS: tuple[type[Operation], ...] = (Generalise, MaskCharacters, Round, TopBottomCode, SuppressColumn)
"""What a requester may ask for: operations on one quasi column after which what it says is still true."""


def plan_of(state: State) -> Plan:
    """The plan of a negotiation that was prepared."""
    preparation = prepared(state)
    schema = schema_of(state)
    return Plan(
        operations=tuple(_operations(state, preparation, schema)),
        criteria=tuple(_criteria(state, schema)),
        waived=tuple(_waivers(state, schema)),
        quasi=schema.quasi,
        sensitive=schema.sensitive,
        identifiers=tuple(name for name in schema.with_role("identifier") if name != schema.person),
        person=schema.person,
        max_suppression=state.agreement.max_suppression,
    )


def prepared(state: State) -> Prepare:
    """The preparation. Raises where there is none yet."""
    if state.preparation is None:
        raise UsageError("negotiation.not-prepared")
    return state.preparation


def schema_of(state: State) -> Schema:
    """What the columns are that were asked for and are available; all others are left out."""
    return prepared(state).declared


def hierarchies_of(schema: Schema) -> dict[str, Hierarchy]:
    """By quasi column: the hierarchy that the schema names; all or nothing where it names none."""
    return {name: Hierarchy.told(schema[name].hierarchy or Hierarchy.all_or_nothing()) for name in schema.quasi}


def has_noise(state: State) -> bool:
    """Do quasi values get noise, so that groups mean nothing and no k is claimed?"""
    return state.request.dimension == "structure" or state.agreement.noised_groups


def _operations(state: State, preparation: Prepare, schema: Schema) -> Iterator[Operation]:
    agreement, levels = state.agreement, state.levels
    if preparation.where:
        yield SelectRecords(preparation.where)
    yield from agreement.manipulations
    if state.request.dimension == "structure":
        yield from Mechanisms(preparation, schema, {}).all(schema.quasi, _share(state, schema.quasi))
    elif agreement.noised_groups:
        changed = {name: each for each in agreement.manipulations for name in each.columns}
        left = [name for name in schema.quasi if not isinstance(changed.get(name), SuppressColumn)]
        mechanisms = Mechanisms(preparation, schema, changed)
        yield NoiseSmallGroups(levels.k or 2, tuple(mechanisms.all(left, _share(state, left))))
    elif agreement.max_suppression > 0:
        yield SuppressGroups()
    for column, synonyms in agreement.synonyms.items():
        yield Diversify(column, synonyms, groups_below=levels.l or 2, missing="leave")
    if agreement.noised_values:
        yield from _value_noise(state, preparation, schema)


def _share(state: State, quasi: Sequence[str]) -> float:
    """The ε of each column that may get noise: with that of the sensitive ones it adds up to what was set."""
    return (state.levels.epsilon or 0) / max(1, len(quasi) + len(schema_of(state).sensitive))


def _value_noise(state: State, preparation: Prepare, schema: Schema) -> Iterator[Operation]:
    mechanisms = Mechanisms(preparation, schema, {})
    quasi = schema.quasi if has_noise(state) else ()
    share = _share(state, quasi)
    for column in schema.sensitive:
        yield NoiseUniformGroups(state.levels.l or 2, mechanisms.of(column, share))


def _criteria(state: State, schema: Schema) -> Iterator[Criterion]:
    """What the release claims: nothing about groups where quasi values have noise."""
    if has_noise(state) or state.levels.k is None:
        return
    yield KAnonymity(state.levels.k)
    if state.diversity_met and state.levels.l is not None and not state.agreement.noised_values:
        yield from (LDiversity(state.levels.l, column=name) for name in schema.sensitive)


def _waivers(state: State, schema: Schema) -> Iterator[Waiver]:
    waived = state.agreement.waived
    if waived is None:
        return
    for column in schema.sensitive:
        criterion = LDiversity(waived.l, column=column)
        yield Waiver(
            criterion, waived.public_reason or waived.reason, state.agreement.waived_by, waived.sensitivities(column)
        )


class Mechanisms:
    """Noise for each column by its type, over what was declared of it beforehand, never over what occurs."""

    def __init__(self, preparation: Prepare, schema: Schema, changed: Mapping[str, Operation]) -> None:
        self._dates, self._schema, self._changed = preparation.dates, schema, changed
        self._described = preparation.described

    def all(self, columns: Sequence[str], epsilon: float) -> Iterator[PrivateOperation]:
        """One for each column, with this ε each."""
        yield from (self.of(name, epsilon) for name in columns)

    def of(self, column: str, epsilon: float) -> PrivateOperation:
        """Laplace noise for numbers and dates (Moraes et al. 2025), the exponential mechanism for everything else."""
        about, change = self._schema[column], self._changed.get(column)
        if change is not None:
            return self._generalised(column, change, epsilon)
        if about.type == "date":
            return Geometric(column, epsilon, self._days(column))
        if about.type in ("discrete", "continuous"):
            if about.bounds is None:
                raise ColumnError("negotiation.no-bounds", column=column)
            if about.type == "continuous":
                return Laplace(column, epsilon, about.bounds)
            low, high = about.bounds
            return Geometric(column, epsilon, (int(low), int(high)))
        if about.domain is None:
            raise ColumnError("negotiation.no-domain", column=column)
        return Exponential(column, epsilon, about.domain)

    def _days(self, column: str) -> Any:
        if column not in self._dates:
            raise ColumnError("negotiation.no-days", column=column)
        first, last = self._dates[column]
        return str(first), str(last)

    def _generalised(self, column: str, change: Operation, epsilon: float) -> PrivateOperation:
        """Over the labels that the level has within what was declared, in their order."""
        if not isinstance(change, Generalise):
            raise ColumnError("negotiation.noise-after", column=column, name=change.title)
        return Exponential(column, epsilon, self._labels(column, change.hierarchy, change.level), distance="order")

    def _labels(self, column: str, hierarchy: Hierarchy, level: int) -> tuple[str, ...]:
        about = self._schema[column]
        if hierarchy.reads:
            return self._labels_read(hierarchy, level)
        return hierarchy.domain(level, self._days(column) if about.type == "date" else about.bounds)

    def _labels_read(self, hierarchy: Hierarchy, level: int) -> tuple[str, ...]:
        """Over what was declared of the column that the hierarchy is read off: not over what the table says with it."""
        *finer, last = hierarchy.reads
        domain = self._described[last].domain
        if finer or domain is None:
            raise ColumnError("negotiation.no-domain", column=last)
        declared = hierarchy.read_off([(str(value), str(value)) for value in domain])
        return tuple(dict.fromkeys(declared.generalised(str(value), level) for value in domain))
