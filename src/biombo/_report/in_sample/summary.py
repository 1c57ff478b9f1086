"""What a manager reads first on who is in the sample, and what to do about it."""

from dataclasses import replace

from markupsafe import Markup

from biombo._attack import Findings, Membership
from biombo._report.advice import what_matters
from biombo._report.names import Names
from biombo._report.summary import Summary
from biombo._report.words import certainty, counted, rich


def with_members(first: Summary, attack: Membership, names: Names) -> Summary:
    """The summary with a sentence and a piece of advice on who is in the sample."""
    found = Findings.of_membership(attack)
    *most, measure_again = first.steps
    step = rich("report.members.step", advice=what_matters(found, names))
    return replace(
        first,
        members=_sentence(attack, found, names) + " " + _given_away(attack, found),
        steps=(*most, step, measure_again),
    )


def _sentence(attack: Membership, found: Findings, names: Names) -> Markup:
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
