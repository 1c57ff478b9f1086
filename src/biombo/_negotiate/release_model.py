"""The release model of a requested publication: controlled, with one recipient (PDPC 2018, section 17)."""

from collections.abc import Mapping
from typing import Any

from biombo._errors import UsageError
from biombo._negotiate.acts import Prepare
from biombo._negotiate.offer import Measured
from biombo._release import Decision, MeasuredRisk, ReleaseModel
from biombo._requests import ModelAnswers


def model_of(preparation: Prepare) -> ReleaseModel:
    """The model that the manager has set."""
    return model_by(preparation.model)


def model_by(told: Mapping[str, Any]) -> ReleaseModel:
    """The model that answers describe, by the names of ``biombo publish``."""
    answers: dict[str, Any] = {str(name).replace("-", "_"): value for name, value in told.items()}
    try:
        model = ModelAnswers(release_model="controlled", **answers).model()
    except TypeError:
        raise UsageError("negotiation.model", known=", ".join(_KNOWN)) from None
    assert model is not None
    return model


_KNOWN = ("harm", "threshold", "motivation", "controls", "acquaintances", "prevalence", "breach", "control", "measure")


def decision_on(model: ReleaseModel, measured: Measured, override: str | None) -> Decision | None:
    """What is decided on what was measured; ``None`` where nobody is left."""
    if measured.worst == 0:
        return None
    if measured.smallest_group is None:
        return Decision(model, measured=MeasuredRisk(measured.worst, alone=measured.alone), override=override)
    return Decision(model, measured.smallest_group, override)
