"""Criteria on released records: judged, counted once more from the definition, and in every way to read the records."""

from collections.abc import Sequence
from math import isclose

from biombo._criteria import Criterion, PlainGroups, Verdict, judge
from biombo._data import Dataset
from biombo._errors import InputError
from biombo._release.verify.plain_reading import PlainReading


def recounted(criterion: Criterion, released: Dataset, quasi: Sequence[str], sensitive: Sequence[str]) -> Verdict:
    """How the records stand to the criterion for whoever reads them in the way that is worst for them."""
    readings = released.readings if isinstance(released, PlainReading) else [released]
    verdicts = [_judged(criterion, reading, quasi, sensitive) for reading in readings]
    sign = 1 if criterion.lowest_is_worst else -1
    return min(verdicts, key=lambda verdict: (verdict.holds, sign * (verdict.achieved or 0)))


def _judged(criterion: Criterion, data: Dataset, quasi: Sequence[str], sensitive: Sequence[str]) -> Verdict:
    verdict = judge(data, criterion, quasi=quasi, sensitive=sensitive).verdicts[0]
    found = criterion.counted(PlainGroups(data, verdict.quasi), sensitive)
    if found is not None and (verdict.achieved is None or not isclose(found, verdict.achieved, rel_tol=1e-9)):
        raise InputError("release.counted-differently", criterion=criterion, judged=verdict.achieved, counted=found)
    return verdict
