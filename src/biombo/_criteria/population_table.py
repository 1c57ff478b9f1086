"""A table of the population, given beside the table that is a part of it."""

from collections.abc import Sequence
from typing import Any

from biombo._criteria.base import Criterion
from biombo._criteria.columns import by_quasi
from biombo._criteria.k_map import KMap
from biombo._criteria.presence import Presence
from biombo._data import Dataset, with_population
from biombo._errors import UsageError


def beside_population(data: Dataset, population: Any, criteria: Sequence[Criterion], quasi: Sequence[str]) -> Dataset:
    """``data`` with the table of its population, where one is given. Raises where ``criteria`` do not go with it."""
    if population is None:
        return data
    check_population_use(criteria)
    asking = [criterion for criterion in criteria if criterion.against_population]
    return with_population(data, population, [name for columns in by_quasi(asking, quasi) for name in columns])


def check_population_use(criteria: Sequence[Criterion]) -> None:
    """Raise where ``criteria`` ask nothing about a table of the population, or go by its size instead."""
    for criterion in criteria:
        if isinstance(criterion, KMap | Presence) and criterion.population is not None:
            raise UsageError("criteria.population-twice", criterion=criterion)
    if not any(criterion.against_population for criterion in criteria):
        raise UsageError("criteria.population-unused")
