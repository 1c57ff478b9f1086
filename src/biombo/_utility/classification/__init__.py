"""How well a column can be predicted from the others."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._utility.classification.accuracy import (
        TREES,
        Accuracy,
        refuse_without_models,
        stratified_folds,
        trained,
    )
    from biombo._utility.classification.features import FREQUENT, MOST, Features
    from biombo._utility.classification.prediction import ROWS_AT_MOST, Classification, Prediction, classification

__all__ = [
    "FREQUENT",
    "MOST",
    "ROWS_AT_MOST",
    "TREES",
    "Accuracy",
    "Classification",
    "Features",
    "Prediction",
    "classification",
    "refuse_without_models",
    "stratified_folds",
    "trained",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
