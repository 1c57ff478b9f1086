"""What the release lost beside its original."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from biombo._i18n import integer, number, percent, text
from biombo._report.blocks import Block, Drawing, Figure, Heading, Prose, Section, Table
from biombo._report.charts.heat import Heat, heat_map
from biombo._report.charts.svg import drawn
from biombo._report.names import Names, displayed
from biombo._report.release.facts import ReleaseFacts
from biombo._report.release.version import Version
from biombo._report.words import rich
from biombo._utility import NAMES, Accuracy, Association, ColumnDistance, Summary, Utility, worded

_MOST_COLUMNS = 12
"""So many columns have room in the picture of pairs."""
_MOST_PAIRS = 15
_SHARES = ("precision", "loss", "granularity")
"""The measures that are shares, and so can be rounded to whole percents, and to which nobody else adds."""


def losses_section(facts: ReleaseFacts, version: Version) -> Section:
    """In private all numbers; in public what can be told without telling about few people."""
    blocks = _in_private(facts) if version.private else _in_public(facts, version)
    return Section("lost", text("release_report.lost.title"), (*blocks, *_predicted(facts, version)))


def _in_public(facts: ReleaseFacts, version: Version) -> Iterator[Block]:
    if facts.measures is None or not version.tells_original:
        yield Prose(text("release_report.lost.public-withheld", least=version.least))
        return
    found = {name: getattr(facts.measures, name) for name in _SHARES}
    rows = [[_measure(name), version.percentage(share)] for name, share in found.items() if share is not None]
    note = text("release_report.lost.public", least=version.least)
    yield Table.of(text("utility.measures.title"), _heads("measures", ["measure"], ["value"]), rows, note)


def _in_private(facts: ReleaseFacts) -> Iterator[Block]:
    found = facts.utility
    if found is None:
        yield Prose(rich("release_report.lost.not-compared", detail=displayed(facts.not_compared, longest=300)))
        return
    names = Names.of_columns((*found.associations.columns, *found.removed), facts.labels)
    if found.removed:
        yield Prose(rich("release_report.lost.removed", columns=names.told(found.removed)))
    yield _measures(found)
    yield _distances(found, names)
    yield from _pairs(found, names)
    yield from _numbers(found.summaries, names)


def _measures(found: Utility) -> Table:
    rows = [[_measure(name), _measured(found, name)] for name in NAMES]
    masked = found.measures.masked
    note = text("release_report.lost.masked", masked=masked) if masked else ""
    return Table.of(text("utility.measures.title"), _heads("measures", ["measure"], ["value"]), rows, note)


def _measure(name: str) -> str:
    return text(f"utility.measures.{name}")


def _measured(found: Utility, name: str) -> str:
    value = getattr(found.measures, name)
    return worded(found.measures.reasons[name]) if value is None else _sized(value)


def _distances(found: Utility, names: Names) -> Table:
    headings = _heads("columns", ["column"], ["total-variation", "hellinger", "earth-movers"])
    rows = [[names.columns[each.column], *_distance(each)] for each in found.distances]
    return Table.of(text("utility.columns.title"), headings, rows)


def _distance(each: ColumnDistance) -> Iterator[str]:
    for value in (each.total_variation, each.hellinger, each.earth_movers):
        yield "–" if value is None else number(value, 4)


def _pairs(found: Utility, names: Names) -> Iterator[Block]:
    pairs = sorted(found.associations.pairs, key=lambda pair: -abs(pair.difference))
    if not pairs:
        return
    headings = _heads("pairs", ["pair", "measure"], ["original", "release", "difference"])
    rows = [_pair(pair, names) for pair in pairs[:_MOST_PAIRS]]
    table = Table.of(text("utility.pairs.title"), headings, rows)
    if not 2 < len(found.associations.columns) <= _MOST_COLUMNS:
        yield table
        return
    named = {"first": names.columns[pairs[0].first], "second": names.columns[pairs[0].second]}
    description = text("release_report.lost.heat-description", difference=number(pairs[0].difference, 3), **named)
    cells = [
        Heat(names.columns[each["row"]], names.columns[each["column"]], each["difference"], number(each["difference"]))
        for each in found.associations.heat_map()
    ]
    title = text("release_report.lost.heat")
    drawing = Drawing(drawn(heat_map(cells), title, description))
    yield Figure(title, (drawing,), text("release_report.lost.heat-caption"), table)


def _pair(pair: Association, names: Names) -> list[str]:
    values = (pair.original, pair.release, pair.difference)
    return [
        f"{names.columns[pair.first]} × {names.columns[pair.second]}",
        text(f"utility.pairs.{pair.measure}"),
        *(number(value, 3).replace("-", "−") for value in values),
    ]


def _numbers(summaries: Sequence[Summary], names: Names) -> Iterator[Table]:
    rows = [
        [
            names.columns[summary.column],
            text(f"utility.numbers.{each.name}"),
            *(_sized(value) for value in (each.original, each.release, each.error)),
            "–" if each.relative_error is None else percent(each.relative_error),
        ]
        for summary in summaries
        for each in summary.statistics
    ]
    if rows:
        headings = _heads("numbers", ["column", "statistic"], ["original", "release", "error", "relative"])
        yield Table.of(text("utility.numbers.title"), headings, rows)


def _predicted(facts: ReleaseFacts, version: Version) -> Iterator[Block]:
    if facts.predicted is None:
        return
    target, found = displayed(facts.predicted.target), facts.predicted.found
    if found is None:
        if version.private:
            reason = displayed(facts.predicted.reason, longest=300)
            yield Prose(rich("release_report.lost.not-predicted", target=target, detail=reason))
        else:  # no sentence that was made for somebody else: it may quote what only the original has
            yield Prose(rich("release_report.lost.not-predicted-public", target=target))
        return
    title = text("utility.accuracy.title", target=target, folds=found.folds)
    headings = _heads("accuracy", ["way"], ["tree", "forest", "majority", *(["records"] if version.private else [])])
    ways = ("original", "release", "for_new_records")
    rows = [[text(f"utility.accuracy.{way}"), *_accuracies(getattr(found, way), version)] for way in ways]
    yield Table.of(title, headings, rows, text("release_report.lost.accuracy"))


def _accuracies(accuracy: Accuracy, version: Version) -> Iterator[str]:
    """Shares of the records tested, which may be a sample of the original."""
    told = replace(version, records=accuracy.records)
    for share in (accuracy.tree, accuracy.forest, accuracy.majority):
        yield "–" if share is None else told.percentage(share)
    if version.private:
        yield integer(accuracy.records)


def _heads(part: str, of_words: Sequence[str], of_numbers: Sequence[str]) -> list[Heading]:
    return [
        *(Heading(text(f"utility.{part}.{key}"), numeric=False) for key in of_words),
        *(Heading(text(f"utility.{part}.{key}")) for key in of_numbers),
    ]


def _sized(value: float) -> str:
    """With decimals where they matter."""
    return number(value, 4 if abs(value) < 10 else 2 if abs(value) < 10_000 else 0)
