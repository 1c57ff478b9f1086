"""What to do next, in the order of what helps most."""

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from biombo._attack import Fall, Findings, Row
from biombo._report.names import Names, displayed, marked
from biombo._report.words import counted, rich


def advice(found: Findings, adversary: Row | None, names: Names) -> Iterator[Markup]:
    """One piece of advice after the other; ``adversary`` is the strongest of those that the schema names."""
    yield what_matters(found, names)
    idle = [fall.column for fall in found.falls if fall.fall == 0]
    if idle and len(idle) < len(found.falls):
        yield counted("report.step.idle", len(idle), columns=names.told(idle))
    yield _who_could_know(adversary)
    yield rich("report.step.again")


def what_matters(found: Findings, names: Names) -> Markup:
    """Which column to start with: the one without which the attack falls most, and what comes next."""
    first, second = _equally_decisive(found.falls), _equally_decisive(found.falls, nth=1)
    fall = first[0]
    values = {"posterior": found.posterior, "left": fall.posterior, "column": _told(first, names)}
    if found.leakage <= 0:
        return rich("report.step.no-gain")
    if fall.fall == 0:
        return rich("report.step.none-alone", posterior=found.posterior)
    if len(found.falls) == 1:
        return rich("report.step.only", **values)
    if len(first) > 1:
        return rich("report.step.tied", **values)
    if second[0].fall == 0:
        return rich("report.step.first", **values)
    next_ones = {"second": _told(second, names), "second_left": second[0].posterior}
    return counted("report.step.then", len(second), **values, **next_ones)


def _equally_decisive(falls: Sequence[Fall], nth: int = 0) -> list[Fall]:
    """The columns without which the attack falls most, or next to most, and so on."""
    steps = sorted({fall.fall for fall in falls}, reverse=True)
    return [fall for fall in falls if nth < len(steps) and fall.fall == steps[nth]]


def _told(falls: Sequence[Fall], names: Names) -> Markup:
    return names.told(fall.column for fall in falls)


def _who_could_know(adversary: Row | None) -> Markup:
    if adversary is None:
        return rich("report.step.name-adversaries")
    name = marked(displayed(adversary["adversary"]))
    return rich("report.step.adversary", adversary=name, known=adversary["size"], posterior=adversary["posterior"])
