"""The options that say how data are released, and what makes a release model of them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from typer import Option

from biombo._cli.console import say
from biombo._errors import UsageError
from biombo._i18n import text

if TYPE_CHECKING:
    from biombo._release import ReleaseModel

DECIDING = "cli.panel.deciding"
"""Part of the help page."""

ModelName = Annotated[
    Literal["public", "controlled"] | None,
    Option("--release-model", metavar="public|controlled", help="cli.publish.release-model", rich_help_panel=DECIDING),
]
Harm = Annotated[
    Literal["low", "medium", "high"] | None,
    Option("--harm", metavar="low|medium|high", help="cli.publish.harm", rich_help_panel=DECIDING),
]
Threshold = Annotated[
    float | None, Option("--threshold", metavar="X", help="cli.publish.threshold", rich_help_panel=DECIDING)
]
Motivation = Annotated[
    Literal["low", "medium", "high"] | None,
    Option("--motivation", metavar="low|medium|high", help="cli.publish.motivation", rich_help_panel=DECIDING),
]
Controls = Annotated[
    Literal["none", "low", "medium", "high"] | None,
    Option("--controls", metavar="none|low|medium|high", help="cli.publish.controls", rich_help_panel=DECIDING),
]
Control = Annotated[
    list[str] | None,
    Option("--control", metavar="cli.metavar.name", help="cli.publish.control", rich_help_panel=DECIDING),
]
Measure = Annotated[
    list[str] | None,
    Option("--measure", metavar="cli.metavar.text", help="cli.publish.measure", rich_help_panel=DECIDING),
]
Acquaintances = Annotated[
    int | None, Option("--acquaintances", metavar="N", help="cli.publish.acquaintances", rich_help_panel=DECIDING)
]
Prevalence = Annotated[
    float | None, Option("--prevalence", metavar="X", help="cli.publish.prevalence", rich_help_panel=DECIDING)
]
Breach = Annotated[float | None, Option("--breach", metavar="X", help="cli.publish.breach", rich_help_panel=DECIDING)]


@dataclass(frozen=True)
class ModelOptions:
    """What was typed."""

    name: Literal["public", "controlled"] | None
    harm: Literal["low", "medium", "high"] | None
    threshold: float | None
    motivation: Literal["low", "medium", "high"] | None
    controls: Literal["none", "low", "medium", "high"] | None
    acquaintances: int | None
    prevalence: float | None
    breach: float | None
    control: list[str] | None
    measure: list[str] | None
    override_reason: str | None

    def model(self) -> "ReleaseModel | None":
        """The model; none where none is asked for."""
        from biombo._release import PublicRelease, check_override

        check_override(self.override_reason)
        if self.name == "controlled":
            return self._controlled()
        for option in _CONTROLLED:
            if getattr(self, option) is not None:
                raise UsageError("release.model-extra", option=f"--{option}")
        if self.name is None:
            self._refuse_unused()
            return None
        if self.harm is None:
            say(text("decision.harm-assumed", harm=text(f"decision.harm.{_ASSUMED_HARM}")))
        return PublicRelease(
            harm=self.harm or _ASSUMED_HARM, harm_assumed=self.harm is None, own_threshold=self.threshold
        )

    def _refuse_unused(self) -> None:
        typed = [f"--{name.replace('_', '-')}" for name in _FOR_A_MODEL if getattr(self, name) is not None]
        if typed:
            raise UsageError("release.model-unsaid", options=", ".join(typed))

    def _controlled(self) -> "ReleaseModel":
        from biombo._release import ControlledRelease, DataBreach, DeliberateInsider, InadvertentRecognition

        if (
            self.harm is None
            or self.motivation is None
            or self.acquaintances is None
            or self.prevalence is None
            or self.breach is None
        ):
            missing = [f"--{name}" for name in ("harm", *_NEEDED) if getattr(self, name) is None]
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
        )


_NEEDED = ("motivation", "acquaintances", "prevalence", "breach")
_CONTROLLED = (*_NEEDED, "controls", "control", "measure")
_FOR_A_MODEL = ("harm", "threshold", "override_reason")
_ASSUMED_HARM: Literal["medium"] = "medium"
