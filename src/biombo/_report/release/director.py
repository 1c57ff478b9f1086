"""One page for whoever is responsible: what is released, the risk before and after, what was lost, what was decided."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup

from biombo._i18n import integer, text
from biombo._report.blocks import Drawing, Figure, Table
from biombo._report.charts.bars import Bar, bars
from biombo._report.charts.svg import drawn
from biombo._report.release.attacks import Attack, attacks_of, described, names_of
from biombo._report.release.facts import ReleaseFacts
from biombo._report.release.officer import accepted, decided, protected, review, waived
from biombo._report.release.version import Version, numbers, sets_listed, words
from biombo._report.risk.summary import Fact
from biombo._report.wording import displayed, enumerated, hundredths, per_hundred, percentage, rich

_MOST_PANELS = 3
"""So many pictures have room beside each other on paper."""

_WIDTH = 150


@dataclass(frozen=True)
class Opening:
    """The first page."""

    kind: Literal["private", "public"]
    notice: Markup
    """Who may read the report."""
    lead: tuple[Markup, ...]
    figure: Figure | None
    """The attacks; none where nothing could be attacked."""
    facts: tuple[Fact, ...]
    decision: tuple[str, ...]


def opening(facts: ReleaseFacts, version: Version) -> Opening:
    """The first page of a version."""
    kind: Literal["private", "public"] = "private" if version.private else "public"
    return Opening(
        kind=kind,
        notice=rich(f"release_report.page.{kind}", least=version.least),
        lead=tuple(_lead(facts, version)),
        figure=at_a_glance(facts, version),
        facts=tuple(_facts(facts, version)),
        decision=(*protected(facts), *decided(facts), *accepted(facts), *waived(facts), review(facts)),
    )


def _lead(facts: ReleaseFacts, version: Version) -> Iterator[Markup]:
    size = {"records": facts.applied.rows, "columns": len(facts.columns)}
    if facts.smallest_group is None:
        yield rich("release_report.opening.what", **size)
    elif facts.sets:
        sets = sets_listed(facts.sets)
        yield rich("release_report.opening.what-sets", **size, group=facts.smallest_group, sets=sets)
    else:
        yield rich("release_report.opening.what-groups", **size, group=facts.smallest_group)
    if facts.constant:
        called = [facts.labels.get(each.column, each.column) for each in facts.constant]
        yield rich("release_report.opening.constant", columns=enumerated([displayed(name) for name in called]))
    names = names_of(facts)
    for attack in most_telling(facts)[:2]:
        yield _risk(attack, version, "" if attack.target is None else names.columns[attack.target])


def release_headline(facts: ReleaseFacts) -> tuple[str, ...]:
    """What the first page of the private report says, a line for each sentence, for the terminal."""
    version = Version(True, facts.rule, facts.applied.rows)
    first, *attacks = (each.striptags() for each in _lead(facts, version))
    _to_whom, *outcome = decided(facts)
    decision = " ".join((*protected(facts), *outcome, *waived(facts)))
    return tuple(line for line in (first, decision, *attacks) if line)


def _risk(attack: Attack, version: Version, sensitive: str) -> Markup:
    kind, after, prior = "guess" if attack.guesses else "pick", attack.after.posterior, hundredths(attack.after.prior)
    told = {"sensitive": sensitive, "prior": prior}
    if attack.before is None or not version.tells_original:
        return rich(f"release_report.opening.{kind}-after", after=per_hundred(after), **told)
    before = version.per_hundred(attack.before.posterior)
    return rich(f"release_report.opening.{kind}", before=before, after=hundredths(after), **told)


def _facts(facts: ReleaseFacts, version: Version) -> Iterator[Fact]:
    yield Fact(integer(facts.applied.rows), rich("release_report.opening.released"))
    if facts.smallest_group is not None:
        words = "group-sets" if facts.sets else "group"
        yield Fact(integer(facts.smallest_group), rich(f"release_report.opening.{words}"))
    if facts.noised is not None:
        alone = facts.noised.alone if version.private else facts.noised.told_alone
        yield Fact(_or_few(alone, version), rich("release_report.opening.alone"))
    for name in ("masked", "suppressed"):
        exact, told = getattr(facts.applied, name), facts.told[name]
        shown = exact if version.private else told
        yield Fact(_or_few(shown, version), rich(f"release_report.opening.{name}"))
    yield Fact(
        f"{integer(len(facts.goes_out.untouched))}/{integer(len(facts.columns))}",
        rich("release_report.opening.untouched"),
    )
    precision = facts.measures.precision if facts.measures else None
    if precision is not None and version.tells_original:
        yield Fact(version.percentage(precision), rich("release_report.opening.kept"))


def _or_few(shown: int | None, version: Version) -> str:
    return text("release_report.opening.few", most=version.least - 1) if shown is None else integer(shown)


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
