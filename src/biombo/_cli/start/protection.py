"""What must hold, each choice with what it would mean, and what becomes of the table."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from biombo._cli.start.asking import Question
from biombo._cli.start.conversation import Conversation, GoToError
from biombo._cli.terminal import cell, progress_shown, table
from biombo._cli.typed import number_of
from biombo._criteria import shown
from biombo._errors import UsageError
from biombo._guide import DIVERSE, USUAL, GroupSize, Hidden, diversity, group_sizes, hidden_by, least_group
from biombo._i18n import integer, percent, text
from biombo._requests import PublishRequest

if TYPE_CHECKING:
    from biombo._search import RankedPlan


def protection(talk: Conversation) -> PublishRequest:
    """How large groups must be, and whether each must have different sensitive values. What was said of one of both is
    not asked; or else it is what is proposed.
    """
    request = talk.request
    if talk.again or request.k is None or not talk.is_large_enough:
        request = _sized(talk)
    is_asked = talk.schema.sensitive and (talk.again or request.l is None) and _one_for_all(request)
    return _diversified(talk, request) if is_asked else request


def _one_for_all(request: PublishRequest) -> bool:
    """Is diversity asked for in the way that is asked about here: as many different values in all columns?"""
    return request.l_kind == "distinct" and not isinstance(request.l, Mapping)


def _told_diversity(asked: float | Mapping[str, float]) -> str:
    """How many values there must be, by column where that differs."""
    if not isinstance(asked, Mapping):
        return shown(asked)
    return ", ".join(f"{shown(number)} ({column})" for column, number in asked.items())


def _sized(talk: Conversation) -> PublishRequest:
    request, least = talk.request, least_group(talk.request.model())
    if not talk.is_large_enough:
        request = replace(request, k=None)
    while True:
        with progress_shown():
            offered = group_sizes(request, talk.data, least)
        talk.say(_heading(talk, request))
        for each in offered:
            talk.say(_means(talk, each), "" if each.best else "dim", indent=2)
        possible = [each.k for each in offered if each.best is not None]
        if not possible:
            request = _with_more_room(talk, request, offered[0].k)
            continue
        choices = [*(f"k = {integer(k)}" for k in possible), text("start.key.other-limit")]
        proposed = request.k or max(USUAL, least)
        usual = possible.index(proposed) if proposed in possible else 0
        chosen = talk.one_of(text("start.protection.question"), choices, usual, text("start.protection.help"))
        if chosen < len(possible):
            return replace(request, k=possible[chosen])
        request = _with_limit(talk, request)


def _heading(talk: Conversation, request: PublishRequest) -> str:
    """What the sizes are measured with."""
    limit = percent(request.max_suppression)
    if request.l is None:
        return text("start.protection.heading", limit=limit)
    columns = ", ".join(talk.label(name) for name in talk.schema.sensitive)
    return text("start.protection.heading-diverse", limit=limit, l=_told_diversity(request.l), columns=columns)


def _with_more_room(talk: Conversation, request: PublishRequest, smallest: int) -> PublishRequest:
    """The request with less asked for, where nothing is possible; nobody's word is taken for less without asking."""
    limit, records = percent(request.max_suppression), talk.data.records
    if talk.asking.takes_all and request.l is not None:
        raise UsageError("usage.no-plan-for-it")
    if talk.asking.takes_all or records < smallest:
        raise UsageError("usage.no-size", k=smallest, limit=limit, records=records)
    talk.say(text("start.protection.none", limit=limit), "yellow")
    if request.l is not None and talk.agreed(
        text("start.protection.undiverse", l=_told_diversity(request.l)), usual=False
    ):
        return replace(request, l=None)
    return _with_limit(talk, request)


def _with_limit(talk: Conversation, request: PublishRequest) -> PublishRequest:
    twice = percent(min(1.0, 2 * request.max_suppression or 0.05), 0)

    def read(typed: str) -> PublishRequest:
        return replace(request, max_suppression=number_of(typed))

    return talk.line(text("start.protection.limit"), read, twice)


def _diversified(talk: Conversation, request: PublishRequest) -> PublishRequest:
    """Whether each group must have different values. A no is remembered as long as the dialogue goes on."""
    columns, least = ", ".join(talk.label(name) for name in talk.schema.sensitive), request.l or DIVERSE
    with progress_shown():
        found = diversity(request, talk.data)
    if found.best is None:
        talk.say(text("start.protection.diversity-impossible", columns=columns, l=_told_diversity(least)), "dim")
        talk.declined = frozenset(talk.schema.sensitive)
        return request
    then = "; ".join([_hidden(found), *_told(talk, found)])
    words = text("start.protection.diversity", columns=columns, l=_told_diversity(least), then=then)
    # what leaves most columns without anything to say is not proposed, and the reports tell what can be guessed
    is_proposed = request.l is not None or 2 * len(found.constant) < len(found.best.columns)
    if talk.agreed(words, usual=is_proposed):
        return replace(request, l=least)
    talk.declined = frozenset(talk.schema.sensitive)
    return replace(request, l=None)


def _means(talk: Conversation, size: GroupSize) -> str:
    if size.best is None:
        return text("start.protection.no-plan", k=size.k)
    return text("start.protection.size", k=size.k, then="; ".join([_hidden(size), *_told(talk, size)]))


def _hidden(size: GroupSize) -> str:
    """How many records would be masked, or dropped where masking is not enough."""
    key = "dropped" if size.hidden.dropped else "masked"
    return text(f"start.protection.{key}", share=size.share)


def _told(talk: Conversation, size: GroupSize) -> Iterator[str]:
    """What becomes of the columns, in a few words each."""
    best = size.best
    if best is None:
        return
    for column in best.columns:
        level = best.levels[column.name]
        if level and column.name not in size.constant:
            pair = column.example(level)
            becomes = column.hierarchy.level_label(level)
            example = becomes if pair is None else f"{becomes} ({pair[0]} → {pair[1]})"
            yield text("start.protection.changed", column=talk.label(column.name), example=example)
    kept = [talk.label(column.name) for column in best.columns if not best.levels[column.name]]
    for key, columns in (("kept", kept), ("constant", [talk.label(name) for name in size.constant])):
        if columns:
            yield text(f"start.protection.{key}", columns=", ".join(columns))


def result(talk: Conversation) -> PublishRequest:
    """What becomes of the table, and whether that is wanted."""
    request = talk.request
    while True:
        best, hidden = _best(talk, request)
        if best is None and request is talk.request:
            if talk.asking.takes_all:  # what was asked for is never taken for less
                raise UsageError("usage.no-plan-for-it")
            talk.say(text("search.none"), "yellow")
            raise GoToError("protection")
        if best is None:
            talk.say(text("start.result.impossible"), "yellow")
            request = talk.request
            continue
        _show(talk, best, hidden)
        keys = {
            "y": text("start.key.go-on"),
            "k": text("start.key.other-size"),
            "f": text("start.key.keep-finer"),
            "c": text("start.key.other-columns"),
        }
        match talk.asking.key(Question(text("start.result.question"), keys, "y")):
            case "k":
                raise GoToError("protection")
            case "c":
                raise GoToError("columns")
            case "f":
                request = _finer(talk, request, best)
            case _:
                return request


def _best(talk: Conversation, request: PublishRequest) -> "tuple[RankedPlan | None, Hidden]":
    """The best plan, with what publishing it will do to records; none where there is none that can be published."""
    with progress_shown():
        found = request.found(talk.data, plans=1)
        hidden = hidden_by(found[0], request, talk.data) if found else None
    return (None, Hidden()) if hidden is None else (found[0], hidden)


def _show(talk: Conversation, best: "RankedPlan", hidden: Hidden) -> None:
    drawn = table(text("start.result.table"))
    for key in ("column", "becomes", "example"):
        drawn.add_column(text(f"start.result.{key}"), overflow="fold")
    for column in best.columns:
        level = best.levels[column.name]
        pair = column.example(level)
        becomes = column.hierarchy.level_label(level)
        example = "" if pair is None else f"{pair[0]} → {pair[1]}"
        drawn.add_row(cell(talk.label(column.name), "bold"), cell(becomes), cell(example))
    talk.console.print(drawn)
    all_records = talk.data.records
    for key, records in (("masked", hidden.masked), ("dropped", hidden.dropped)):
        if records:
            talk.say(text(f"start.result.{key}", hidden=records, records=all_records, share=records / all_records))
    constant = [talk.label(each.column) for each in best.constant]
    if constant:
        talk.say(text("start.result.constant", columns=", ".join(constant)), "yellow")


def _finer(talk: Conversation, request: PublishRequest, best: "RankedPlan") -> PublishRequest:
    """The coarsest level of one column that is accepted."""
    by_name = {column.name: column for column in best.columns} | {
        talk.label(column.name): column for column in best.columns
    }
    name = talk.asking.line(text("start.result.keep"))
    if name not in by_name:
        talk.say(text("start.result.no-column", column=name), "yellow")
        return request
    column = by_name[name]
    levels = map(column.hierarchy.level_label, range(column.height + 1))
    listed = ", ".join(f"{at} {words}" for at, words in enumerate(levels))
    typed = talk.asking.line(text("start.result.level", levels=listed), str(max(0, best.levels[column.name] - 1)))
    if not typed.isdecimal() or int(typed) > column.height:
        talk.say(text("start.result.no-level", typed=typed, highest=column.height), "yellow")
        return request
    return replace(request, level={**(request.level or {}), column.name: (None, int(typed))})
