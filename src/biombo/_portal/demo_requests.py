"""Requests of the made-up agency in several states, each led there by negotiating."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from biombo._data import Schema
from biombo._hierarchy import Hierarchy
from biombo._negotiate import (
    Accept,
    AcceptTerms,
    CarryOut,
    DataRequest,
    MakeAvailable,
    Negotiation,
    Prepare,
    Reject,
    Requester,
    Review,
    SendMetrics,
    Vote,
    Waive,
    WriteReport,
    plain_fact,
)
from biombo._plan import Generalise
from biombo._portal.models import Case, Job, Person
from biombo._portal.negotiations import actor_of, note, opened, put_on_record
from biombo._portal.schemas import schema_of
from biombo._portal.unlisted import ask_agency
from biombo._portal.work import WORK

_RITA, _CAIO = "pesquisadora@demo.example", "pesquisador@demo.example"
_ANA, _CELIA = "gestora@demo.example", "comite@demo.example"
_MODEL = {
    "harm": "medium",
    "motivation": "low",
    "controls": "high",
    "acquaintances": 100,
    "prevalence": 0.0001,
    "breach": 0.02,
}
_K = 7
_HARMLESS = "Os valores sem diversidade são faixas de idade, que o grupo já diz; o termo foi assinado."
_NO = "O período pedido ainda não foi consolidado; os dados saem no catálogo em três meses."

Made = Callable[[Negotiation], Any]
"""An act, made from the negotiation as it is then."""


@dataclass(frozen=True)
class _Story:
    """Who asks for what, and who does what about it, one after the other."""

    email: str
    purpose: str
    labels: tuple[str, ...]
    acts: tuple[tuple[str, Made], ...] = ()


def make_requests(data_set: Any, columns: dict[str, str], why: str) -> None:
    """Requests for ``data_set``, whose labels are called ``columns`` there; ``why`` its sensitive values may go out."""
    for story in _stories(schema_of(data_set), columns, why):
        case = _begun(story, data_set)
        talk = opened(case)
        for email, made in story.acts:
            person, act = Person.objects.get(email=email), made(talk)
            talk.act(actor_of(person), act)
            put_on_record(case, person, plain_fact(act))
        note(case, talk.record)
    caio = Person.objects.get(email=_CAIO)
    ask_agency(caio, _asked(caio, "filas para cirurgias em 2025", ("Data do pedido", "Data da cirurgia")).to_tree())


def _asked(person: Person, purpose: str, labels: tuple[str, ...], **more: Any) -> DataRequest:
    return DataRequest(
        requester=Requester(
            kind="public-institution",
            name=person.name,
            address="São Luís",
            document=f"{person.pk:03}.456.789-09",
            document_type="CPF",
        ),
        wanted={label: f"{label} de cada pessoa" for label in labels},
        dimension="truth",
        purpose=purpose,
        **more,
    )


def _begun(story: _Story, data_set: Any) -> Case:
    person = Person.objects.get(email=story.email)
    request = _asked(person, story.purpose, story.labels, predict="Grupo")
    case: Case = Case.objects.create(data_set=data_set, requester=person, asked=request.to_tree())
    job = Job.objects.create(kind="begin", case=case, person=person)
    WORK["begin"](job)
    Job.objects.filter(pk=job.pk).update(status=Job.DONE)
    case.refresh_from_db()
    return case


def _stories(schema: Schema, columns: dict[str, str], why: str) -> tuple[_Story, ...]:
    """One that waits for the requester, one that is new, one in its second round, and others near their end."""

    def prepared(talk: Negotiation) -> Any:
        wanted = {label: columns[label] for label in talk.state.request.wanted}
        kept = {
            name: each for name, each in schema.columns.items() if name in wanted.values() or each.role == "identifier"
        }
        return Prepare(wanted, Schema(kept).to_tree(), _MODEL, k=_K)

    def accepted(level: int, suppressed: float = 0.0) -> Made:
        def made(talk: Negotiation) -> Any:
            told = {name: schema[name].hierarchy for name in _quasi(talk)}
            chosen = [Generalise(name, Hierarchy.told(tree), level) for name, tree in told.items() if tree]
            return Accept(tuple(chosen), max_suppression=suppressed)

        return made

    useful = (
        (_ANA, prepared),
        (_RITA, accepted(2, 0.02)),
        (_ANA, lambda _: CarryOut()),
        (_ANA, _waived),
        (_ANA, lambda _: SendMetrics()),
    )
    agreed = (
        *useful,
        (_RITA, lambda _: Review(accepted=True)),
        (_RITA, lambda talk: AcceptTerms(talk.record.terms.hash)),
        (_ANA, lambda _: WriteReport(department="Vigilância", accept={columns["Grupo"]: why})),
    )
    rounds = ((_ANA, prepared), (_CAIO, accepted(1)), (_ANA, lambda _: CarryOut()), (_CAIO, accepted(2)))
    voted = (_CELIA, lambda _: Vote(approve=True, reason="O que sai foi acordado e medido."))
    few = ("Idade", "Sexo", "Grupo")
    return (
        _Story(_RITA, "cobertura vacinal por idade e lugar", tuple(columns), ((_ANA, prepared),)),
        _Story(_CAIO, "intervalo entre as doses por grupo", tuple(columns)),
        _Story(_CAIO, "cobertura por bairro", ("Idade", "Sexo", "CEP", "Grupo"), rounds),
        _Story(_RITA, "quem foi vacinado em cada faixa etária", few, useful),
        _Story(_RITA, "grupos de atendimento por idade", few, agreed),
        _Story(_RITA, "vacinação de homens e mulheres", few, (*agreed, voted, (_ANA, lambda _: MakeAvailable()))),
        _Story(_CAIO, "vacinação no último mês", few, ((_ANA, lambda _: Reject(_NO)),)),
    )


def _waived(talk: Negotiation) -> Waive:
    """Groups of one value are of people called by their age, which is no secret."""
    ana = actor_of(Person.objects.get(email=_ANA))
    values = {name: dict.fromkeys(found, "low") for name, found in talk.values_below(ana, 2).items()}
    return Waive(l=2, values=values, reason=_HARMLESS)


def _quasi(talk: Negotiation) -> tuple[str, ...]:
    preparation = talk.state.preparation
    return () if preparation is None else preparation.declared.quasi
