"""What must hold, and how a plan for it is searched for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from biombo._errors import UsageError
from biombo._requests.entries import Levels, Sets, levels, number, placed, read_by, sets, weights, written_sets
from biombo._requests.request import TableRequest
from biombo._watch import begin, unwarned

if TYPE_CHECKING:
    from biombo._criteria import Criterion, TCloseness
    from biombo._data import Dataset, FarTuples
    from biombo._data import Schema as LoadedSchema
    from biombo._search import JointResult, SearchResult, Terms

_DEFAULT_POLICY = "loss"


@dataclass(frozen=True, kw_only=True, repr=False)
class QuestionRequest(TableRequest):
    """A request that may search for a plan."""

    quasi: Sets | None = field(default=None, metadata=read_by(sets, write=written_sets))
    """What an adversary may know: one set of columns, or several; by default the schema's."""
    sensitive: tuple[str, ...] | None = None
    """What it wants; by default the schema's."""
    hierarchies: str | None = placed("folder")
    """The folder with a hierarchy for each column."""
    k: int | None = number(1)
    l: float | None = None  # noqa: E741
    l_kind: Literal["distinct", "entropy", "recursive"] = "distinct"
    c: float | None = None
    t: float | None = None
    t_kind: Literal["equal", "ordered", "hierarchical"] = "equal"
    max_vulnerability: float | None = None
    max_leakage: float | None = None
    over: Literal["group", "table"] = "group"
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
        from biombo._criteria import KAnonymity, LDiversity, Leakage, Vulnerability

        found: list[Criterion] = []
        if self.k is not None:
            found.append(KAnonymity(self.k, quasi=quasi))
        if self.l is not None:
            whole = int(self.l) if float(self.l).is_integer() else self.l
            found.append(LDiversity(whole, kind=self.l_kind, c=self.c, quasi=quasi))
        if self.t is not None:
            found += self._closeness(self.t, quasi)
        if self.max_vulnerability is not None:
            found.append(Vulnerability(self.max_vulnerability, over=self.over, quasi=quasi))
        if self.max_leakage is not None:
            found.append(Leakage(self.max_leakage, over=self.over, quasi=quasi))
        return found

    def _closeness(self, t: float, quasi: Sequence[str] | None) -> "list[TCloseness]":
        """One for all sensitive columns, unless each has a hierarchy of its own that distances go by."""
        from biombo._criteria import TCloseness
        from biombo._search import hierarchy_of_sensitive

        if self.t_kind != "hierarchical":
            return [TCloseness(t, kind=self.t_kind, quasi=quasi)]
        if not self._sensitive:
            raise UsageError("attack.no-sensitive")
        return [
            TCloseness(
                t,
                kind=self.t_kind,
                column=column,
                hierarchy=hierarchy_of_sensitive(column, self.hierarchies, self._loaded_schema),
                quasi=quasi,
            )
            for column in self._sensitive
        ]

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
        return list(dict.fromkeys([*known, *self._sensitive, *read, *person]))

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
        }

    def terms(self, header: "Dataset", plans: int) -> "Terms":
        """What is asked of the search, checked by the columns alone."""
        from biombo._search import check_search

        asked = {name: value for name, value in self.question.items() if name not in ("missing", "drop_invalid")}
        with unwarned():  # the search itself warns
            return check_search(header, self.criteria, **asked, **self._wanted(plans))

    def found(self, data: "Dataset | FarTuples", plans: int, share: float = 1) -> "SearchResult | JointResult":
        """The plans that meet the criteria; ``share`` is the part of the time limit that it may take."""
        from biombo._search import search

        begin("searching")
        wanted = self._wanted(plans) | {"seconds": self.time_limit * share}
        return search(data, self.criteria, **self.question, **wanted)

    def _wanted(self, plans: int) -> dict[str, Any]:
        return {
            "max_suppression": self.max_suppression,
            "prefer": list(self.prefer or (_DEFAULT_POLICY,)),
            "plans": plans,
            "seconds": self.time_limit,
        }
