"""How data are released, as people answer it: what a release model is made of."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from biombo._errors import UsageError
from biombo._i18n import option as option_name
from biombo._i18n import text
from biombo._watch import remark

if TYPE_CHECKING:
    from biombo._release import ReleaseModel

NEEDED_CONDITIONS = ("motivation", "acquaintances", "prevalence", "breach")
"""What must be known of those who have the data on conditions."""
CONDITIONS = (*NEEDED_CONDITIONS, "controls", "control", "measure", "factor")
"""All that can be said of them."""
_FOR_A_MODEL = ("harm", "threshold", "expected_utility", "override_reason")
_ASSUMED_HARM: Literal["medium"] = "medium"


@dataclass(frozen=True, kw_only=True, repr=False)
class ModelAnswers:
    """By which it is decided whether the risk is acceptable; without ``release_model`` nothing is decided."""

    release_model: Literal["public", "controlled"] | None = None
    harm: Literal["low", "medium", "high"] | None = None
    """What a re-identification could do; of a public release medium where nobody says."""
    threshold: float | None = None
    """Instead of the value that belongs to the harm."""
    motivation: Literal["low", "medium", "high"] | None = None
    controls: Literal["none", "low", "medium", "high"] | None = None
    acquaintances: int | None = None
    prevalence: float | None = None
    breach: float | None = None
    control: tuple[str, ...] | None = None
    """Technical controls that are in place."""
    measure: tuple[str, ...] | None = None
    """Other controls in your own words."""
    factor: tuple[str, ...] | None = None
    """What was found on a factor of the guide's 17.8, each as NAME=TEXT: ``contract``, ``time-and-money``,
    ``well-known-people``, ``organisation``, ``administrative-controls``, ``technical-measures``."""
    expected_utility: str | None = None
    """What the data must still be good for."""
    override_reason: str | None = None
    """Why to publish even if the risk is not acceptable."""

    def model(self) -> "ReleaseModel | None":
        """The model; none where none is asked for."""
        from biombo._release import PublicRelease, check_override

        check_override(self.override_reason)
        if self.release_model == "controlled":
            return self._controlled()
        for option in CONDITIONS:
            if getattr(self, option) is not None:
                raise UsageError("release.model-extra", option=option_name(option))
        if self.release_model is None:
            self._refuse_without_model()
            return None
        return PublicRelease(
            harm=self.harm or _ASSUMED_HARM,
            harm_assumed=self.harm is None,
            own_threshold=self.threshold,
            expected_utility=self.expected_utility,
        )

    def remark_on_harm(self) -> None:
        """Say which harm was taken where nobody said any."""
        if self.release_model == "public" and self.harm is None:
            remark(text("decision.harm-assumed", harm=text(f"decision.harm.{_ASSUMED_HARM}")))

    def _refuse_without_model(self) -> None:
        given = [option_name(name) for name in _FOR_A_MODEL if getattr(self, name) is not None]
        if given:
            raise UsageError("release.model-unsaid", options=", ".join(given))

    def _controlled(self) -> "ReleaseModel":
        from biombo._release import ControlledRelease, DataBreach, DeliberateInsider, InadvertentRecognition

        if (
            self.harm is None
            or self.motivation is None
            or self.acquaintances is None
            or self.prevalence is None
            or self.breach is None
        ):
            missing = [option_name(name) for name in ("harm", *NEEDED_CONDITIONS) if getattr(self, name) is None]
            raise UsageError("release.model-needs", model="controlled", needs=", ".join(missing))
        return ControlledRelease(
            harm=self.harm,
            own_threshold=self.threshold,
            controls_counted=self.controls is not None,
            insider=DeliberateInsider(self.motivation, self.controls or "none"),
            recognition=InadvertentRecognition(self.acquaintances, self.prevalence),
            breach=DataBreach(self.breach),
            controls=tuple(self.control or ()),  # type: ignore[arg-type]
            measures=tuple(self.measure or ()),
            expected_utility=self.expected_utility,
            factors=self._factors(),  # type: ignore[arg-type]
        )

    def _factors(self) -> dict[str, str]:
        from biombo._release import FACTORS

        found: dict[str, str] = {}
        for typed in self.factor or ():
            name, _, said = (part.strip() for part in typed.partition("="))
            if name not in FACTORS or not said or name in found:
                raise UsageError("release.factor", typed=typed, factors=", ".join(FACTORS))
            found[name] = said
        return found
