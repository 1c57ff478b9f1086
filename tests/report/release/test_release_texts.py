"""What the reports of a release say, section by section, in both languages, as a page and as a PDF."""

import random
import re
from datetime import date
from io import BytesIO

import polars as pl
import pytest
from report_reading import read_back
from report_rules import english_in

import biombo as bb
from biombo._i18n import LANGUAGES, set_language
from biombo._report import as_pdf, can_draw_pdf

ROWS = 2_400
PLAN = bb.Plan(
    [bb.Generalise("idade", bb.Hierarchy.by_interval(5), 1), bb.SuppressGroups()],
    [bb.KAnonymity(10), bb.LDiversity(2)],
    quasi=["idade", "cidade"],
    sensitive=["vacina"],
    identifiers=["nome"],
    max_suppression=0.2,
)
MODEL = bb.ControlledRelease(
    harm="medium",
    controls_counted=True,
    insider=bb.DeliberateInsider("medium", "high"),
    recognition=bb.InadvertentRecognition(acquaintances=150, prevalence=0.0001),
    breach=bb.DataBreach(0.02),
    controls=("revocable-access",),
    measures=("contrato",),
)
EVERYWHERE = {
    "en": {
        "director": [
            "For the director: in one page",
            "records, 4 columns; by what others may know",
            "groups of at least",
        ],
        "before and after": ["The right record is found in", "cases in the original", "vacina is guessed right in"],
        "decision": ["Controlled release: known recipients", "Accepted: the risk does not exceed", "by May 3, 2027"],
        "risk": [
            "Risk before and after",
            "Two attacks were carried out",
            "Picking a person's record",
            "Guessing vacina",
        ],
        "disclosure": [
            "The three kinds of disclosure",
            "Identity",
            "Attribute",
            "Inference",
            "What limits it: distinct l-diversity",
        ],
        "LGPD 5": ["LGPD, art. 5", "cannot be identified by reasonable technical means"],
        "LGPD 12": [
            "LGPD, art. 12",
            "Anonymised data are not personal data, unless",
            "trace ids to original records is sealed",
        ],
        "LGPD 13": ["LGPD, art. 13", "For health research", "This release has no pseudonyms"],
        "LGPD 38": ["LGPD, art. 38", "may ask for an impact report (RIPD)"],
        "LAI 31": ["LAI, art. 31", "up to 100 years", "(§ 3, II)"],
        "guarantees": ["What is guaranteed, and to whom", "Everybody in the data", "Whoever uses the data", "Nobody"],
        "assumptions": ["What this rests on", "An adversary knows nothing but the quasi columns (idade, cidade)"],
        "more assumptions": ["Every person is one record", "No other release about the same people"],
        "residual": ["What risk is left", "Look at the risk again by May 3, 2027"],
        "columns": ["How to read the columns", "(level 1 of", "An empty field is a missing value"],
        "lost": ["What was lost", "precision", "granularity"],
        "proof": [
            "What holds, and how to check it",
            "k-anonymity with k = 10",
            "biombo verify FOLDER --key PUBLIC-KEY",
        ],
    },
    "pt": {
        "director": ["Para a direção: em uma página", "registros, 4 colunas; pelo que outros podem saber", "ou mais."],
        "before and after": [
            "No original acha-se o registro em",
            "casos; agora, em",
            "No original acerta-se vacina em",
        ],
        "decision": ["Divulgação controlada: destinatários", "Aceito: o risco não ultrapassa", "até 3 de maio de 2027"],
        "risk": [
            "O risco antes e depois",
            "Dois ataques foram feitos",
            "Encontrar o registro de uma pessoa",
            "Adivinhar vacina",
        ],
        "disclosure": [
            "Os três tipos de revelação",
            "Identidade",
            "Atributo",
            "Inferência",
            "O que o limita: l-diversidade",
        ],
        "LGPD 5": ["LGPD, art. 5º", "não pode ser identificado por meios técnicos razoáveis"],
        "LGPD 12": [
            "LGPD, art. 12",
            "Dados anonimizados não são dados pessoais, salvo",
            "registros originais está cifrado",
        ],
        "LGPD 13": ["LGPD, art. 13", "Em estudos de saúde pública", "Esta publicação não tem pseudônimos"],
        "LGPD 38": ["LGPD, art. 38", "pode pedir um relatório de impacto (RIPD)"],
        "LAI 31": ["LAI, art. 31", "por até 100 anos", "(§ 3º, II)"],
        "guarantees": ["O que se garante, e a quem", "A quem está nos dados", "A quem usa os dados", "A ninguém"],
        "assumptions": [
            "Pressupostos",
            "O adversário conhece apenas as colunas quase-identificadoras (idade, cidade)",
        ],
        "more assumptions": ["Cada pessoa é um registro", "Nenhuma outra publicação sobre as mesmas pessoas"],
        "residual": ["O risco que resta", "Reveja o risco até 3 de maio de 2027"],
        "columns": ["Como ler as colunas", "(nível 1 de", "Um campo vazio é um valor ausente"],
        "lost": ["O que se perdeu", "precisão", "granularidade"],
        "proof": [
            "O que se afirma e como conferir",
            "k-anonimato com k = 10",
            "biombo verify PASTA --key CHAVE-PÚBLICA",
        ],
    },
}
PRIVATE_ONLY = {
    "en": {
        "notice": ["Private. This report has exact numbers"],
        "impact report": [
            "For the impact report (RIPD)",
            "Types of data",
            "How they were collected",
            "How they are kept safe",
        ],
        "of the impact report": [
            "Risks",
            "Measures and safeguards",
            "Not released: nome",
            "revocable access",
            "contrato",
        ],
        "decision": ["Controlled release: P(attempt) =", "P(re-identification) = 1/", "medium potential harm is 0.1"],
        "operations": ["What each operation still tells", "Records of groups that were too small were left out"],
        "steps": ["The ten steps of an anonymisation", "1. Choose the release model", "10. Document the process"],
        "completeness": ["completeness (records that stay)"],
        "utility": ["Distance of each column's values", "What pairs of columns had in common, and lost"],
        "records": ["Original table: the Polars table", "of the suppressed, because they could not be hidden"],
    },
    "pt": {
        "notice": ["Uso interno: não publicar. Este relatório traz números exatos"],
        "impact report": [
            "Para o relatório de impacto (RIPD)",
            "Tipos de dados",
            "Como foram coletados",
            "Como são protegidos",
        ],
        "of the impact report": [
            "Riscos",
            "Medidas e salvaguardas",
            "Não publicadas: nome",
            "acesso revogável",
            "contrato",
        ],
        "decision": ["Divulgação controlada: P(tentativa) =", "P(reidentificação) = 1/", "dano potencial médio é 0,1"],
        "operations": ["O que cada operação ainda revela", "Registros de grupos pequenos demais"],
        "steps": [
            "Os dez passos de uma anonimização",
            "1. Escolher o modelo de divulgação",
            "10. Documentar o processo",
        ],
        "completeness": ["completude (registros que ficam)"],
        "utility": ["Distância entre os valores de cada coluna", "O que pares de colunas tinham em comum e perderam"],
        "records": ["Tabela original: tabela Polars", "por não poderem ser escondidos como um só grupo"],
    },
}


def people() -> pl.DataFrame:
    chance = random.Random(1)
    return pl.DataFrame(
        {
            "nome": [f"Pessoa {n}" for n in range(ROWS)],
            "idade": [str(min(99, int(chance.expovariate(1 / 30)))) for _ in range(ROWS)],
            "cidade": [chance.choice(["Rio Raso", "Serra", "Lagoa"]) for _ in range(ROWS)],
            "vacina": [chance.choice("AABC") for _ in range(ROWS)],
        }
    )


@pytest.fixture(scope="module")
def releases(tmp_path_factory) -> dict[str, bb.Release]:
    """A release by language."""
    made = {}
    for language in LANGUAGES:
        set_language(language)
        out = tmp_path_factory.mktemp(language) / "release"
        made[language] = bb.publish(people(), PLAN, out, model=MODEL, review=date(2027, 5, 3))
    set_language("en")
    return made


@pytest.fixture(scope="module")
def public(releases) -> dict[str, str]:
    return {language: (release.out / "report.html").read_text() for language, release in releases.items()}


@pytest.fixture(scope="module")
def private(releases) -> dict[str, str]:
    return {language: (release.private / "report.html").read_text() for language, release in releases.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_pages_say(language, public, private) -> None:
    wanted = [(section, piece) for section, pieces in EVERYWHERE[language].items() for piece in pieces]
    for page in (public[language], private[language]):
        text = read_back(page).text
        assert [(section, piece) for section, piece in wanted if piece not in text] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_the_private_page_says(language, public, private) -> None:
    everybody, few = (read_back(pages[language]).text for pages in (public, private))
    sections = PRIVATE_ONLY[language]

    assert [(name, piece) for name, pieces in sections.items() for piece in pieces if piece not in few] == []
    assert [(name, pieces[0]) for name, pieces in sections.items() if pieces[0] in everybody] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_public_page_tells_no_probability_of_an_attempt_no_control_and_no_plan(language, releases, public) -> None:
    text = read_back(public[language]).text

    assert not re.search(r"P\(|0[.,]05\b|0[.,]0025\b", text)
    assert not re.search("revocable|revogável|contrato", text)
    assert releases[language].applied.plan_hash not in text


def test_nothing_is_left_in_english_on_the_portuguese_pages(public, private) -> None:
    for page in (public["pt"], private["pt"]):
        told = read_back(page).text.replace("release.private", "")
        assert [each for each in english_in(told) if each != "release"] == []


def test_the_numbers_of_the_attacks_are_those_that_the_attacks_give(releases, private) -> None:
    original = bb.reidentification(bb.read(people()), quasi=["idade", "cidade"])
    release = bb.reidentification(bb.read(releases["en"].data), quasi=["idade", "cidade"])
    table = read_back(private["en"]).table("How often an adversary is right who knows all these columns")

    found = [f"{100 * attack.best()['posterior'][-1]:.2f}%" for attack in (original, release)]
    assert [table[0][name] for name in ("Original", "Release")] == found


@pytest.mark.parametrize(("kind", "what"), [("public", "rounded"), ("private", "exact")])
def test_charts_say_what_they_show_to_whoever_does_not_see_them(kind, what, request) -> None:
    seen = read_back(request.getfixturevalue(kind)["en"])
    described = [svg["desc"][0] for svg in seen.svgs if svg["title"] == ["Picking a person's record"]]

    assert len(described) == 2
    number = r"\d+%" if what == "rounded" else r"\d+\.\d\d%"
    assert all(
        re.fullmatch(rf"Picking a person's record\. Original: {number}\. Release: [\d.]+%\.", d) for d in described
    )


@pytest.fixture(scope="module")
def drawn(public, private):
    """By language and version, the sheets of the PDF. Drawing one takes seconds."""
    from pypdf import PdfReader

    pages = {(language, "public"): page for language, page in public.items()}
    pages |= {(language, "private"): page for language, page in private.items()}
    return {key: PdfReader(BytesIO(as_pdf(page))).pages for key, page in pages.items()}


@pytest.fixture(scope="module")
def pdfs(drawn) -> dict[tuple[str, str], list[str]]:
    """By language and version, the text of each page."""
    return {key: [" ".join(sheet.extract_text().split()) for sheet in sheets] for key, sheets in drawn.items()}


@pytest.mark.slow
@pytest.mark.skipif(not can_draw_pdf(), reason="WeasyPrint or Pango is not installed")
class TestPdf:
    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize("version", ["public", "private"])
    def test_the_first_page_is_that_of_the_director_and_it_is_one(self, language, version, pdfs) -> None:
        first, second, *_ = pdfs[language, version]
        wanted = EVERYWHERE[language]

        for name in ("director", "before and after", "decision"):
            assert [piece for piece in wanted[name] if piece not in first] == []
        assert second.startswith({"en": "For the data-protection officer", "pt": "Para o encarregado"}[language])

    def test_it_is_drawn_with_the_font_of_its_page(self, drawn) -> None:
        for sheets in drawn.values():
            used = [
                font.get_object()["/BaseFont"] for sheet in sheets for font in sheet["/Resources"]["/Font"].values()
            ]
            fonts = {re.sub(r"^/[A-Z]{6}\+", "", name) for name in used}
            assert {"Biombo-Sans", "Biombo-Sans-Bold"} <= fonts
            assert fonts <= {"Biombo-Sans", "Biombo-Sans-Bold", "Biombo-Sans-Italic"}

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_it_says_what_the_page_says(self, language, pdfs) -> None:
        public, private = (" ".join(pdfs[language, version]) for version in ("public", "private"))

        for pieces in EVERYWHERE[language].values():
            assert [piece for piece in pieces if piece not in public] == []
            assert [piece for piece in pieces if piece not in private] == []
        for pieces in PRIVATE_ONLY[language].values():
            assert [piece for piece in pieces if piece not in private] == []
            assert pieces[0] not in public
