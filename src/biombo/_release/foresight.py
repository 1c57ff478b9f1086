"""What publishing a plan of a search will do to records, before anything is made."""

from biombo._data import Dataset
from biombo._engine import FateCounts
from biombo._plan import fates_on
from biombo._release.execution import first_that_fits
from biombo._release.making import SmallGroups, plans_to_try
from biombo._search import RankedPlan


def fates_ahead(plan: RankedPlan, data: Dataset, small_groups: SmallGroups = "mask") -> FateCounts:
    """How many records of ``data`` will be masked and dropped when ``plan`` is published: decided as publishing does,
    on the records that were searched. Raises where publishing would be refused for that.
    """
    return first_that_fits(plans_to_try(plan.plan, small_groups), lambda each: fates_on(data, each, data.schema))
