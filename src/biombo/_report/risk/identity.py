"""The section on picking a person's record: unique records and group sizes."""

from collections.abc import Iterator, Mapping, Sequence

from biombo._attack import ByPart, Findings, Part, Reidentification, Row
from biombo._i18n import integer, percent, text
from biombo._report.blocks import Block, Drawing, Figure, Heading, Prose, Section, Table, numbers, words
from biombo._report.charts.bars import Upright, columns
from biombo._report.charts.svg import drawn
from biombo._report.risk.parts import adversaries_by_part, part_bars
from biombo._report.wording import Names, percentage, rich, size_class


def identity_section(attack: Reidentification, names: Names) -> Section:
    """Everything on picking records of one table."""
    return Section(
        "identity", text("report.identity.title"), tuple(_blocks(attack, Findings.of_reidentification(attack), names))
    )


def _blocks(attack: Reidentification, found: Findings, names: Names) -> Iterator[Block]:
    strongest = found.strongest
    yield Prose(
        rich("report.identity.introduction", rows=attack.rows, groups=strongest["groups"], posterior=found.posterior)
    )
    yield _unique_figure(attack, found)
    yield Table.of(
        text("report.identity.best"),
        _pick_headings(),
        [_pick_row(row, attack.rows, names) for row in found.best],
        rich("report.identity.note"),
    )
    yield _sizes_figure(attack, found.best[-1]["quasi"], names)
    adversaries = attack.adversaries().to_dicts()
    if adversaries:
        headings = [words("adversary"), *_pick_headings()]
        rows = [[names.adversary(row["adversary"]), *_pick_row(row, attack.rows, names)] for row in adversaries]
        yield Table.of(text("report.identity.adversaries"), headings, rows)


def _pick_headings() -> list[Heading]:
    return [numbers("size"), words("columns"), *map(numbers, ("posterior", "groups", "unique", "unique-share"))]


def _pick_row(row: Row, rows: int, names: Names) -> list[str]:
    return [
        integer(row["size"]),
        names.listed(row["quasi"]),
        percentage(row["posterior"]),
        integer(row["groups"]),
        integer(row["unique"]),
        percentage(row["unique"] / rows),
    ]


def _unique_figure(attack: Reidentification, found: Findings) -> Figure:
    title = text("report.unique.title")
    shares = [(integer(row["size"]), row["unique"], row["unique"] / attack.rows) for row in found.best]
    upright = [Upright(size, share, percent(share)) for size, _, share in shares]
    chart = columns(upright, text("report.axis.columns"), text("report.axis.records"))
    _, unique, share = shares[-1]
    description = text("report.unique.description", unique=unique, share=share, columns=found.best[-1]["size"])
    rows = [[size, integer(count), percentage(share)] for size, count, share in shares]
    data = Table.of(title, list(map(numbers, ("size", "unique", "unique-share"))), rows)
    return Figure(title, (Drawing(drawn(chart, title, description)),), rich("report.unique.caption"), data)


def _sizes_figure(attack: Reidentification, subset: Sequence[str], names: Names) -> Figure:
    sizes = attack.group_sizes(subset).to_dicts()
    title = text("report.sizes.title")
    upright = [
        Upright(size_class(row["from"], row["to"]), row["share"], percent(row["share"]), stands_out=row["from"] == 1)
        for row in sizes
    ]
    chart = columns(upright, text("report.axis.group-size"), text("report.axis.records"))
    description = text("report.sizes.description", share=sizes[0]["share"])
    rows = [
        [size_class(row["from"], row["to"]), *map(integer, (row["groups"], row["records"])), percentage(row["share"])]
        for row in sizes
    ]
    data = Table.of(title, [words("group-size"), *map(numbers, ("groups", "records", "share"))], rows)
    caption = rich("report.sizes.caption", columns=names.told(subset))
    return Figure(title, (Drawing(drawn(chart, title, description)),), caption, data)


def identity_by_part(attacks: ByPart[Reidentification], names: Names) -> Section:
    """Everything on picking records, part by part."""
    best = {part: attack.best().row(-1, named=True) for part, attack in attacks.parts.items()}
    named = {part: attack.adversaries().to_dicts() for part, attack in attacks.parts.items()}
    blocks: list[Block] = [
        Prose(rich("report.identity.by-part")),
        _unique_by_part(attacks, best, names),
        _sizes_by_part(attacks, best, names),
        *adversaries_by_part(named, names, text("report.identity.adversaries-by-part")),
    ]
    return Section("identity", text("report.identity.title"), tuple(blocks))


def _unique_by_part(attacks: ByPart[Reidentification], best: Mapping[Part, Row], names: Names) -> Figure:
    headings = [words("part"), *map(numbers, ("records", "size", "posterior", "groups", "unique", "unique-share"))]
    shares = {part: row["unique"] / attacks[part].rows for part, row in best.items()}
    rows = [
        [
            names.parts[part],
            integer(attacks[part].rows),
            integer(row["size"]),
            percentage(row["posterior"]),
            integer(row["groups"]),
            integer(row["unique"]),
            percentage(shares[part]),
        ]
        for part, row in best.items()
    ]
    return part_bars(
        shares,
        text("report.unique.by-part"),
        text("report.axis.records"),
        rich("report.unique.by-part-caption"),
        Table.of(text("report.identity.best-by-part"), headings, rows),
        names,
    )


def _sizes_by_part(attacks: ByPart[Reidentification], best: Mapping[Part, Row], names: Names) -> Table:
    sizes = {part: attacks[part].group_sizes(row["quasi"]).to_dicts() for part, row in best.items()}
    classes = [Heading(size_class(row["from"], row["to"])) for row in next(iter(sizes.values()))]
    rows = [[names.parts[part], *(percentage(row["share"]) for row in table)] for part, table in sizes.items()]
    return Table.of(text("report.sizes.by-part"), [words("part"), *classes], rows, rich("report.sizes.note"))
