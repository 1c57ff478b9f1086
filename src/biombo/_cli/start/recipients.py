"""Who could know what of the people in the table, and who will have it."""

from dataclasses import replace
from datetime import date
from typing import Any

from biombo._cli.start.asking import Question
from biombo._cli.start.conversation import Conversation
from biombo._cli.typed import day_of, names, needed, number_of
from biombo._errors import UsageError
from biombo._guide import UNSAID
from biombo._i18n import integer, language, text
from biombo._requests import CONDITIONS, PublishRequest, register_address


def people(talk: Conversation) -> PublishRequest:
    """Who there is to protect from; measured on the table as it is."""
    from biombo._data import proposed_adversaries

    schema = talk.schema
    if not schema.adversaries:
        schema = replace(schema, adversaries=proposed_adversaries(schema))
    while True:
        _exposed(talk, schema)
        keys = {"y": text("start.key.go-on"), "a": text("start.people.add")}
        if talk.asking.key(Question(text("start.people.question"), keys, "y", text("start.people.help"))) == "y":
            break
        schema = _with_another(talk, schema)
    unchanged = schema.adversaries == talk.schema.adversaries
    return talk.request if unchanged else replace(talk.request, schema=schema.to_tree())


def _exposed(talk: Conversation, schema: Any) -> None:
    from biombo._attack import adversary_name
    from biombo._guide import exposures

    called = schema.adversaries_called(language())
    for found in exposures(talk.look.described(schema)):
        who = (
            text("start.people.everything")
            if found.adversary is None
            else (called.get(found.adversary) or adversary_name(found.adversary))
        )
        columns = ", ".join(talk.label(column) for column in found.columns)
        line = text("start.people.line", adversary=who, columns=columns, unique=found.unique)
        talk.say(f"• {line}", indent=2)


def _with_another(talk: Conversation, schema: Any) -> Any:
    who = talk.asking.line(text("start.people.name"))
    try:
        known = names(talk.asking.line(text("start.people.columns", columns=", ".join(schema.quasi)))) or []
    except UsageError as error:
        talk.say(str(error), "yellow")
        return schema
    for column in known:
        if column not in schema.quasi:
            talk.say(text("start.people.unknown", column=column), "yellow")
            return schema
    return replace(schema, adversaries={**schema.adversaries, who: tuple(known)}) if who else schema


def recipients(talk: Conversation) -> PublishRequest:
    """Anybody, or known people on conditions; the harm, from which the risk follows that is accepted. What was said
    already is not asked; or else it is what is proposed.
    """
    asked = _for_whom(talk)
    asked = replace(asked, harm=_level(talk, "harm", ("low", "medium", "high")))
    if asked.release_model == "controlled":
        asked = replace(asked, **_conditions(talk))
    return asked if register_address(asked.register) is None else replace(asked, **_on_record(talk, asked))


def _for_whom(talk: Conversation) -> PublishRequest:
    """Who will have the data. Whoever answers that it is anybody takes back what was said of conditions."""
    request = talk.request
    if talk.said("release_model"):
        return request
    conditions = any(getattr(request, name) not in UNSAID for name in CONDITIONS)
    proposed = request.release_model or ("controlled" if conditions else "public")
    keys = {"p": text("start.recipients.public"), "c": text("start.recipients.controlled")}
    question = Question(text("start.recipients.question"), keys, proposed[0])
    if talk.asking.key(question) == "c":
        return replace(request, release_model="controlled")
    without: dict[str, Any] = dict.fromkeys(CONDITIONS)
    return replace(request, release_model="public", **without)


def _level(talk: Conversation, entry: str, levels: tuple[str, ...]) -> Any:
    """One of several levels."""
    if (said := talk.said(entry)) is not None:
        return said
    choices = [text(f"start.recipients.{level}") for level in levels]
    helped = text("start.recipients.help") if entry == "harm" else ""
    proposed = levels.index(getattr(talk.request, entry) or "medium")
    return levels[talk.one_of(text(f"start.recipients.{entry}"), choices, proposed, helped)]


def _conditions(talk: Conversation) -> dict[str, Any]:
    return {
        "motivation": _level(talk, "motivation", ("low", "medium", "high")),
        "controls": _level(talk, "controls", ("none", "low", "medium", "high")),
        "acquaintances": _number(talk, "acquaintances", 150, whole=True),
        "prevalence": _number(talk, "prevalence", 0.01),
        "breach": _number(talk, "breach", 0.02),
    }


def _number(talk: Conversation, entry: str, usual: float, *, whole: bool = False) -> Any:
    """A number that can be: how many, or a share."""
    from biombo._criteria import shown

    if (said := talk.said(entry)) is not None:
        return said
    before = getattr(talk.request, entry)
    proposed = usual if before is None else before
    offered = integer(int(proposed)) if whole else shown(proposed)

    def read(typed: str) -> float:
        return proposed if typed == offered else _that_can_be(talk, entry, typed, whole=whole)

    return talk.line(text(f"start.recipients.{entry}"), read, offered)


def _that_can_be(talk: Conversation, entry: str, typed: str, *, whole: bool) -> float:
    """The number that was typed. Raises where a request cannot have it."""
    found = number_of(typed, whole=whole)
    if not (found.is_integer() and found >= 0 if whole else 0 <= found <= 1):
        raise UsageError("usage.no-count" if whole else "usage.no-share", typed=typed)
    answer: dict[str, Any] = {entry: int(found) if whole else found}
    replace(talk.request, **answer)
    return answer[entry]  # type: ignore[no-any-return]


def _on_record(talk: Conversation, asked: PublishRequest) -> dict[str, Any]:
    """What the register needs to know besides."""
    known = {"department": talk.said("department") or _department(talk), "review": talk.said("review") or _review(talk)}
    if asked.release_model == "public":
        return known
    return known | {"recipient": talk.said("recipient") or _recipient(talk)}


def _department(talk: Conversation) -> str | None:
    def read(typed: str) -> str | None:
        return replace(talk.request, department=needed(typed)).department

    return talk.line(text("start.recipients.department"), read, talk.request.department or "")


def _review(talk: Conversation) -> date:
    in_a_year = date.today().replace(year=date.today().year + 1, day=1)
    proposed = str(talk.request.review or in_a_year)
    return talk.line(text("start.recipients.review"), lambda typed: day_of("--review", typed), proposed)


def _recipient(talk: Conversation) -> tuple[str, ...]:
    """Those who were named before, or one who is named now."""
    before = talk.request.recipient

    def read(typed: str) -> tuple[str, ...]:
        return before if needed(typed) == ", ".join(before) else replace(talk.request, recipient=(typed,)).recipient

    return talk.line(text("start.recipients.to"), read, ", ".join(before))
