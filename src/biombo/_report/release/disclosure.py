"""The three kinds of disclosure of document 003, 5.1, in this release."""

from collections.abc import Iterator

from biombo._criteria import SensitiveCriterion
from biombo._i18n import text
from biombo._report.blocks import Section, Table
from biombo._report.names import displayed
from biombo._report.release.attacks import attacks_of, names_of, not_attacked
from biombo._report.release.facts import ReleaseFacts
from biombo._report.release.headings import words
from biombo._report.release.lists import sets_listed
from biombo._report.release.version import Version
from biombo._report.words import certainty


def disclosure_section(facts: ReleaseFacts, version: Version) -> Section:
    """What each kind means, and how far it goes here."""
    here = {
        "identity": " ".join(_identity(facts, version)),
        "attribute": " ".join(_attribute(facts)),
        "inference": text("release_report.disclosure.inference-here"),
    }
    rows = [
        [text(f"release_report.disclosure.{kind}"), text(f"release_report.disclosure.{kind}-means"), sentence]
        for kind, sentence in here.items()
    ]
    title = text("release_report.disclosure.title")
    return Section("disclosure", title, (Table.of(title, [words("kind"), words("means"), words("here")], rows),))


def _identity(facts: ReleaseFacts, version: Version) -> Iterator[str]:
    for attack in attacks_of(facts):
        if not attack.guesses:
            yield text("release_report.disclosure.identity-here", after=certainty(attack.after.posterior))
    if facts.smallest_group is not None:
        words = "identity-group-sets" if facts.sets else "identity-group"
        yield text(f"release_report.disclosure.{words}", group=facts.smallest_group, sets=sets_listed(facts.sets))
    if facts.after is None and facts.smallest_group is None:
        yield not_attacked(facts, version)


def _attribute(facts: ReleaseFacts) -> Iterator[str]:
    if not facts.sensitive:
        yield text("release_report.disclosure.attribute-none")
        return
    names = names_of(facts)
    for attack in attacks_of(facts):
        if attack.target is not None:
            shares = {"after": certainty(attack.after.posterior), "prior": certainty(attack.after.prior)}
            sensitive = names.columns[attack.target]
            yield text("release_report.disclosure.attribute-here", sensitive=sensitive, **shares)
    limits = [str(each) for each in facts.plan.criteria if isinstance(each, SensitiveCriterion)]
    if limits:
        yield text("release_report.disclosure.attribute-criteria", criteria=displayed("; ".join(limits), longest=300))
    else:
        yield text("release_report.disclosure.attribute-unlimited")
