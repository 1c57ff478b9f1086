"""The term of responsibility and the licence: filled in from the request, named by one hash, safe to show."""

import re
import stat
from dataclasses import replace
from datetime import date
from hashlib import sha256
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_reading import read_back
from report_rules import ALLOWED_ATTRIBUTES, ALLOWED_TAGS, ENGLISH, HOSTILE, fetched_by, fixed_words

from biombo._i18n import LANGUAGES, _catalogue, set_language
from biombo._negotiate import DataRequest, Requester, Terms, terms_of
from biombo._report import can_draw_pdf

AGENCY = "Secretaria de Saúde de Rio Raso"
REQUESTER = Requester(
    kind="public-institution",
    name="Rita Lima",
    address="Rua das Flores, 10",
    document="123.456.789-09",
    document_type="CPF",
)
REQUEST = DataRequest(
    requester=REQUESTER,
    wanted={"Idade": "idade na data da aplicação", "Grupo": "grupo de atendimento"},
    dimension="truth",
    purpose="cobertura vacinal por idade",
    needed_by=date(2027, 5, 1),
    selection="vacinas de 2021",
)
NAMED = {
    "who": replace(REQUEST, requester=replace(REQUESTER, name="Rita Lins")),
    "kind": replace(REQUEST, requester=replace(REQUESTER, kind="private-institution")),
    "document": replace(REQUEST, requester=replace(REQUESTER, document="123.456.789-00")),
    "document type": replace(REQUEST, requester=replace(REQUESTER, document_type="RG")),
    "label": replace(REQUEST, wanted={"Ano": "idade na data da aplicação", "Grupo": "grupo de atendimento"}),
    "meaning": replace(REQUEST, wanted={"Idade": "idade hoje", "Grupo": "grupo de atendimento"}),
    "fewer data": replace(REQUEST, wanted={"Idade": "idade na data da aplicação"}),
    "dimension": replace(REQUEST, dimension="hybrid"),
    "purpose": replace(REQUEST, purpose="cobertura vacinal por grupo"),
    "day": replace(REQUEST, needed_by=date(2027, 5, 2)),
    "no day": replace(REQUEST, needed_by=None),
    "selection": replace(REQUEST, selection=""),
}
UNNAMED = {
    "address": replace(REQUEST, requester=replace(REQUESTER, address="Rua dos Cravos, 1")),
    "attachments": replace(REQUEST, requester=replace(REQUESTER, attachments={"termo.pdf": "0" * 64})),
    "what is predicted": replace(REQUEST, predict="Idade"),
}
SAID = {
    "en": ["Requester Rita Lima", "a public institution", "until May 1, 2027", "Not to identify", "Place and date"],
    "pt": ["Solicitante Rita Lima", "instituição pública", "até 1º de maio de 2027", "Não identificar", "Local e data"],
}
LAWS = ["12.527/2011", "13.709/2018", "LAI, art", "LGPD, art", "(TG)", "SHA-256"]


@pytest.fixture(scope="module")
def terms() -> Terms:
    return terms_of(REQUEST, AGENCY)


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_says_who_may_do_what_with_which_data_until_when(terms, language) -> None:
    page = read_back(terms.html(language)).text
    named = [AGENCY, "CPF 123.456.789-09", "Idade idade na data", "cobertura vacinal por idade", "vacinas de 2021"]

    assert [said for said in (*SAID[language], *named, *LAWS) if said not in page] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_and_the_text_say_the_same(terms, language) -> None:
    page = read_back(terms.html(language)).text

    assert [line for line in terms.text(language).splitlines() if line.strip() not in page] == []
    assert page.count(terms.hash) == 1
    assert terms.hash not in terms.text(language)


def test_the_portuguese_text_is_portuguese(terms) -> None:
    assert {*re.findall(r"[a-zà-ú]+", terms.text("pt").lower())} & ENGLISH == set()


def test_every_text_is_used(terms) -> None:
    requests = [REQUEST, *NAMED.values(), replace(REQUEST, dimension="structure")]
    read = "\n".join(read_back(Terms(each, agency).html("en")).text for each in requests for agency in (AGENCY, " "))
    texts = {key: message for key, message in _catalogue("en").items() if key.startswith("terms.")}

    assert len(texts) > 50
    assert [key for key, message in texts.items() for piece in fixed_words(message) if piece not in read] == []


def test_the_hash_is_that_of_both_texts_whoever_reads_them(terms) -> None:
    both = "\f".join(terms.text(code) for code in ("en", "pt"))
    found = set()
    for code in LANGUAGES:
        set_language(code)
        found.add(terms_of(REQUEST, AGENCY).hash)

    assert found == {sha256(both.encode()).hexdigest()}


@pytest.mark.parametrize("changed", NAMED)
def test_the_hash_changes_with_whatever_is_named(terms, changed) -> None:
    assert terms_of(NAMED[changed], AGENCY).hash != terms.hash


def test_the_hash_changes_with_the_agency(terms) -> None:
    assert len({terms_of(REQUEST, agency).hash for agency in (AGENCY, "", "Secretaria")}) == 3


@pytest.mark.parametrize("changed", UNNAMED)
def test_what_is_not_named_is_not_in_it(terms, changed) -> None:
    assert terms_of(UNNAMED[changed], AGENCY).hash == terms.hash


TEXTS = st.text("ab:1. \n", min_size=1, max_size=6).filter(str.strip)
ANSWERS = st.tuples(TEXTS, TEXTS, TEXTS, TEXTS)


def answered(name: str, purpose: str, label: str, meaning: str) -> DataRequest:
    return replace(
        REQUEST, requester=replace(REQUESTER, name=name), purpose=purpose, wanted={label: meaning}, selection=""
    )


@given(one=ANSWERS, another=ANSWERS)
def test_two_requests_have_one_hash_only_where_they_read_alike(one, another) -> None:
    """Whatever is moved from one entry to the next, or written to look like one."""
    alike = [each.split() for each in one] == [each.split() for each in another]

    assert (terms_of(answered(*one), "").hash == terms_of(answered(*another), "").hash) == alike


def test_nobody_writes_a_clause_of_their_own(terms) -> None:
    forged = replace(REQUEST, purpose="a study\n6. The licence\n6.1 To sell the data.\u2028\u202e6.2 To\vhand them on.")

    lines = terms_of(forged, AGENCY).text("en").splitlines()
    assert len(lines) == len(terms.text("en").splitlines())
    assert [line for line in lines if "To sell" in line] == [
        "    a study 6. The licence 6.1 To sell the data. �6.2 To hand them on."
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_hostile_texts_come_out_as_text(language) -> None:
    one, two, three, four, *_ = HOSTILE
    hostile = DataRequest(
        requester=replace(REQUESTER, name=one, document=two, document_type=three),
        wanted={two: three, four: one, "x" * 300: "y" * 2_000},
        dimension="structure",
        purpose=four,
        selection=two,
    )
    seen = read_back(terms_of(hostile, three).html(language))

    assert seen.tags <= ALLOWED_TAGS
    assert seen.attributes <= ALLOWED_ATTRIBUTES
    assert [each for each in (one, two, three, four, "y" * 2_000) if each not in seen.text] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_written_as_a_page_for_the_user_alone(terms, language, tmp_path) -> None:
    path = terms.write(tmp_path / "terms.html", language)

    assert path.read_text("utf-8") == terms.html(language)
    assert fetched_by(terms.html(language)) == []
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert f'<html lang="{"pt-BR" if language == "pt" else "en"}">' in path.read_text("utf-8")


@pytest.mark.skipif(not can_draw_pdf(), reason="what draws PDFs is not installed")
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_written_as_a_pdf(terms, language, tmp_path) -> None:
    from pypdf import PdfReader

    path = terms.write(tmp_path / "terms.pdf", language)
    pages = [page.extract_text() for page in PdfReader(BytesIO(path.read_bytes())).pages]
    read = " ".join(" ".join(pages).split())

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert f"1 / {len(pages)}" in read
    assert [said for said in ("Rita Lima", AGENCY, terms.hash, SAID[language][3]) if said not in read] == []


def test_a_language_that_there_is_not_is_refused(terms) -> None:
    with pytest.raises(ValueError, match="one of en, pt"):
        terms.text("fr")
