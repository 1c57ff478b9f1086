"""What adversaries gain from the original and from the release, side by side."""

from collections.abc import Iterator
from dataclasses import dataclass

from biombo._attack import Findings
from biombo._i18n import integer, text
from biombo._report.blocks import Block, Drawing, Figure, Prose, Section, Table
from biombo._report.charts.bars import Bar, Rule, bars
from biombo._report.charts.svg import drawn
from biombo._report.release.facts import ReleaseFacts
from biombo._report.release.version import Version, numbers, words
from biombo._report.wording import Names, percentage, rich

_MOST_STEPS = 7
"""So many numbers of known columns have room in a chart."""
_MOST_NAMES = 8
"""So many columns are named in a sentence; of more, only the number is told there."""


@dataclass(frozen=True)
class Attack:
    """One attack on both tables."""

    what: str
    caption: str
    before: Findings | None
    after: Findings
    target: str | None = None
    """The sensitive column that is guessed; none where a record is picked."""

    @property
    def guesses(self) -> bool:
        """Is a value guessed, so that something is right by knowing nothing?"""
        return self.target is not None

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of known columns, all but the last and the first few left out where there are many."""
        there = sorted({row["size"] for found in (self.before, self.after) if found for row in found.best})
        return tuple(there if len(there) <= _MOST_STEPS else [*there[: _MOST_STEPS - 1], there[-1]])


def attacks_of(facts: ReleaseFacts) -> Iterator[Attack]:
    """Picking a record, and guessing each sensitive column."""
    if facts.after is None:
        return
    yield Attack(
        text("release_report.risk.identity"),
        text("release_report.risk.identity-caption"),
        facts.before.identity if facts.before else None,
        facts.after.identity,
    )
    names = names_of(facts)
    for target, after in facts.after.guesses.items():
        yield Attack(
            text("release_report.risk.guess", sensitive=names.columns[target]),
            text("release_report.risk.guess-caption"),
            facts.before.guesses.get(target) if facts.before else None,
            after,
            target,
        )


def names_of(facts: ReleaseFacts) -> Names:
    """What the report calls columns."""
    return Names.of_columns((*facts.quasi, *facts.sensitive), facts.labels)


def risk_section(facts: ReleaseFacts, version: Version) -> Section:
    """Charts and numbers of all attacks."""
    return Section("risk", text("release_report.risk.title"), tuple(_blocks(facts, version)))


def not_attacked(facts: ReleaseFacts, version: Version) -> str:
    """Why nothing is told of the release."""
    withheld = not version.tells_original and facts.quasi and _changed(facts)
    return text(f"release_report.risk.{'withheld' if withheld else 'not-measured'}", least=version.least)


def _changed(facts: ReleaseFacts) -> list[str]:
    """Columns of the attacks whose values were drawn or exchanged."""
    return [name for name in facts.perturbed if name in (*facts.quasi, *facts.sensitive)]


def _blocks(facts: ReleaseFacts, version: Version) -> Iterator[Block]:
    if facts.after is None:
        yield Prose(not_attacked(facts, version))
        return
    names = names_of(facts)
    yield Prose(rich("release_report.risk.about", columns=_known(facts, names)))
    yield from map(Prose, _caveats(facts, version, names))
    yield _table(facts, version)
    for attack in attacks_of(facts):
        yield _figure(attack, version)
    if version.private:
        yield from _uniques(facts)


def _known(facts: ReleaseFacts, names: Names) -> str:
    if len(facts.quasi) <= _MOST_NAMES:
        return names.told(facts.quasi)
    return text("release_report.risk.many-known", columns=len(facts.quasi))


def _caveats(facts: ReleaseFacts, version: Version, names: Names) -> Iterator[str]:
    assert facts.after is not None
    if facts.after.combined < facts.after.columns:
        key = "limited-and-all" if facts.after.scored else "limited"
        yield text(f"release_report.risk.{key}", size=facts.after.combined, columns=facts.after.columns)
    if not version.tells_original:
        yield text("release_report.risk.not-rounded", least=version.least)
    elif not version.private:
        yield text("release_report.risk.own-originals")
    if facts.after.scored:
        yield rich("release_report.risk.against-truth", columns=names.told(_changed(facts)))


def _figure(attack: Attack, version: Version) -> Figure:
    found = list(_bars(attack, version))
    prior = attack.after.prior
    rules = [Rule(prior, text("release_report.risk.prior", share=percentage(prior)), "left")] if attack.guesses else []
    chart = drawn(bars(found, text("release_report.risk.axis"), rules), attack.what, described(attack, version))
    data = Table.of(attack.what, [words("known"), numbers("right")], [[bar.name, bar.words] for bar in found])
    caption = f"{attack.caption} {text('release_report.risk.sizes')}" if version.private else attack.caption
    return Figure(attack.what, (Drawing(chart),), caption, data)


def described(attack: Attack, version: Version) -> str:
    """What a picture of the attack shows, for whoever does not see it."""
    shares = {"before": _before(attack, version), "after": percentage(attack.after.posterior)}
    nothing = text("release_report.risk.prior", share=percentage(attack.after.prior)) if attack.guesses else ""
    return f"{text('release_report.risk.description', what=attack.what, **shares)} {nothing}".strip()


def _before(attack: Attack, version: Version) -> str:
    return version.percentage(attack.before.posterior) if attack.before else text("release_report.risk.hidden")


def _bars(attack: Attack, version: Version) -> Iterator[Bar]:
    for size in attack.sizes if version.private else attack.sizes[-1:]:
        before, after = (_posterior(found, size) for found in (attack.before, attack.after))
        if before is not None and version.tells_original:
            name = text("release_report.risk.original-bar", n=size)
            yield Bar(name, version.share(before), version.percentage(before), stands_out=True)
        if after is not None:
            yield Bar(text("release_report.risk.release-bar", n=size), after, percentage(after))


def _posterior(found: Findings | None, size: int) -> float | None:
    return next((row["posterior"] for row in found.best if row["size"] == size), None) if found else None


def _table(facts: ReleaseFacts, version: Version) -> Table:
    """Each attack by all that may be known."""
    headings = [words("attack"), *map(numbers, ("nothing", "original", "release"))]
    rows = [
        [
            attack.what,
            percentage(attack.after.prior) if attack.guesses else "–",
            _before(attack, version),
            percentage(attack.after.posterior),
        ]
        for attack in attacks_of(facts)
    ]
    return Table.of(text("release_report.risk.table"), headings, rows)


def _uniques(facts: ReleaseFacts) -> Iterator[Prose]:
    alone = [found.unique for found in (facts.before, facts.after) if found is not None and found.unique is not None]
    if len(alone) == 2:
        yield Prose(text("release_report.risk.unique", before=integer(alone[0]), after=integer(alone[1])))
