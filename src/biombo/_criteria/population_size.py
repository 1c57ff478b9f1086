"""A population of which only the size is known."""

import numpy as np

from biombo._criteria.targets import Targets
from biombo._errors import UsageError


def check_population(targets: Targets, population: int) -> None:
    """Refuse a population that has fewer people than the table: its records are a sample of it."""
    people = people_of(targets)
    if people > population:
        source = targets.data.label
        raise UsageError("criteria.small-population", source=source, people=people, population=population)


def people_of(targets: Targets) -> int:
    """How many people the records that count are about; one each where nothing else is known."""
    data, person = targets.data, targets.data.schema.person
    if person is None or person not in data.columns:
        return targets.records
    codes = data[person].codes
    return len(np.unique(codes if targets.keep is None else codes[targets.keep]))
