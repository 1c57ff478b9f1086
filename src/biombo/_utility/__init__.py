"""What a release lost, and what it is still good for, from counted tuples."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._utility.associations import Association, Associations, correlation_ratio, cramers_v, pearson, spearman
    from biombo._utility.classification.accuracy import Accuracy, refuse_without_models
    from biombo._utility.classification.prediction import ROWS_AT_MOST, Classification, Prediction, classification
    from biombo._utility.column_view import numbers_of
    from biombo._utility.distributions import ColumnDistance, earth_movers, hellinger, total_variation
    from biombo._utility.measures import NAMES, Measures, measures_of, measures_of_outcome, measures_of_release
    from biombo._utility.reasons import Reason, worded
    from biombo._utility.result import Utility, as_json
    from biombo._utility.summaries import Statistic, Summary
    from biombo._utility.tables import Side, Tables
    from biombo._utility.utility import check_utility, utility
    from biombo._utility.verdict import findings, utility_verdict

__all__ = [
    "NAMES",
    "ROWS_AT_MOST",
    "Accuracy",
    "Association",
    "Associations",
    "Classification",
    "ColumnDistance",
    "Measures",
    "Prediction",
    "Reason",
    "Side",
    "Statistic",
    "Summary",
    "Tables",
    "Utility",
    "as_json",
    "check_utility",
    "classification",
    "correlation_ratio",
    "cramers_v",
    "earth_movers",
    "findings",
    "hellinger",
    "measures_of",
    "measures_of_outcome",
    "measures_of_release",
    "numbers_of",
    "pearson",
    "refuse_without_models",
    "spearman",
    "total_variation",
    "utility",
    "utility_verdict",
    "worded",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
