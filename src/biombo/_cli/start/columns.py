"""What each column is: proposals with their reasons, one key to agree."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from biombo._cli.start.asking import BackError, Question
from biombo._cli.start.conversation import Conversation
from biombo._errors import UsageError, shortened
from biombo._guide import with_schema
from biombo._i18n import language, text
from biombo._requests import PublishRequest

if TYPE_CHECKING:
    from biombo._data import ColumnSchema, Role, Schema
    from biombo._guide import Look

_KEYS: "dict[str, Role]" = {"i": "identifier", "q": "quasi", "s": "sensitive", "o": "other", "-": "undecided"}
_ORDER: "tuple[Role, ...]" = ("quasi", "sensitive", "identifier", "other", "undecided")
_REST = "a"
_NAMED = 12
"""So many columns are named in a line."""


def columns(talk: Conversation) -> PublishRequest:
    """The schema: one that is known, or what the columns seem to be, column by column."""
    look = talk.look
    talk.say(text("start.file.seen", source=look.data.title, rows=look.data.records, columns=len(look.columns)))
    known = _known(talk)
    if known is not None:
        return _described_as(talk, known)
    decided = _each(talk)
    while not decided.quasi:
        if talk.asking.takes_all:
            raise UsageError("usage.no-quasi-said" if "schema" in talk.typed else "usage.no-quasi-proposed")
        talk.say(text("start.columns.no-quasi"), "yellow")
        decided = _each(talk)
    _summarise(talk, decided)
    return _described_as(talk, _with_person(talk, decided).to_tree())


def _described_as(talk: Conversation, schema: "str | Mapping[str, Any]") -> PublishRequest:
    """The request with this schema. Where a person has left no sensitive column, nothing can be asked of such."""
    from biombo._data import Schema

    request = with_schema(talk.request, schema)
    if request.l is None or talk.asking.takes_all or Schema.load(schema).sensitive:
        return request
    talk.say(text("start.columns.no-sensitive"), "yellow")
    return replace(request, l=None)


def _known(talk: Conversation) -> "str | dict[str, Any] | None":
    """The built-in schema that the table's columns are those of, if it is wanted: its name, or as much of it as the
    table has columns of."""
    from biombo._data import Schema

    if talk.look.known is None or _is_own(talk):
        return None
    name, schema = talk.look.known
    talk.say(text("start.columns.built-in", title=schema.source or name, name=name))
    _summarise(talk, schema)
    keys = {"y": text("start.key.as-it-is"), "c": text("start.key.each-column")}
    if talk.asking.key(Question(text("start.columns.built-in-question"), keys, "y", text("start.columns.help"))) == "c":
        return None
    whole = Schema.load(name)
    is_whole = all(column in schema.columns for role in ("quasi", "sensitive") for column in whole.with_role(role))
    return name if is_whole else schema.to_tree()


def _is_own(talk: Conversation) -> bool:
    """Did somebody say what the columns are, in a file or column by column?"""
    known = talk.look.known
    return talk.request.schema is not None and (known is None or talk.request.schema != known[0])


def _each(talk: Conversation) -> "Schema":
    """Ask for each column that nobody has decided on yet, in the order of what they seem to be; where all are decided,
    for all of them once more, as they were decided.
    """
    look = talk.look
    earlier = _in(look, talk.schema.columns) if _is_own(talk) else {}
    proposed = replace(look.proposed, columns={**look.proposed.columns, **earlier})
    decided = {} if len(earlier) == len(look.columns) else dict(earlier)
    waiting = [name for role in _ORDER for name in proposed.with_role(role) if name not in decided]
    rest, at = talk.asking.takes_all, 0
    while at < len(waiting):
        name = waiting[at]
        try:
            key = "" if rest else _asked(talk, name, proposed[name], len(look.columns) - len(waiting) + at + 1)
        except BackError:
            if at == 0:
                raise
            at -= 1
            decided.pop(waiting[at], None)
            continue
        rest = rest or key == _REST
        decided[name] = _as(talk, name, proposed[name], _KEYS.get(key))
        talk.keep(with_schema(talk.request, _schema_of(talk, {**earlier, **decided}).to_tree()))
        at += 1
    return _readable(_schema_of(talk, _in(look, decided)))


def _in(look: "Look", columns: "Mapping[str, ColumnSchema]") -> "dict[str, ColumnSchema]":
    """Those that the table has."""
    return {name: columns[name] for name in look.columns if name in columns}


def _schema_of(talk: Conversation, columns: "dict[str, ColumnSchema]") -> "Schema":
    """The columns as they were decided, with what else was said of them, as far as it still fits."""
    from biombo._data import Schema

    before = talk.schema if _is_own(talk) else Schema()
    decided = Schema(columns)
    known = {
        who: fitting
        for who, knows in before.adversaries.items()
        if (fitting := tuple(name for name in knows if decided[name].role == "quasi"))
    }
    labels = {who: label for who, label in before.adversary_labels.items() if who in known}
    person = before.person if before.person and decided[before.person].role == "identifier" else None
    return replace(before, columns=columns, adversaries=known, adversary_labels=labels, person=person)


def _readable(schema: "Schema") -> "Schema":
    """The schema without hierarchies that would be read off columns that are not released."""
    columns = dict(schema.columns)
    for name, about in schema.columns.items():
        entries = about.hierarchy if isinstance(about.hierarchy, Mapping) else {}
        read = entries.get("columns", ()) if entries.get("kind") == "columns" else ()
        if any(schema[other].role not in ("quasi", "other") for other in read):
            columns[name] = replace(about, hierarchy={"kind": "all-or-nothing"})
    return replace(schema, columns=columns)


def _asked(talk: Conversation, name: str, about: "ColumnSchema", place: int) -> str:
    talk.say("")
    talk.say(text("start.columns.place", place=place, columns=len(talk.look.columns), column=name), "bold")
    talk.say_pairs((text(f"start.columns.{key}"), told) for key, told in _described(talk, name, about))
    usual = next(key for key, role in _KEYS.items() if role == about.role)
    keys = {key: text(f"start.role.{role}") for key, role in _KEYS.items()} | {_REST: text("start.key.accept-rest")}
    return talk.asking.key(Question(text("start.columns.question"), keys, usual, text("start.columns.help")))


def _described(talk: Conversation, name: str, about: "ColumnSchema") -> Iterator[tuple[str, str]]:
    """What a person may want to know of a column, each under a heading."""
    look = talk.look
    examples, distinct = look.examples(name), look.inspection.profiles[name].distinct
    shown = ", ".join(shortened([value], 1) for value in examples)
    more = distinct > len(examples)
    yield "values", text("start.columns.many", values=shown, distinct=distinct) if more else shown
    yield (
        "proposed",
        text("start.columns.proposal", role=text(f"start.role.{about.role}"), reason=about.why(language())),
    )
    hierarchy = look.inspection.hierarchies.get(name)
    if about.role == "quasi" and hierarchy is not None and hierarchy.levels:
        yield "levels", " › ".join(hierarchy.levels)


def _as(talk: Conversation, name: str, about: "ColumnSchema", role: "Role | None") -> "ColumnSchema":
    """The column as it was decided, with the reason for that; whatever goes out as it is needs a written one."""
    role = about.role if role is None else role
    if role == about.role:
        return about
    seemed = talk.look.proposed[name]
    if role == seemed.role:
        return replace(about, role=role, reason=seemed.reason)
    reason = talk.words(text("start.columns.reason")) if role == "other" else text("start.columns.your-answer")
    return replace(about, role=role, reason=reason)


def _summarise(talk: Conversation, schema: "Schema") -> None:
    labels = schema.labels(language())
    for role in _ORDER[:-1]:
        named = [labels.get(name, name) for name in schema.with_role(role)]
        if named:
            listed = shortened(named, _NAMED)
            talk.say(text("start.columns.summary", role=text(f"start.role.{role}"), columns=listed))
    left_out = [name for name in talk.look.columns if schema[name].role == "undecided"]
    if left_out:
        talk.say(text("start.columns.undecided", count=len(left_out)), "dim")


def _with_person(talk: Conversation, schema: "Schema") -> "Schema":
    """Whether people are counted, where rows are not people."""
    person = schema.person or talk.look.proposed.person
    is_wanted = person is not None and talk.agreed(text("start.columns.person", column=person))
    return replace(schema, person=person if is_wanted else None)
