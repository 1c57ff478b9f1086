"""What was assumed about a sample and its population, and which of their records were used."""

from dataclasses import dataclass

from markupsafe import Markup

from biombo._attack import Dropped, Membership
from biombo._report.known import known
from biombo._report.names import Names
from biombo._report.records_used import used_rows
from biombo._report.words import counted, rich


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
        known=known(tables.question, names),
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
