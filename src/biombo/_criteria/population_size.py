"""A population of which only the size is known: what the table tells about its groups, by estimate.

With f the people of a group in the table, F those in the population, and π the share of the population that is in the
table, Benedetti and Franconi (1998) expect

    E(1/F | f) = (π/f) ₂F₁(1, 1; f + 1; 1 − π)

which falls with f, and so does f · E(1/F | f).
"""

import numpy as np

from biombo._cells import Counts
from biombo._criteria.targets import Targets
from biombo._criteria.whole_table import Floats
from biombo._errors import UsageError


def sampled_share(targets: Targets, population: int) -> float:
    """The share of the population that is in the table. Raises where the table has more people than that."""
    people = _people_of(targets)
    if people > population:
        source = targets.data.label
        raise UsageError("criteria.small-population", source=source, people=people, population=population)
    return people / population


def expected_inverse(members: Counts, share: float) -> Floats:
    """E(1/F | f) of each group.

    >>> expected_inverse(np.array([1, 2, 3]), 0.1).round(4).tolist()
    [0.2558, 0.0827, 0.0464]
    """
    from biombo._attack import individual_risk

    sizes, places = np.unique(members, return_inverse=True)
    return individual_risk(sizes, sizes / share)[places]


def _people_of(targets: Targets) -> int:
    """How many people the records that count are about; one each where nothing else is known."""
    data, person = targets.data, targets.data.schema.person
    if person is None or person not in data.columns:
        return targets.records
    codes = data[person].codes
    return len(np.unique(codes if targets.keep is None else codes[targets.keep]))
