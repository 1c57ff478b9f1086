"""What is known before and after a look at the sample, for each number of columns."""

from collections.abc import Iterator

from biombo._attack import Findings, Membership
from biombo._i18n import integer, text
from biombo._report.blocks import Drawing, Figure, Table, numbers, words
from biombo._report.charts.moves import Move, moves
from biombo._report.charts.svg import drawn
from biombo._report.names import Names
from biombo._report.subsets import axis_end
from biombo._report.words import certainty, percentage, rich

COIN = 0.5
"""A coin says "in" or "out" right so often: no guess does worse."""


def before_after_figure(attack: Membership, found: Findings, names: Names) -> Figure:
    """Two panels: how sure one can be of a member, and how often "in" or "out" is guessed right of anyone."""
    title = text("report.members.before-after")
    return Figure(
        title,
        tuple(_panels(attack, found, title)),
        rich("report.members.before-after-caption"),
        _data(attack, found, names),
    )


def _panels(attack: Membership, found: Findings, title: str) -> Iterator[Drawing]:
    highest = axis_end(found.posterior)
    yield _panel(found, title, text("report.axis.certainty"), "posterior", attack.prior, (0, highest))
    yield _panel(found, title, text("report.axis.in-or-out"), "bayes_posterior", attack.bayes_prior, (COIN, 1))


def _panel(found: Findings, title: str, heading: str, after: str, before: float, ends: tuple[float, float]) -> Drawing:
    steps = [Move(integer(row["size"]), before, row[after], percentage(row[after])) for row in found.best]
    last = found.best[-1]
    values = {"before": certainty(before, 2), "after": certainty(last[after], 2)}
    description = text("report.members.before-after-description", measure=heading, columns=last["size"], **values)
    chart = moves(steps, text("report.axis.columns"), "", ends)
    return Drawing(drawn(chart, title, description), heading, text("report.members.before", share=values["before"]))


def _data(attack: Membership, found: Findings, names: Names) -> Table:
    kinds = ("prior", "mean-chance", "bayes-prior", "bayes-posterior")
    rows = [
        [
            integer(row["size"]),
            names.listed(row["quasi"]),
            *map(percentage, (attack.prior, row["posterior"], attack.bayes_prior, row["bayes_posterior"])),
        ]
        for row in found.best
    ]
    return Table.of(
        text("report.members.before-after-table"), [numbers("size"), words("columns"), *map(numbers, kinds)], rows
    )
