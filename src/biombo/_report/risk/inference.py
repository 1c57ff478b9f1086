"""The sections on guessing a sensitive column: of one table, and part by part."""

from collections.abc import Iterator

import polars as pl

from biombo._attack import AttributeInference, AttributeInferenceByPart, Findings
from biombo._i18n import text
from biombo._report.blocks import Block, Prose, Section, Table, words
from biombo._report.risk.parts import (
    adversaries_by_part,
    correlation_table,
    leakage_table,
    over_time_figure,
    priors_figure,
)
from biombo._report.risk.spread import certainty_table, spread_figure, spreads
from biombo._report.risk.subsets import (
    best_table,
    falls_figure,
    gain_headings,
    gain_row,
    remaining_table,
    subsets_figure,
    subsets_panels,
    without_figure,
)
from biombo._report.wording import Names, marked, rich


def inference_sections(attack: AttributeInference, names: Names) -> Iterator[Section]:
    """A section for each sensitive column of one table, all of them jointly last."""
    for nth, target in enumerate(attack.sensitive, 1):
        blocks = tuple(_blocks(attack, target, Findings.of_inference(attack, target), names))
        yield Section(f"guess-{nth}", text("report.inference.title", sensitive=names.columns[target]), blocks)


def _blocks(attack: AttributeInference, target: str, found: Findings, names: Names) -> Iterator[Block]:
    every = spreads(attack, target, found)
    yield Prose(
        rich(
            "report.inference.introduction",
            sensitive=marked(names.columns[target]),
            prior=found.prior,
            entropy=attack.entropies[target],
            posterior=found.posterior,
            leakage=100 * found.leakage,
        )
    )
    yield subsets_figure(attack, target, found, names)
    yield best_table(found, names)
    if len(attack.quasi) > 1:
        yield without_figure(found, names, text("report.axis.right"))
    yield spread_figure(every, names)
    yield certainty_table(every, names)
    adversaries = attack.adversaries().filter(pl.col("sensitive") == target).to_dicts()
    if adversaries:
        rows = [[names.adversary(row["adversary"]), *gain_row(row, names)] for row in adversaries]
        headings = [words("adversary"), *gain_headings()]
        yield Table.of(text("report.adversaries.title"), headings, rows, rich("report.adversaries.note"))


def inference_by_part(attacks: AttributeInferenceByPart, names: Names) -> Iterator[Section]:
    """A section for each sensitive column, all of them jointly last, with all parts in each."""
    first = next(iter(attacks.parts.values()))
    for nth, target in enumerate(first.sensitive, 1):
        blocks = tuple(_blocks_by_part(attacks, target, names))
        yield Section(f"guess-{nth}", text("report.inference.title", sensitive=names.columns[target]), blocks)


def _blocks_by_part(attacks: AttributeInferenceByPart, target: str, names: Names) -> Iterator[Block]:
    found = {part: Findings.of_inference(attack, target) for part, attack in attacks.parts.items()}
    order = sorted(found, key=lambda part: -found[part].leakage)
    yield Prose(rich("report.inference.by-part", sensitive=marked(names.columns[target]), parts=len(found)))
    yield priors_figure(attacks, target, names)
    yield subsets_panels(attacks, target, found, names)
    yield leakage_table(attacks, found, names)
    if any(len(findings.falls) > 1 for findings in found.values()):
        yield falls_figure(found, names)
        yield remaining_table(found, names)
    ends = dict.fromkeys((order[0], order[-1]))
    every = [spread for part in ends for spread in spreads(attacks[part], target, found[part], names.parts[part])]
    yield spread_figure(every, names)
    yield certainty_table(every, names)
    if over_time := over_time_figure(found, attacks.by):
        yield over_time
    named = {p: a.adversaries().filter(pl.col("sensitive") == target).to_dicts() for p, a in attacks.parts.items()}
    yield from adversaries_by_part(named, names, text("report.adversaries.by-part"))
    yield correlation_table(attacks, target)
