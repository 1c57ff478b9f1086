"""The section on who is in the sample."""

from collections.abc import Iterator

from markupsafe import Markup

from biombo._attack import Findings, Membership, MembershipByPart, Row, part_key
from biombo._criteria import SMALLEST
from biombo._i18n import integer, number, text
from biombo._report.blocks import Block, Drawing, Figure, Heading, Prose, Section, Table, numbers, words
from biombo._report.charts.dots import Move, Point, moves, subset_dots
from biombo._report.charts.svg import drawn
from biombo._report.risk.spread import HIGH, Histogram, histogram_drawings, histogram_table, how_many, some_sizes
from biombo._report.risk.subsets import axis_end, prior_text, strongest_listed, with_thinning, without_figure
from biombo._report.wording import Names, certainty, counted, displayed, of_records, percentage, rich
from biombo._report.wording import points as percentage_points

COIN = 0.5
"""A coin says "in" or "out" right so often: no guess does worse."""

MOST_EXPOSING = 10


def members_section(attack: Membership | None, names: Names) -> Section:
    """Everything on who is in the sample; that nothing can be said where too few people are left."""
    if attack is None:
        blocks: tuple[Block, ...] = (Prose(rich("report.members.too-small", smallest=SMALLEST)),)
    else:
        blocks = tuple(_blocks(attack, Findings.of_membership(attack), names))
    return Section("members", text("report.members.title"), blocks)


def members_by_part(found: MembershipByPart, names: Names) -> Section:
    """The most telling columns of each part that has enough people in the sample."""
    kinds = ("sampled", "people", "prior", "mean-chance", "worst", "reidentified")
    headings = [words("part"), words("columns"), *map(numbers, kinds)]
    rows = [
        [
            displayed(part_key(part)),
            names.listed(row["quasi"]),
            integer(row["sampled"]),
            integer(row["people"]),
            *map(percentage, (row["prior"], row["posterior"], row["worst"])),
            of_records(row["unique_both"], row["sampled"]),
        ]
        for part, row in zip(found.parts, found.best().iter_rows(named=True), strict=True)
        if row["sampled"] >= SMALLEST
    ]
    note = rich("report.members.by-part-note", smallest=SMALLEST)
    title = text("report.members.by-part")
    return Section("members", text("report.members.title"), (Table.of(title, headings, rows, note),))


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


def before_after_figure(attack: Membership, found: Findings, names: Names) -> Figure:
    """Two panels: how sure one can be of a member, and how often "in" or "out" is guessed right of anyone."""
    title = text("report.members.before-after")
    return Figure(
        title,
        tuple(_panels(attack, found, title)),
        rich("report.members.before-after-caption"),
        _before_after_table(attack, found, names),
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


def _before_after_table(attack: Membership, found: Findings, names: Names) -> Table:
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


def members_subsets_figure(attack: Membership, found: Findings, names: Names) -> Figure:
    """Each subset as a point by its number of columns, the prior as a rule."""
    title = text("report.members.subsets")
    every = [Point(*row) for row in attack.subsets.select("size", "posterior").iter_rows()]
    chart = subset_dots(
        every, found.prior, prior_text(found), text("report.axis.certainty"), 580, 280, axis_end(found.posterior)
    )
    values = {"subsets": len(every), "prior": found.prior, "posterior": found.posterior}
    description = text("report.members.subsets-description", **values)
    caption = with_thinning(rich("report.members.subsets-caption"), len(every))
    table_title, listed = strongest_listed(attack.subsets)
    data = Table.of(table_title, _subset_headings(), [_subset_row(row, attack.sampled, names) for row in listed])
    return Figure(title, (Drawing(drawn(chart, title, description)),), caption, data)


def exposing_table(attack: Membership, names: Names) -> Table:
    """The subsets that tell most."""
    _, listed = strongest_listed(attack.subsets, MOST_EXPOSING)
    rows = [_subset_row(row, attack.sampled, names) for row in listed]
    return Table.of(text("report.members.exposing"), _subset_headings(), rows, rich("report.members.exposing-note"))


def _subset_headings() -> list[Heading]:
    kinds = ("mean-chance", "leakage", "multiplicative", "worst", "certain", "reidentified")
    return [numbers("size"), words("columns"), *map(numbers, kinds)]


def _subset_row(row: Row, sampled: int, names: Names) -> list[str]:
    return [
        integer(row["size"]),
        names.listed(row["quasi"]),
        percentage(row["posterior"]),
        percentage_points(row["leakage"]),
        number(row["multiplicative"], 2),
        percentage(row["worst"]),
        of_records(row["certain"], sampled),
        of_records(row["unique_both"], sampled),
    ]


def members_spread_figure(attack: Membership, found: Findings, names: Names) -> Figure:
    """A histogram of d/n for each."""
    title, axes = text("report.members.spread"), (text("report.axis.chance"), text("report.axis.people"))
    histograms = [_histogram(attack, row, names) for row in some_sizes(found)]
    return Figure(
        title,
        histogram_drawings(histograms, title, *axes),
        rich("report.members.spread-caption"),
        histogram_table(histograms, text("report.members.spread-table"), words("chance")),
    )


def _histogram(attack: Membership, row: Row, names: Names) -> Histogram:
    spread = attack.distribution(row["quasi"])
    values = {"columns": names.listed(row["quasi"]), "share": spread.share_above(HIGH)}
    return Histogram(how_many(row["quasi"]), spread, text("report.members.spread-description", **values))


def individual_table(attack: Membership, found: Findings, names: Names) -> Table:
    """What becomes of the people who are alone in the sample, for the strongest subset of each size."""
    kinds = ("unique-in-sample", "unique-found", "unique-not-found", "reidentified")
    rows = [
        [
            integer(row["size"]),
            names.listed(row["quasi"]),
            of_records(row["unique"], attack.sampled),
            integer(row["unique_found"]),
            integer(row["unique"] - row["unique_found"]),
            of_records(row["unique_both"], attack.sampled),
        ]
        for row in found.best
    ]
    headings = [numbers("size"), words("columns"), *map(numbers, kinds)]
    return Table.of(text("report.members.individual"), headings, rows, rich("report.members.individual-note"))


def published_table(found: Findings, names: Names) -> Table:
    """The expected degradation beside what may be compared with it."""
    rows = [
        [
            integer(row["size"]),
            names.listed(row["quasi"]),
            number(row["expected_degradation"], 4),
            number(row["multiplicative"], 4),
        ]
        for row in found.best
    ]
    headings = [numbers("size"), words("columns"), *map(numbers, ("degradation", "multiplicative"))]
    return Table.of(text("report.members.published"), headings, rows, rich("report.members.published-note"))
