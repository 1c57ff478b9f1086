"""A decision in sentences."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from biombo._i18n import text
from biombo._plan import short
from biombo._release.decision.changes import changes_that_pass
from biombo._release.decision.models import FACTORS, ControlledRelease, PublicRelease

if TYPE_CHECKING:
    from biombo._release.decision.decision import Decision

_DIGITS = 4
_NEARLY_CERTAIN = 0.95
"""A chance by which whoever tries can count on it."""


def sentences(decision: "Decision") -> tuple[str, ...]:
    """How the data are released, what risk that is, and whether it is accepted."""
    return (
        attempt_worded(decision),
        *factors_worded(decision),
        *utility_worded(decision),
        *_without_k(decision),
        risk_worded(decision),
        *_stricter(decision),
        *_outcome(decision),
        *_warnings(decision),
    )


def attempt_worded(decision: "Decision") -> str:
    """The release model and how likely an attempt is."""
    attempts = {name: short(attempt, _DIGITS) for name, attempt in decision.model.attempts.items()}
    return text(f"decision.model.{decision.model.name}", attempt=short(decision.attempt, _DIGITS), **attempts)


def factors_worded(decision: "Decision") -> Iterator[str]:
    """What was found on the factors of 17.8, in their order."""
    found = decision.model.factors if isinstance(decision.model, ControlledRelease) else {}
    for factor in FACTORS:
        if factor in found:
            title = text(f"decision.factor.{factor}")
            yield text("decision.found", factor=title, said=found[factor].strip().rstrip("."))


def utility_worded(decision: "Decision") -> Iterator[str]:
    """What the data must still be good for, where somebody said so."""
    if decision.model.expected_utility is not None:
        yield text("decision.expected-utility", utility=decision.model.expected_utility.rstrip("."))


def risk_worded(decision: "Decision") -> str:
    """The risk beside its threshold."""
    measured = decision.measured
    key = "decision.risk" if measured is None else f"decision.measured.{'at-most' if measured.at_most else 'risk'}"
    return text(
        key,
        group=decision.smallest_group,
        surest=short(decision.given_attempt, _DIGITS),
        attempt=short(decision.attempt, _DIGITS),
        risk=short(decision.reidentification, _DIGITS),
        threshold=threshold_worded(decision),
    )


def _without_k(decision: "Decision") -> Iterator[str]:
    """That no k is claimed, where it is so."""
    if decision.measured is not None:
        yield text("decision.measured.no-k")
        yield text("decision.measured.alone", alone=decision.measured.alone)


def _stricter(decision: "Decision") -> Iterator[str]:
    """The risk where columns of the role ``other`` are known too."""
    if decision.with_others is not None:
        stricter = replace(decision, smallest_group=decision.with_others)
        attempt, risk = (short(number, _DIGITS) for number in (stricter.attempt, stricter.reidentification))
        yield text("decision.with-others", group=decision.with_others, attempt=attempt, risk=risk)


def threshold_worded(decision: "Decision") -> str:
    """The threshold, where it comes from, and whether it counts controls."""
    model = decision.model
    return text(
        "decision.threshold.of-harm" if model.own_threshold is None else "decision.threshold.own",
        harm=text(f"decision.harm.{model.harm}"),
        threshold=short(model.threshold, _DIGITS),
        counted=text(f"decision.threshold.{'counted' if model.controls_counted else 'not-counted'}"),
    )


def _outcome(decision: "Decision") -> Iterator[str]:
    if decision.passes:
        yield text("decision.passes")
        return
    changes = text("decision.or").join(map(str, changes_that_pass(decision)))
    yield text("decision.exceeds", changes=changes)
    if decision.override is not None:
        yield text("decision.overridden", reason=decision.override)


def _warnings(decision: "Decision") -> Iterator[str]:
    if isinstance(decision.model, PublicRelease) and decision.model.harm_assumed:
        yield text("decision.harm-assumed", harm=text(f"decision.harm.{decision.model.harm}"))
    if decision.smallest_group == 1:
        yield text("decision.unique")
    elif decision.given_attempt >= _NEARLY_CERTAIN:
        yield text("decision.measured.certain")
    if decision.model.name == "public" and decision.model.own_threshold is None:
        yield text("decision.public-threshold")
