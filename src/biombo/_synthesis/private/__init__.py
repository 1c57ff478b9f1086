"""Synthesis with differential privacy: public domains, noised marginals, and the model that fits them best."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._synthesis.private.budget import Budget
    from biombo._synthesis.private.domains import public_scale
    from biombo._synthesis.private.graph import drawing_order, model_cells
    from biombo._synthesis.private.guarantee import Guarantee
    from biombo._synthesis.private.measurement import Expected, Measured, Measurements, adapted, measured
    from biombo._synthesis.private.model import PrivateModel, private_model

__all__ = [
    "Budget",
    "Expected",
    "Guarantee",
    "Measured",
    "Measurements",
    "PrivateModel",
    "adapted",
    "drawing_order",
    "measured",
    "model_cells",
    "private_model",
    "public_scale",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
