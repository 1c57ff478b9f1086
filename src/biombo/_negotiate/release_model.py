"""The release model of a requested publication: controlled, with one recipient (PDPC 2018, section 17)."""

from typing import Any

from biombo._errors import UsageError
from biombo._negotiate.acts import Prepare
from biombo._negotiate.offer import Measured
from biombo._release import Decision, MeasuredRisk, ReleaseModel
from biombo._requests import ModelAnswers


def model_of(preparation: Prepare) -> ReleaseModel:
    """The model that the manager has set."""
    answers: dict[str, Any] = {str(name).replace("-", "_"): value for name, value in preparation.model.items()}
    try:
        model = ModelAnswers(release_model="controlled", **answers).model()
    except TypeError:
        raise UsageError("negotiation.model", known=", ".join(_KNOWN)) from None
    assert model is not None
    return model


_KNOWN = ("harm", "threshold", "motivation", "controls", "acquaintances", "prevalence", "breach", "control", "measure")


def decided(model: ReleaseModel, measured: Measured, override: str | None) -> tuple[bool | None, tuple[str, ...]]:
    """Whether the decision allows what was measured, and why, in sentences."""
    if measured.worst == 0:  # nobody is left
        return None, ()
    if measured.smallest_group is None:
        decision = Decision(model, measured=MeasuredRisk(measured.worst, alone=measured.alone), override=override)
    else:
        decision = Decision(model, measured.smallest_group, override)
    return decision.allowed, decision.sentences()
