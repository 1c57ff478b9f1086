"""What a manager reads first on who is in the sample, and what was assumed about it and its population."""

from dataclasses import dataclass, replace

from markupsafe import Markup

from biombo._attack import Dropped, Findings, Membership
from biombo._report.risk.records import known, used_rows
from biombo._report.risk.summary import Summary, what_matters
from biombo._report.wording import Names, certainty, counted, rich


def with_members(first: Summary, attack: Membership, names: Names) -> Summary:
    """The summary with a sentence and a piece of advice on who is in the sample."""
    found = Findings.of_membership(attack)
    *most, measure_again = first.steps
    step = rich("report.members.step", advice=what_matters(found, names))
    return replace(
        first,
        members=members_sentence(attack, found, names) + " " + _given_away(attack, found),
        steps=(*most, step, measure_again),
    )


def members_sentence(attack: Membership, found: Findings, names: Names) -> Markup:
    """How sure an adversary can be of who is in the sample."""
    return counted(
        "report.members.lead",
        found.strongest["size"],
        sampled=attack.sampled,
        people=attack.people,
        columns=names.told(found.strongest["quasi"]),
        posterior=certainty(found.posterior),
        prior=certainty(found.prior),
    )


def _given_away(attack: Membership, found: Findings) -> Markup:
    certain = found.strongest["certain"]
    if not certain:
        return rich("report.members.nobody-certain")
    return counted("report.members.certain", certain, share=certainty(certain / attack.sampled))


@dataclass(frozen=True)
class MembersMethod:
    """What the template does not know by itself."""

    known: Markup
    population: Markup
    sample: Markup


def members_method(attack: Membership, names: Names) -> MembersMethod:
    """Which records of both tables were used."""
    tables = attack.tables
    whole, part = _by_the_samples_names(attack), tables.dropped[1]
    return MembersMethod(
        known=known(tables.scope, names),
        population=rich("report.members.population-used", used=_used(tables.rows[0], attack.people, whole, names)),
        sample=rich("report.members.sample-used", used=_used(tables.rows[1], attack.sampled, part, names)),
    )


def _by_the_samples_names(attack: Membership) -> Dropped:
    """What the population lost, by the names that columns have in the report."""
    schema, lost = attack.tables.data.schema, attack.tables.dropped[0]
    there = {name: schema[name].population.column or name for name in attack.quasi}
    return Dropped(lost.rows, {name: lost.by_column[column] for name, column in there.items()})


def _used(rows: int, people: int, dropped: Dropped, names: Names) -> Markup:
    valid = rows - dropped.rows
    told = used_rows(valid, dropped, names)
    return told if valid == people else told + " " + counted("report.members.repeated", valid - people)
