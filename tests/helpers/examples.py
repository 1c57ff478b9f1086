"""How many examples a property is asked that takes long for each: fewer in every run, more in ``make fuzz``."""

import os

from hypothesis import settings

FUZZ = os.environ.get("BIOMBO_EXAMPLES") == "fuzz"


def examples(number: int, fuzz: int | None = None) -> settings:
    """So many in ``make test``, always the same; new ones in ``make fuzz``, ten times as many or ``fuzz``."""
    return settings(max_examples=(fuzz or 10 * number) if FUZZ else number)
