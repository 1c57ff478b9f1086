"""What a release lost, and what it is still good for, from rows."""

from biombo._utility.assessing import utility
from biombo._utility.by_plan import measures_of_release
from biombo._utility.classification import Accuracy, Classification
from biombo._utility.distributions import ColumnDistance
from biombo._utility.measures import Measures
from biombo._utility.pairs import Association, Associations
from biombo._utility.reasons import Reason, worded
from biombo._utility.result import Utility
from biombo._utility.summaries import Statistic, Summary
from biombo._utility.to_json import as_json

__all__ = [
    "Accuracy",
    "Association",
    "Associations",
    "Classification",
    "ColumnDistance",
    "Measures",
    "Reason",
    "Statistic",
    "Summary",
    "Utility",
    "as_json",
    "measures_of_release",
    "utility",
    "worded",
]
