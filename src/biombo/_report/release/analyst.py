"""For whoever works with the data: what columns mean now, what was lost, what holds and how to check it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from markupsafe import Markup

from biombo._criteria import Disclosure
from biombo._files import without_folders
from biombo._i18n import integer, number, percent, text
from biombo._report.blocks import Block, Bullets, Drawing, Figure, Heading, Prose, Section, Table
from biombo._report.charts.squares import Heat, heat_map
from biombo._report.charts.svg import drawn
from biombo._report.html import ReportPart, parts_of
from biombo._report.release.facts import ColumnFact, ReleaseFacts, WaivedDetail, WaivedFact
from biombo._report.release.version import Version, listed
from biombo._report.wording import Names, displayed, rich
from biombo._utility import (
    NAMES,
    Accuracy,
    Association,
    ColumnDistance,
    Prediction,
    Summary,
    Utility,
    findings,
    worded,
)

_LONGEST_NOTE = 400
_MOST_COLUMNS = 12
"""So many columns have room in the picture of pairs."""

_MOST_PAIRS = 15
_SHARES = ("precision", "loss", "granularity")
"""The measures that are shares, and so can be rounded to whole percents, and to which nobody else adds."""

_LONGEST_SOURCE = 300
_LONGEST_REASON = 2_500
_COUNTS = {
    "released": "rows",
    "masked": "masked",
    "masked-further": "masked_further",
    "suppressed": "suppressed",
    "unhidden": "unhidden",
    "not-drawn": "not_drawn",
    "duplicates": "duplicates",
    "invalid": "invalid",
}
"""Texts of the catalogue, and the numbers that they go with."""


def columns_section(facts: ReleaseFacts) -> Section:
    """The columns, and how to read what is in them."""
    rows = [[displayed(each.name), displayed(each.label, longest=160), each.role, _now(each)] for each in facts.columns]
    headings = [Heading(text(f"release.head.{key}"), numeric=False) for key in ("column", "label", "role", "done")]
    title = text("release_report.columns.title")
    table = Table.of(text("release_report.columns.table"), headings, rows)
    return Section("columns", title, (table, Bullets("", tuple(_hints(facts)))))


def noise_section(facts: ReleaseFacts, version: Version) -> Section | None:
    """What the noise guarantees. How many records the person with most of them has is about one person: private."""
    privacy = facts.applied.privacy
    if privacy is None or (privacy.counted is not None and not version.private):
        return None
    noised = [each.sentence(facts.applied.rows) for each in facts.applied.noised] if version.private else []
    told = (*privacy.sentences(), *noised)
    sentences = tuple(displayed(sentence, longest=_LONGEST_NOTE) for sentence in told)
    return Section("noise", text("release_report.residual.noise-title"), (Bullets("", sentences),))


def _now(column: ColumnFact) -> str:
    """What was done to the column, and what its values now look like."""
    done = displayed(column.done, longest=_LONGEST_NOTE)
    if column.examples:
        done += f" {text('release_report.columns.examples', values=listed(column.examples))}"
    if column.names:
        done += f" {text('release_report.columns.names', names=displayed(column.names, longest=_LONGEST_NOTE))}"
    return done


def _hints(facts: ReleaseFacts) -> Iterator[Markup | str]:
    for mark in dict.fromkeys(each.mark for each in facts.columns if each.mark is not None):
        yield rich("release_report.columns.mark", mark=displayed(mark))
    yield from (displayed(each.called(each.column), longest=_LONGEST_NOTE) for each in facts.constant)
    yield text(f"release_report.columns.missing{'-noise' if facts.perturbed else ''}")
    yield rich("release_report.columns.trace-id")
    if facts.applied.shuffled:
        yield text("release_report.columns.order")


def losses_section(facts: ReleaseFacts, version: Version) -> Section:
    """In private all numbers; in public what can be told without telling about few people."""
    told = _in_private(facts.utility, facts.not_compared, facts.labels)
    blocks = told if version.private else _in_public(facts, version)
    return _losses(blocks, _predicted(facts.predicted, version))


def utility_part(
    found: Utility | None, predicted: Prediction | None, *, labels: Mapping[str, str], not_compared: str = ""
) -> ReportPart:
    """All that was lost, for a page of somebody else. It is private: it tells about the original.

    Args:
        found: The outcome of :func:`biombo.utility`, where there is one.
        predicted: How well a column can be predicted, where that was asked for.
        labels: What columns are called, where it is not by their own name.
        not_compared: Why there is no outcome, where it is so.
    """
    version = Version(private=True, rule=Disclosure.of(()), records=0 if found is None else found.release_rows)
    (part,) = parts_of([_losses(_in_private(found, not_compared, labels), _predicted(predicted, version))])
    return part


def _losses(blocks: Iterable[Block], predicted: Iterable[Block]) -> Section:
    return Section("lost", text("release_report.lost.title"), (*blocks, *predicted))


def _in_public(facts: ReleaseFacts, version: Version) -> Iterator[Block]:
    if facts.measures is None or not version.tells_original:
        yield Prose(text("release_report.lost.public-withheld", least=version.least))
        return
    found = {name: getattr(facts.measures, name) for name in _SHARES}
    rows = [[_measure(name), version.percentage(share)] for name, share in found.items() if share is not None]
    domain = text(f"search.loss-domain.{facts.measures.loss_domain}")
    note = f"{text('release_report.lost.public', least=version.least)} {domain}"
    yield Table.of(text("utility.measures.title"), _heads("measures", ["measure"], ["value"]), rows, note)


def _in_private(found: Utility | None, not_compared: str, labels: Mapping[str, str]) -> Iterator[Block]:
    if found is None:
        yield Prose(rich("release_report.lost.not-compared", detail=displayed(not_compared, longest=300)))
        return
    names = Names.of_columns((*found.associations.columns, *found.removed), labels)
    yield Prose(" ".join(findings(found)))
    if found.removed:
        yield Prose(rich("release_report.lost.removed", columns=names.told(found.removed)))
    yield _measures(found)
    yield _distances(found, names)
    yield from _pairs(found, names)
    yield from _numbers(found.summaries, names)


def _measures(found: Utility) -> Table:
    rows = [[_measure(name), _measured(found, name)] for name in NAMES]
    masked = found.measures.masked
    notes = [text("release_report.lost.masked", masked=masked)] if masked else []
    if found.measures.loss is not None:
        notes.append(text(f"search.loss-domain.{found.measures.loss_domain}"))
    note = " ".join(notes)
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


def _predicted(predicted: Prediction | None, version: Version) -> Iterator[Block]:
    if predicted is None:
        return
    target, found = displayed(predicted.target), predicted.found
    if found is None:
        if version.private:
            reason = displayed(predicted.reason, longest=300)
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


def proof_section(facts: ReleaseFacts, version: Version) -> Section:
    """The criteria, in private the exact numbers of records, and the command that checks."""
    blocks: list[Block] = []
    if facts.criteria:
        blocks.append(_criteria(facts))
    if facts.waived:
        blocks += _waived(facts, version)
    blocks.append(_attested(facts))
    if version.private:
        blocks += [Prose(rich("release_report.proof.source", source=_source(facts))), _records(facts)]
    blocks.append(Prose(rich("release_report.proof.how")))
    return Section("proof", text("release_report.proof.title"), tuple(blocks))


def _source(facts: ReleaseFacts) -> str:
    return displayed(without_folders(facts.applied.source), longest=_LONGEST_SOURCE)


def _criteria(facts: ReleaseFacts) -> Table:
    headings = [_head(key, numeric=False) for key in ("criterion", "achieved", "kind")]
    rows = [
        [f"{displayed(each.criterion, longest=_LONGEST_SOURCE)} ({listed(each.quasi)})", each.achieved, each.checked_by]
        for each in facts.criteria
    ]
    return Table.of(text("release_report.proof.holds"), headings, rows, text("release_report.proof.kinds"))


def _waived(facts: ReleaseFacts, version: Version) -> Iterator[Block]:
    """What was waived, and why; in private how far it fails, by whose word, and for which values."""
    headings = [_head(key, numeric=False) for key in ("criterion", "reason", "values")]
    rows = [
        [
            f"{displayed(each.criterion, longest=_LONGEST_SOURCE)} ({listed(each.quasi)})",
            displayed(each.reason, longest=_LONGEST_REASON),
            _values_told(each),
        ]
        for each in facts.waived
    ]
    note = text("release_report.proof.waived-note", least=version.least)
    yield Table.of(text("release_report.proof.waived"), headings, rows, note)
    details = [each.detail for each in facts.waived if each.detail is not None]
    if details:
        told = tuple(displayed(each.sentence, longest=_LONGEST_REASON) for each in details)
        yield Bullets(text("release_report.proof.waived-standing"), told)
    yield from (_values_accepted(each) for each in details if each.values)


def _values_told(waived: WaivedFact) -> str:
    """The values that everybody may know, and that there are others."""
    if not waived.further:
        return listed(waived.values)
    further = text("release_report.proof.further-values")
    return f"{listed(waived.values)}; {further}" if waived.values else further


def _values_accepted(detail: WaivedDetail) -> Table:
    headings = [_head("value", numeric=False), _head("sensitivity", numeric=False), _head("failing")]
    rows = [
        [displayed(each.value, longest=_LONGEST_NOTE), each.sensitivity, integer(each.records)]
        for each in detail.values
    ]
    return Table.of(text("release_report.proof.waived-values", column=displayed(detail.column)), headings, rows)


def _attested(facts: ReleaseFacts) -> Table:
    headings = [_head("attested", numeric=False), _head("value", numeric=False)]
    rows = [list(each) for each in facts.attested]
    return Table.of(text("release_report.proof.attested"), headings, rows, text("release_report.proof.attested-note"))


def _records(facts: ReleaseFacts) -> Table:
    rows = [[text(f"release.count.{key}"), integer(getattr(facts.applied, number))] for key, number in _COUNTS.items()]
    return Table.of(text("release_report.proof.records"), [_head("records", numeric=False), _head("number")], rows)


def _head(key: str, *, numeric: bool = True) -> Heading:
    return Heading(text(f"release.head.{key}"), numeric)
