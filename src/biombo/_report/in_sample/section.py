"""The section on who is in the sample."""

from collections.abc import Iterator

from markupsafe import Markup

from biombo._attack import Findings, Membership
from biombo._criteria import SMALLEST
from biombo._i18n import text
from biombo._report.blocks import Block, Prose, Section
from biombo._report.in_sample.before_after import before_after_figure
from biombo._report.in_sample.spread import members_spread_figure
from biombo._report.in_sample.subsets import exposing_table, members_subsets_figure
from biombo._report.in_sample.tables import individual_table, published_table
from biombo._report.names import Names
from biombo._report.without import without_figure
from biombo._report.words import certainty, counted, rich


def members_section(attack: Membership | None, names: Names) -> Section:
    """Everything on who is in the sample; that nothing can be said where too few people are left."""
    if attack is None:
        blocks: tuple[Block, ...] = (Prose(rich("report.members.too-small", smallest=SMALLEST)),)
    else:
        blocks = tuple(_blocks(attack, Findings.of_membership(attack), names))
    return Section("members", text("report.members.title"), blocks)


def _blocks(attack: Membership, found: Findings, names: Names) -> Iterator[Block]:
    yield Prose(_introduction(attack, found))
    yield before_after_figure(attack, found, names)
    yield Prose(_in_or_out(attack, found))
    yield members_subsets_figure(attack, found, names)
    yield exposing_table(attack, names)
    if len(attack.quasi) > 1:
        yield without_figure(found, names, text("report.axis.certainty"))
    yield members_spread_figure(attack, found, names)
    yield individual_table(attack, found, names)
    yield Prose(_not_found(attack, found))
    yield published_table(found, names)


def _introduction(attack: Membership, found: Findings) -> Markup:
    return rich(
        "report.members.introduction",
        sampled=attack.sampled,
        people=attack.people,
        prior=certainty(found.prior, 2),
        posterior=certainty(found.posterior, 2),
        leakage=100 * found.leakage,
        worst=certainty(found.strongest["worst"], 2),
    )


def _in_or_out(attack: Membership, found: Findings) -> Markup:
    """Bayes vulnerability in words, and what is learnt from absence."""
    before, after = attack.bayes_prior, found.strongest["bayes_posterior"]
    guesses = rich("report.members.in-or-out", before=certainty(before, 2), after=certainty(after, 2))
    absent = found.strongest["absent"]
    if not absent:
        return guesses + " " + rich("report.members.nobody-absent")
    return guesses + " " + counted("report.members.absent", absent, share=certainty(absent / attack.people))


def _not_found(attack: Membership, found: Findings) -> Markup:
    missing = found.strongest["not_found"]
    if not missing:
        return rich("report.members.all-found")
    return counted("report.members.not-found", missing, share=certainty(missing / attack.sampled))
