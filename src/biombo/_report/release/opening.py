"""One page for whoever is responsible: what is released, the risk before and after, what was lost, what was decided."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup

from biombo._i18n import integer, text
from biombo._report.blocks import Figure
from biombo._report.release.at_a_glance import at_a_glance, most_telling
from biombo._report.release.attacks import Attack, names_of
from biombo._report.release.facts import ReleaseFacts
from biombo._report.release.lists import sets_listed
from biombo._report.release.residual import accepted, decided, protected, review
from biombo._report.release.version import Version
from biombo._report.summary import Fact
from biombo._report.words import per_hundred, rich


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
        decision=(*protected(facts), *decided(facts), *accepted(facts), review(facts)),
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
    names = names_of(facts)
    for attack in most_telling(facts)[:2]:
        yield _risk(attack, version, "" if attack.target is None else names.columns[attack.target])


def _risk(attack: Attack, version: Version, sensitive: str) -> Markup:
    told = {
        "sensitive": sensitive,
        "after": per_hundred(attack.after.posterior),
        "prior": per_hundred(attack.after.prior),
    }
    kind = "guess" if attack.guesses else "pick"
    if attack.before is None or not version.tells_original:
        return rich(f"release_report.opening.{kind}-after", **told)
    return rich(f"release_report.opening.{kind}", before=version.per_hundred(attack.before.posterior), **told)


def _facts(facts: ReleaseFacts, version: Version) -> Iterator[Fact]:
    yield Fact(integer(facts.applied.rows), rich("release_report.opening.released"))
    if facts.smallest_group is not None:
        words = "group-sets" if facts.sets else "group"
        yield Fact(integer(facts.smallest_group), rich(f"release_report.opening.{words}"))
    for name in ("masked", "suppressed"):
        exact, told = getattr(facts.applied, name), facts.told[name]
        shown = exact if version.private else told
        few = text("release_report.opening.few", most=version.least - 1)
        yield Fact(few if shown is None else integer(shown), rich(f"release_report.opening.{name}"))
    yield Fact(
        f"{integer(len(facts.goes_out.untouched))}/{integer(len(facts.columns))}",
        rich("release_report.opening.untouched"),
    )
    precision = facts.measures.precision if facts.measures else None
    if precision is not None and version.tells_original:
        yield Fact(version.percentage(precision), rich("release_report.opening.kept"))
