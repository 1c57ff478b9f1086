"""The population beside a release, for whoever has it and the plan: what is counted in it can be recomputed then."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from biombo._criteria import Criterion, Verdict
from biombo._data import Schema, read_population
from biombo._plan import Plan, population_after, schema_in_use
from biombo._release.verify.recount import Released, recounted


@dataclass(frozen=True, eq=False)
class InPopulation:
    """A table of the population, which has the columns as the original had them, and the plan of the release."""

    population: Any
    plan: Plan

    @property
    def tells(self) -> bool:
        """Can it be told how many people a group has? Not where these are named by a column that is not released."""
        return self.plan.person is None

    def recomputed(self, criterion: Criterion, released: Released, quasi: Sequence[str]) -> Verdict:
        """How the released records stand to a criterion that is counted in the population."""
        used = schema_in_use(self.plan, Schema())
        whole = read_population(self.population, Schema(), quasi, None)
        beside = population_after(whole, self.plan.operations, used)
        read = released.tuples(quasi)
        strict = None if read.strict is None else replace(read.strict, population=beside)
        return recounted(criterion, replace(read, population=beside, strict=strict), quasi, ())
