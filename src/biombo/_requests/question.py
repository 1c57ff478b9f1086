"""What must hold, and how a plan for it is searched for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from biombo._errors import UsageError
from biombo._i18n import option
from biombo._requests.entries import (
    BY_COLUMN,
    KindPerColumn,
    Levels,
    PerColumn,
    Sets,
    kind_by_column,
    levels,
    number,
    placed,
    read_by,
    sets,
    weights,
    written_sets,
)
from biombo._requests.population import PopulationRequest
from biombo._watch import begin, unwarned

if TYPE_CHECKING:
    from biombo._criteria import Criterion, LDiversity, TCloseness
    from biombo._data import Dataset, FarTuples
    from biombo._data import Schema as LoadedSchema
    from biombo._search import JointResult, LocalResult, Policy, SearchResult, Terms

_DEFAULT_POLICY = "loss"
_DIVERSITIES = Literal["distinct", "entropy", "recursive"]
_DISTANCES = Literal["equal", "ordered", "hierarchical"]
_LIKENESSES = Literal["basic", "enhanced"]


@dataclass(frozen=True, kw_only=True, repr=False)
class QuestionRequest(PopulationRequest):
    """A request that may search for a plan."""

    quasi: Sets | None = field(default=None, metadata=read_by(sets, write=written_sets))
    """What an adversary may know: one set of columns, or several; by default the schema's."""
    sensitive: tuple[str, ...] | None = None
    """What it wants; by default the schema's."""
    hierarchies: str | None = placed("folder")
    """The folder with a hierarchy for each column."""
    k: int | None = number(1)
    k_map: int | None = number(1)
    """How many people of the population each group is to have: counted in ``population_table``, or by an estimate that
    needs ``population_size``."""
    l: PerColumn | None = field(default=None, metadata=BY_COLUMN)  # noqa: E741
    l_kind: KindPerColumn = field(default="distinct", metadata=kind_by_column(_DIVERSITIES))
    c: PerColumn | None = field(default=None, metadata=BY_COLUMN)
    alpha: PerColumn | None = field(default=None, metadata=BY_COLUMN)
    alpha_values: tuple[str, ...] | None = None
    """The sensitive values that must not be frequent; by default none may be."""
    t: PerColumn | None = field(default=None, metadata=BY_COLUMN)
    t_kind: KindPerColumn = field(default="equal", metadata=kind_by_column(_DISTANCES))
    beta: PerColumn | None = field(default=None, metadata=BY_COLUMN)
    beta_kind: KindPerColumn = field(default="enhanced", metadata=kind_by_column(_LIKENESSES))
    delta_disclosure: PerColumn | None = field(default=None, metadata=BY_COLUMN)
    max_vulnerability: PerColumn | None = field(default=None, metadata=BY_COLUMN)
    max_leakage: PerColumn | None = field(default=None, metadata=BY_COLUMN)
    over: Literal["group", "table"] = "group"
    max_presence: float | None = None
    max_absence: float | None = None
    """The highest chance that somebody of the population is not in the table, counted in ``population_table``."""
    max_average_risk: float | None = None
    max_uniqueness: float | None = None
    max_population_uniqueness: float | None = None
    population_size: int | None = number(1)
    """How many people there are in the population that the table is a sample of, those of the table among them."""
    max_suppression: float = number(0, 1, default=0.0)
    prefer: tuple[str, ...] | None = None
    """What makes one plan better than another; one for each set of quasi columns, or one for all."""
    level: Levels | None = field(default=None, metadata=read_by(levels))
    """By column: the only level, or the lowest and the highest, that a plan may have."""
    weights: Mapping[str, float] | None = field(default=None, metadata=read_by(weights))
    """By column: how much it counts."""
    missing: Literal["stop", "own-branch", "suppress"] = "stop"
    drop_invalid: bool = False
    loss_domain: Literal["data", "hierarchy"] = "data"
    """Over which values loss is told: those that occur, or all of the hierarchies."""
    time_limit: float = number(0, default=0.0)
    """Seconds; 0 for none."""
    recoding: Literal["global", "local", "multidimensional", "multidimensional-relaxed"] = "global"
    """Whether each column has one level in all records, or groups of records have levels of their own."""

    @property
    def inputs(self) -> list[Path]:
        """Also the hierarchies in the folder that are called after a column in use."""
        from biombo._search import hierarchies_in

        if self.hierarchies is None:
            return super().inputs
        columns = [*(self.question["quasi"] or self._loaded_schema.quasi), *self._sensitive]
        return [*super().inputs, *hierarchies_in(self.hierarchies, columns)]

    @property
    def sets(self) -> Sets:
        """The sets of quasi columns that are named."""
        return self.quasi or ()

    @cached_property
    def criteria(self) -> "list[Criterion]":
        """What must hold, for each set of quasi columns; a set is named where there are several."""
        each_set: Sequence[Sequence[str] | None] = self.sets if len(self.sets) > 1 else [None]
        return [criterion for columns in each_set for criterion in self._criteria_on(columns)]

    def _criteria_on(self, quasi: Sequence[str] | None) -> "list[Criterion]":
        return [*self._on_groups(quasi), *self._on_values(quasi), *self._on_table(quasi)]

    def _on_groups(self, quasi: Sequence[str] | None) -> "Iterator[Criterion]":
        """What is asked of the size of groups."""
        from biombo._criteria import KAnonymity, KMap

        if self.k is not None:
            yield KAnonymity(self.k, quasi=quasi)
        if self.k_map is not None:
            yield KMap(self.k_map, population=self._counted_or("k_map"), quasi=quasi)

    def _on_values(self, quasi: Sequence[str] | None) -> "Iterator[Criterion]":
        """What is asked of sensitive values, of all columns alike or of each that is named."""
        from biombo._criteria import BetaLikeness, Deassociation, DeltaDisclosure, Leakage, Vulnerability

        for l, column in self._bounds("l", "l_kind", "c"):  # noqa: E741
            yield self._diversity(l, column, quasi)
        if self.alpha is None and self.alpha_values is not None:
            raise UsageError("usage.alpha-values")
        for alpha, column in self._bounds("alpha"):
            yield Deassociation(alpha, values=self.alpha_values, column=column, quasi=quasi)
        for t, column in self._bounds("t", "t_kind"):
            yield from self._closeness(t, column, quasi)
        for beta, column in self._bounds("beta", "beta_kind"):
            yield BetaLikeness(beta, kind=self._of("beta_kind", column), column=column, quasi=quasi)
        for delta, column in self._bounds("delta_disclosure"):
            yield DeltaDisclosure(delta, column=column, quasi=quasi)
        for most, column in self._bounds("max_vulnerability"):
            yield Vulnerability(most, over=self.over, column=column, quasi=quasi)
        for most, column in self._bounds("max_leakage"):
            yield Leakage(most, over=self.over, column=column, quasi=quasi)

    def _on_table(self, quasi: Sequence[str] | None) -> "Iterator[Criterion]":
        """What is asked of whom an adversary finds in the table."""
        from biombo._criteria import Absence, AverageRisk, PopulationUniqueness, Presence, Uniqueness

        if self.max_presence is not None:
            people = self._counted_or("max_presence")
            yield Presence(self.max_presence, population=people, over=self.over, quasi=quasi)
        if self.max_absence is not None:
            if self.population_table is None:
                raise UsageError("usage.no-population-table", option="--max-absence")
            yield Absence(self.max_absence, quasi=quasi)
        if self.max_average_risk is not None:
            yield AverageRisk(self.max_average_risk, quasi=quasi)
        if self.max_uniqueness is not None:
            yield Uniqueness(self.max_uniqueness, quasi=quasi)
        if self.max_population_uniqueness is not None:
            people = self._population("max_population_uniqueness")
            yield PopulationUniqueness(self.max_population_uniqueness, population=people, quasi=quasi)

    def _bounds(self, name: str, *beside: str) -> Iterator[tuple[float, str | None]]:
        """The number that is asked for, with the column that it is for; no column where it is for all, and entries
        ``beside`` it, such as its kind, do not differ by column.
        """
        asked: PerColumn | None = getattr(self, name)
        by_column = [each for each in beside if isinstance(getattr(self, each), Mapping)]
        bounds: dict[str | None, float] = {}
        if isinstance(asked, Mapping):
            self._refuse_others(name, asked)
            bounds.update(asked.items())
        elif asked is not None:
            bounds.update(dict.fromkeys(self._sensitive if by_column else [None], asked))
        for each in by_column:
            self._refuse_others(each, getattr(self, each))
            if unasked := getattr(self, each).keys() - bounds:
                raise UsageError("usage.not-asked", option=option(each), column=min(unasked), asking=option(name))
        yield from ((bound, column) for column, bound in bounds.items())

    def _refuse_others(self, name: str, by_column: Mapping[str, Any]) -> None:
        """Raise where a column is not sensitive."""
        for column in by_column:
            if column not in self._sensitive:
                known = ", ".join(self._sensitive) or "–"
                raise UsageError("usage.not-sensitive", option=option(name), column=column, sensitive=known)

    def _of(self, name: str, column: str | None) -> Any:
        """What an entry says of a column; where it says nothing, what is usual."""
        said = getattr(self, name)
        return said.get(column, getattr(type(self), name)) if isinstance(said, Mapping) else said

    def _diversity(self, l: float, column: str | None, quasi: Sequence[str] | None) -> "LDiversity":  # noqa: E741
        from biombo._criteria import LDiversity

        whole, kind, c = int(l) if float(l).is_integer() else l, self._of("l_kind", column), self._of("c", column)
        if isinstance(self.l_kind, Mapping) and not isinstance(self.c, Mapping) and kind != "recursive":
            c = None  # it is for the columns that are
        return LDiversity(whole, kind=kind, c=c, column=column, quasi=quasi)

    def _counted_or(self, asking: str) -> int | None:
        """The size of the population to estimate by; nothing where there is a table of it."""
        if self.population_table is None and self.population_size is None:
            raise UsageError("usage.no-population", option=option(asking))
        by_size_too = self.population_table is not None and self.max_population_uniqueness is not None
        return None if by_size_too else self.population_size

    def _population(self, asking: str) -> int:
        if self.population_size is None:
            raise UsageError("usage.no-population-size", option=option(asking))
        return self.population_size

    def _closeness(self, t: float, column: str | None, quasi: Sequence[str] | None) -> "Iterator[TCloseness]":
        """One for all sensitive columns, unless each has a hierarchy of its own that distances go by."""
        from biombo._criteria import TCloseness
        from biombo._search import hierarchy_of_sensitive

        kind = self._of("t_kind", column)
        if kind != "hierarchical":
            yield TCloseness(t, kind=kind, column=column, quasi=quasi)
            return
        if not self._sensitive:
            raise UsageError("attack.no-sensitive")
        for name in self._sensitive if column is None else [column]:
            hierarchy = hierarchy_of_sensitive(name, self.hierarchies, self._loaded_schema)
            yield TCloseness(t, kind=kind, column=name, hierarchy=hierarchy, quasi=quasi)

    @cached_property
    def _loaded_schema(self) -> "LoadedSchema":
        from biombo._data import Schema

        return Schema.load(self.schema)

    @property
    def _sensitive(self) -> list[str]:
        return list(self._loaded_schema.sensitive if self.sensitive is None else self.sensitive)

    @property
    def columns_in_use(self) -> list[str]:
        """The columns that the search reads, so that no other is kept."""
        from biombo._search import columns_to_read

        schema = self._loaded_schema
        known = self.question["quasi"] or list(schema.quasi)
        if not known:
            raise UsageError("usage.search-no-quasi")
        person = [schema.person] if schema.person else []
        read = columns_to_read(known, self.hierarchies, schema)
        predicted = [policy.predicts for policy in self.policies if policy.predicts is not None]
        return list(dict.fromkeys([*known, *self._sensitive, *read, *person, *predicted]))

    @property
    def policies(self) -> "list[Policy]":
        """What makes one plan better than another."""
        from biombo._search import Policy

        return [Policy.named(name) for name in self.prefer or (_DEFAULT_POLICY,)]

    @property
    def question(self) -> dict[str, Any]:
        """What the search and its frontier are asked alike, besides the criteria."""
        return {
            "quasi": list(dict.fromkeys(column for columns in self.sets for column in columns)) or None,
            "sensitive": None if self.sensitive is None else list(self.sensitive),
            "hierarchies": self.hierarchies,
            "bounds": self.level,
            "weights": self.weights,
            "loss_domain": self.loss_domain,
            "selected_by": self.selections,
            "missing": self.missing,
            "drop_invalid": self.drop_invalid,
            "population": self.population_table,
        }

    def terms(self, header: "Dataset", plans: int) -> "Terms":
        """What is asked of the search, checked by the columns alone."""
        from biombo._search import check_search

        of_rows = ("missing", "drop_invalid", "population")
        asked = {name: value for name, value in self.question.items() if name not in of_rows}
        with unwarned():  # the search itself warns
            terms = check_search(header, self.criteria, **asked, **self._wanted(plans), recoding=self.recoding)
        self.check_population(self.criteria, header.schema, tuple(terms.hierarchies), of_some=bool(self.selections))
        return terms

    def found(self, data: "Dataset | FarTuples", plans: int, share: float = 1) -> "SearchResult | JointResult":
        """The plans that meet the criteria by one level for each column; ``share`` is the part of the time limit that
        it may take.
        """
        from biombo._search import LocalResult, search

        begin("searching")
        wanted = self._wanted(plans) | {"seconds": self.time_limit * share}
        found = search(data, self.criteria, **self.question, **wanted)
        assert not isinstance(found, LocalResult)
        return found

    def found_locally(self, data: "Dataset", share: float = 1) -> "LocalResult":
        """The plan that meets the criteria by levels of their own for groups of records; ``share`` as in
        :meth:`found`.
        """
        from biombo._search import LocalResult, search

        begin("searching")
        wanted = self._wanted(1) | {"seconds": self.time_limit * share}
        found = search(data, self.criteria, **self.question, **wanted, recoding=self.recoding)
        assert isinstance(found, LocalResult)
        return found

    def _wanted(self, plans: int) -> dict[str, Any]:
        return {
            "max_suppression": self.max_suppression,
            "prefer": list(self.prefer or (_DEFAULT_POLICY,)),
            "plans": plans,
            "seconds": self.time_limit,
        }
