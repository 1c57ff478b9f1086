"""The attacks side by side on the first page, each by all that may be known: original and release."""

from collections.abc import Iterator

from markupsafe import Markup

from biombo._i18n import text
from biombo._report.blocks import Drawing, Figure, Table
from biombo._report.charts.bars import Bar, bars
from biombo._report.charts.svg import drawn
from biombo._report.release.attacks import Attack, attacks_of, described
from biombo._report.release.facts import ReleaseFacts
from biombo._report.release.headings import numbers, words
from biombo._report.release.version import Version
from biombo._report.words import percentage

_MOST_PANELS = 3
"""So many pictures have room beside each other on paper."""
_WIDTH = 150


def at_a_glance(facts: ReleaseFacts, version: Version) -> Figure | None:
    """Picking a record, and the guesses that gain most; none where nothing could be attacked."""
    shown = most_telling(facts)
    if not shown:
        return None
    title = text("release_report.opening.chart")
    rows = [[attack.what, bar.name, bar.words] for attack in shown for bar in _bars(attack, version)]
    data = Table.of(title, [words("attack"), words("table"), numbers("right")], rows)
    panels = tuple(Drawing(_panel(attack, version), attack.what) for attack in shown)
    return Figure(title, panels, text("release_report.opening.chart-caption"), data)


def most_telling(facts: ReleaseFacts) -> list[Attack]:
    """Picking a record, then the guesses at sensitive columns, the one that gains most from the release first."""
    picked = [attack for attack in attacks_of(facts) if not attack.guesses]
    guesses = [attack for attack in attacks_of(facts) if attack.guesses]
    return [*picked, *sorted(guesses, key=lambda attack: -attack.after.leakage)][:_MOST_PANELS]


def _panel(attack: Attack, version: Version) -> Markup:
    chart = bars(list(_bars(attack, version)), text("release_report.risk.axis"), width=_WIDTH, end=1.0)
    return drawn(chart, attack.what, described(attack, version))


def _bars(attack: Attack, version: Version) -> Iterator[Bar]:
    if attack.before is not None and version.tells_original:
        before = attack.before.posterior
        original = text("release_report.head.original")
        yield Bar(original, version.share(before), version.percentage(before), stands_out=True)
    yield Bar(text("release_report.head.release"), attack.after.posterior, percentage(attack.after.posterior))
    if attack.guesses:
        yield Bar(text("release_report.head.nothing"), attack.after.prior, percentage(attack.after.prior))
