"""For the data-protection officer: kinds of disclosure, the law, what is guaranteed, and what risk is left."""

from collections.abc import Iterable, Iterator
from datetime import date

from biombo._criteria import SensitiveCriterion
from biombo._files import without_folders
from biombo._i18n import text
from biombo._report.blocks import Block, Bullets, Prose, Section, Table
from biombo._report.release.attacks import attacks_of, names_of, not_attacked
from biombo._report.release.facts import ReleaseFacts, WaivedFact
from biombo._report.release.version import Version, listed, sets_listed, words
from biombo._report.wording import certainty, displayed

_LONGEST_NOTE = 400
_LONGEST_SENTENCE = 1_000
_LONGEST_LIMITS = 300


def disclosure_section(facts: ReleaseFacts, version: Version) -> Section:
    """What each kind means, and how far it goes here."""
    here = {
        "identity": " ".join(_identity(facts, version)),
        "attribute": " ".join(_attribute(facts)),
        "inference": text("release_report.disclosure.inference-here"),
    }
    rows = [
        [text(f"release_report.disclosure.{kind}"), text(f"release_report.disclosure.{kind}-means"), sentence]
        for kind, sentence in here.items()
    ]
    title = text("release_report.disclosure.title")
    return Section("disclosure", title, (Table.of(title, [words("kind"), words("means"), words("here")], rows),))


def _identity(facts: ReleaseFacts, version: Version) -> Iterator[str]:
    for attack in attacks_of(facts):
        if not attack.guesses:
            yield text("release_report.disclosure.identity-here", after=certainty(attack.after.posterior))
    if facts.smallest_group is not None:
        words = "identity-group-sets" if facts.sets else "identity-group"
        yield text(f"release_report.disclosure.{words}", group=facts.smallest_group, sets=sets_listed(facts.sets))
    if facts.noised is not None:
        yield text("release_report.disclosure.identity-noise", columns=listed(facts.noised.columns))
        if version.private:
            told = {"alone": facts.noised.alone, "true": facts.noised.alone_and_true}
            yield text("release_report.disclosure.identity-alone", **told)
    if facts.after is None and facts.smallest_group is None:
        yield not_attacked(facts, version)


def _attribute(facts: ReleaseFacts) -> Iterator[str]:
    if not facts.sensitive:
        yield text("release_report.disclosure.attribute-none")
        return
    names = names_of(facts)
    for attack in attacks_of(facts):
        if attack.target is not None:
            shares = {"after": certainty(attack.after.posterior), "prior": certainty(attack.after.prior)}
            sensitive = names.columns[attack.target]
            yield text("release_report.disclosure.attribute-here", sensitive=sensitive, **shares)
    limits = [str(each) for each in facts.plan.criteria if isinstance(each, SensitiveCriterion)]
    if limits:
        yield text("release_report.disclosure.attribute-criteria", criteria=displayed("; ".join(limits), longest=300))
    else:
        yield text("release_report.disclosure.attribute-unlimited")
    if facts.waived:
        yield text("release_report.disclosure.attribute-waived", criteria=_waived_criteria(facts))


def law_section(facts: ReleaseFacts, version: Version) -> Section:
    """A row for each provision."""
    pseudonyms = facts.applied.pseudonymised
    ending = "pseudonyms" if pseudonyms else "here"
    told = {
        "lgpd-5": text("release_report.law.lgpd-5-here"),
        "lgpd-12": text(f"release_report.law.lgpd-12-{ending}"),
        "lgpd-13": text(f"release_report.law.lgpd-13-{ending}", columns=listed(pseudonyms)),
        "lgpd-38": text(f"release_report.law.lgpd-38-{'private' if version.private else 'public'}"),
        "lai-31": text(f"release_report.law.lai-31-{'here' if facts.noised is None else 'noise'}"),
    }
    rows = [[text(f"release_report.law.{key}"), sentence] for key, sentence in told.items()]
    title = text("release_report.law.title")
    table = Table.of(title, [words("provision"), words("here")], rows, text("release_report.law.note"))
    return Section("law", title, (table,))


def steps_section(facts: ReleaseFacts) -> Section:
    """The six steps by which the release was made: what was done to columns, the same for everybody."""
    rows = [
        [f"{each.number}. {each.title}", displayed(each.sentence, longest=_LONGEST_SENTENCE)] for each in facts.steps
    ]
    title = text("release_report.steps.title")
    about = Prose(text("release_report.steps.about"))
    return Section("steps", title, (about, Table.of(title, [words("step"), words("did")], rows)))


def _records(facts: ReleaseFacts) -> int:
    """Of the original."""
    applied = facts.applied
    return applied.rows + applied.suppressed + applied.not_drawn + applied.duplicates + applied.invalid


def _all(names: Iterable[str]) -> str:
    """Every name, however many there are: whoever answers for the release must see each of them once."""
    return ", ".join(map(displayed, names)) or "–"


def _further(facts: ReleaseFacts) -> str:
    """The released columns that are neither quasi nor sensitive, with what they are."""
    named = {*facts.quasi, *facts.sensitive}
    told = [f"{displayed(each.name)} ({each.role})" for each in facts.columns if each.name not in named]
    return ", ".join(told) or "–"


def impact_section(facts: ReleaseFacts) -> Section:
    """What article 38 asks for, as far as it is known. Private."""
    applied, decision = facts.applied, facts.decision
    controls = "; ".join(decision.controls) if decision else ""
    told = {
        "data": text(
            "release_report.impact.data-here",
            quasi=_all(facts.quasi),
            sensitive=_all(facts.sensitive),
            further=_further(facts),
            left_out=_all(facts.left_out),
            untouched=_all(facts.goes_out.untouched),
            records=_records(facts),
        ),
        "collection": text(
            "release_report.impact.collection-here",
            source=displayed(without_folders(applied.source), longest=_LONGEST_NOTE),
        ),
        "security": text(f"release_report.impact.security-{'here' if applied.shuffled else 'in-order'}"),
        "analysis": " ".join([text("release_report.impact.analysis-here"), *decided(facts), *waived(facts)]),
        "measures": text("release_report.impact.measures-here", hash=applied.plan_hash),
        "controls": text("release_report.impact.controls-here", controls=displayed(controls, longest=_LONGEST_NOTE))
        if controls
        else text("release_report.impact.no-controls"),
    }
    rows = [[text(f"release_report.impact.{key}"), sentence] for key, sentence in told.items()]
    title = text("release_report.impact.title")
    about = Prose(text("release_report.impact.about"))
    return Section("impact", title, (about, Table.of(title, [words("asked"), words("here")], rows)))


def residual_section(facts: ReleaseFacts, version: Version) -> Section:
    """The decision, the assumptions, the review, and in private what was done in each step."""
    return Section("residual", text("release_report.residual.title"), tuple(_blocks(facts, version)))


def review(facts: ReleaseFacts) -> str:
    """When to look at the risk again."""
    if facts.review is None:
        return text("release_report.opening.no-review")
    return text("release_report.opening.review", day=_day(facts.review))


def decided(facts: ReleaseFacts) -> tuple[str, ...]:
    """What was decided, for everybody."""
    if facts.decision is None:
        return (text("release_report.opening.not-decided"),)
    return tuple(displayed(sentence, longest=_LONGEST_SENTENCE) for sentence in facts.decision.outcome)


def protected(facts: ReleaseFacts) -> tuple[str, ...]:
    """That people are protected by noise alone, or not at all, where it is so."""
    if facts.goes_out.protection == "criteria":
        return ()
    reason = displayed(facts.goes_out.unprotected, longest=_LONGEST_SENTENCE) if facts.goes_out.unprotected else ""
    return (text(f"release_report.opening.{facts.goes_out.protection}", reason=reason),)


def accepted(facts: ReleaseFacts) -> tuple[str, ...]:
    """Columns that go out as they are by somebody's word, with the reason."""
    return tuple(
        text(
            "release_report.opening.accepted",
            column=displayed(column),
            reason=displayed(reason, longest=_LONGEST_SENTENCE),
        )
        for column, reason in facts.goes_out.accepted.items()
    )


def waived(facts: ReleaseFacts) -> tuple[str, ...]:
    """Criteria that were waived, with the reason; in private also by whom."""
    return tuple(map(_waived, facts.waived))


def _waived(fact: WaivedFact) -> str:
    criterion, reason = (displayed(each, longest=_LONGEST_SENTENCE) for each in (fact.criterion, fact.reason))
    if fact.detail is None:
        return text("release_report.opening.waived", criterion=criterion, reason=reason)
    who = displayed(fact.detail.accepted_by, longest=_LONGEST_NOTE)
    return text("release_report.opening.waived-by", criterion=criterion, reason=reason, who=who)


def _waived_criteria(facts: ReleaseFacts) -> str:
    return displayed("; ".join(each.criterion for each in facts.waived), longest=_LONGEST_LIMITS)


def _day(when: date) -> str:
    month = text(f"report.month.m{when.month}")
    return text("release_report.opening.day", day=when.day, month=month, year=when.year)


def _blocks(facts: ReleaseFacts, version: Version) -> Iterator[Block]:
    grounds = (*decided(facts), *_grounds(facts, version))
    outcome = (*protected(facts), *grounds, *accepted(facts), *waived(facts), review(facts))
    yield Bullets(text("release_report.opening.decision"), outcome)
    yield guarantees(facts)
    yield Bullets(text("release_report.residual.assumptions-title"), tuple(_assumptions(facts)))
    if version.private:
        if facts.goes_out.findings:
            yield Bullets(text("release_report.residual.findings-title"), facts.goes_out.findings)
        yield from _operations(facts)
        if facts.keys:
            reviews = tuple(_key_review(key_id, day) for key_id, day in facts.keys.items())
            yield Bullets(text("release_report.residual.keys-title"), reviews)
        yield from _steps(facts)


def _grounds(facts: ReleaseFacts, version: Version) -> Iterator[str]:
    if facts.decision is not None and version.private:
        yield from (displayed(sentence, longest=_LONGEST_SENTENCE) for sentence in facts.decision.grounds)


def _assumptions(facts: ReleaseFacts) -> Iterator[str]:
    noise = "" if facts.noised is None else "-noise"
    yield text(f"release_report.residual.assumption-known{noise}", columns=listed(facts.quasi))
    person = f"person{noise}" if facts.person is None else "persons"
    yield text(f"release_report.residual.assumption-{person}")
    if facts.noised is not None:
        yield text("release_report.residual.assumption-noise")
    yield text("release_report.residual.assumption-combine")
    yield text("release_report.residual.assumption-source")
    if facts.applied.shuffled:
        yield text("release_report.residual.assumption-random")


def _key_review(key_id: str, day: date | None) -> str:
    if day is None:
        return text("release_report.residual.key-no-review", key_id=key_id)
    return text("release_report.residual.key-review", key_id=key_id, day=_day(day))


def _operations(facts: ReleaseFacts) -> Iterator[Table]:
    if facts.operations:
        alike: dict[tuple[str, str], list[str]] = {}
        for each in facts.operations:
            alike.setdefault((each.done, each.leaks), []).extend(each.columns or facts.quasi)
        rows = [[listed(columns), done, leaks] for (done, leaks), columns in alike.items()]
        headings = [words("on"), words("operation"), words("leaks")]
        yield Table.of(text("release_report.residual.leaks-title"), headings, rows)


def _steps(facts: ReleaseFacts) -> Iterator[Table]:
    if facts.decision is not None:
        rows = [
            [each.title, each.status, displayed(each.sentence, longest=_LONGEST_SENTENCE)]
            for each in facts.decision.steps
        ]
        headings = [words("step"), words("status"), words("did")]
        title = text("release_report.residual.steps-title")
        yield Table.of(title, headings, rows, text("release_report.residual.steps"))


def guarantees(facts: ReleaseFacts) -> Table:
    """A row for each promise; what is not promised comes last."""
    title = text("release_report.guarantee.title")
    headings = [words("whom"), words("promise"), words("condition")]
    return Table.of(title, headings, list(_promises(facts)))


def _promises(facts: ReleaseFacts) -> Iterator[list[str]]:
    if facts.smallest_group is not None:
        yield _promise("people", "people-group", "knows-set" if facts.sets else "knows", facts)
    limits = [str(each) for each in facts.plan.criteria if isinstance(each, SensitiveCriterion)]
    if limits:
        promise = text(
            "release_report.guarantee.people-limits", limits=displayed("; ".join(limits), longest=_LONGEST_LIMITS)
        )
        yield [text("release_report.guarantee.people"), promise, text("release_report.guarantee.knows")]
    yield _promise("recipients", "recipients-checked", "key", facts)
    if facts.waived:
        not_promised = text("release_report.guarantee.nobody-waived", limits=_waived_criteria(facts))
        yield [text("release_report.guarantee.nobody"), not_promised, text("release_report.guarantee.none")]
    yield _promise("nobody", "nobody-more", "none", facts)


def _promise(whom: str, promise: str, condition: str, facts: ReleaseFacts) -> list[str]:
    promised = text(f"release_report.guarantee.{promise}", group=facts.smallest_group or 0)
    on = text(f"release_report.guarantee.{condition}", sets=sets_listed(facts.sets))
    return [text(f"release_report.guarantee.{whom}"), promised, on]
