"""How well a column can be predicted from the others."""

from biombo._utility.classification.predicting import classification
from biombo._utility.classification.results import Accuracy, Classification

__all__ = ["Accuracy", "Classification", "classification"]
