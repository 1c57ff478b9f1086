"""The term of responsibility and the licence that a requester accepts, filled in from the request.

A model text: have it checked by your legal department.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path

from biombo._i18n import LANGUAGES, Language, speaking, text
from biombo._i18n import language as language_in_use
from biombo._negotiate.request import DataRequest
from biombo._report import Clause, PlainDocument, render_document, software_version, write_document

_LAW = ("lai-31", "lgpd-12", "lgpd-13")
_DUTIES = (
    "purpose",
    "identify",
    "link",
    "recognised",
    "share",
    "keep",
    "small-groups",
    "breach",
    "cite",
    "destroy",
)
_MAY = ("analyse", "publish", "method")
_MAY_NOT = ("redistribute", "decide", "undo", "other")
_CONSEQUENCES = ("revoke", "damage", "crime", "false")
_VALIDITY = ("begin", "last", "change", "hash")


@dataclass(frozen=True)
class Terms:
    """What a requester accepts before data are handed over. It names a person: for requester and agency alone."""

    request: DataRequest
    agency: str

    @cached_property
    def hash(self) -> str:
        """By what an acceptance names it: the SHA-256 of its text in all languages, whoever reads it in which."""
        texts = "\f".join(self.text(code) for code in LANGUAGES)
        return hashlib.sha256(texts.encode()).hexdigest()

    def text(self, language: Language | None = None) -> str:
        """The text, by default in the language in use."""
        with speaking(language or language_in_use()):
            return _document(self.request, self.agency).text()

    def html(self, language: Language | None = None) -> str:
        """The text as one HTML page, with its hash and places to sign."""
        with speaking(language or language_in_use()):
            return render_document(
                _document(self.request, self.agency),
                mark=text("terms.mark", hash=self.hash),
                footer=text("terms.footer", version=software_version()),
            )

    def write(self, path: str | Path, language: Language | None = None) -> Path:
        """Write :meth:`html`'s page for the user alone; as a PDF where it is called so. Gives the path."""
        return write_document(path, self.html(language))


def terms_of(request: DataRequest, agency: str) -> Terms:
    """The terms that whoever made ``request`` has to accept towards ``agency``.

    >>> from biombo._negotiate.request import Requester
    >>> request = DataRequest(
    ...     requester=Requester(
    ...         kind="public-institution",
    ...         name="Rita Lima",
    ...         address="São Luís",
    ...         document="000.000.000-00",
    ...         document_type="CPF",
    ...     ),
    ...     wanted={"Idade": "idade na data da aplicação"},
    ...     dimension="truth",
    ...     purpose="cobertura vacinal por idade",
    ... )
    >>> terms = terms_of(request, "Secretaria Municipal de Saúde")
    >>> terms.text("pt").splitlines()[1], len(terms.hash)
    ('Termo de responsabilidade e licença de uso de dados', 64)
    """
    return Terms(request, agency)


def _document(request: DataRequest, agency: str) -> PlainDocument:
    """All of it in the language in use."""
    return PlainDocument(
        kicker=_called(agency),
        title=text("terms.title"),
        notice=text("terms.notice"),
        clauses=tuple(_clauses(request, agency)),
        signatures=(
            (text("terms.signature.place"), ""),
            (text("terms.signature.requester"), f"{request.requester.name}, {_identified(request)}"),
            (text("terms.signature.agency"), ""),
        ),
    )


def _clauses(request: DataRequest, agency: str) -> Iterator[Clause]:
    yield Clause(_title("parties"), (text("terms.about.parties"),), tuple(_parties(request, agency)))
    yield Clause(_title("data"), (text("terms.about.treated"), text("terms.about.data")), tuple(request.wanted.items()))
    yield Clause(_title("purpose"), entries=tuple(_purpose(request)))
    yield Clause(_title("law"), _sentences("law", _LAW))
    yield _numbered("duty", _DUTIES)
    yield _numbered("may", _MAY)
    yield _numbered("may-not", _MAY_NOT)
    yield Clause(_title("consequence"), items=_sentences("consequence", _CONSEQUENCES))
    yield Clause(_title("validity"), items=_sentences("validity", _VALIDITY))


def _numbered(name: str, keys: tuple[str, ...]) -> Clause:
    return Clause(_title(name), (text(f"terms.about.{name}"),), items=_sentences(name, keys))


def _title(name: str) -> str:
    return text(f"terms.clause.{name}")


def _sentences(part: str, keys: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(text(f"terms.{part}.{key}") for key in keys)


def _called(agency: str) -> str:
    return agency if agency.strip() else text("terms.unnamed-agency")


def _identified(request: DataRequest) -> str:
    return f"{request.requester.document_type} {request.requester.document}"


def _parties(request: DataRequest, agency: str) -> Iterator[tuple[str, str]]:
    yield text("terms.party.agency"), _called(agency)
    yield text("terms.party.requester"), request.requester.name
    yield text("terms.party.kind"), text(f"terms.party.{request.requester.kind}")
    yield text("terms.party.document"), _identified(request)


def _purpose(request: DataRequest) -> Iterator[tuple[str, str]]:
    yield text("terms.purpose.purpose"), request.purpose
    if request.selection:
        yield text("terms.purpose.selection"), request.selection
    yield text("terms.purpose.until"), _until(request.needed_by)
    yield text("terms.purpose.dimension"), text(f"terms.dimension.{request.dimension}")


def _until(day: date | None) -> str:
    if day is None:
        return text("terms.purpose.until-done")
    month = text(f"report.month.m{day.month}")
    return text("terms.purpose.until-day", day=day.day, month=month, year=day.year)
