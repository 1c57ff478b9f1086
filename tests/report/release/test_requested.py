"""The private report of a requested release tells how it was negotiated, and for whom; no public file does."""

import re
import stat
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO

import polars as pl
import pytest
from report_reading import read_back
from report_rules import ALLOWED_ATTRIBUTES, ALLOWED_TAGS, HOSTILE, english_in, fetched_by

import biombo as bb
from biombo._i18n import LANGUAGES, _catalogue, set_language
from biombo._report import (
    DialogueStep,
    DialogueVote,
    DialogueWaiver,
    OfferFact,
    RequestedFact,
    as_pdf,
    can_draw_pdf,
    render_dialogue,
    write_dialogue,
)
from biombo._report.charts import as_specification, drawing

PLAN = bb.Plan([bb.SuppressGroups()], [bb.KAnonymity(3)], quasi=["idade"], sensitive=["vacina"], max_suppression=0.5)
TABLE = pl.DataFrame({"idade": ["20", "30"] * 20 + ["90"], "vacina": (["A", "B", "C"] * 14)[:41]})
WHEN = re.compile(r'<p class="meta">.*?</p>|<footer>.*?</footer>', re.DOTALL)
AT = datetime(2026, 5, 1, 14, 30, tzinfo=UTC)
REQUESTED = RequestedFact(
    requester=(("Solicitante", "Zulmira Quixaba"), ("Documento", "CPF 987.654.321-00"), ("Endereço", "Rua Xiquexique")),
    department="Setor Juazeiro",
    purpose="estudar a cobertura jabuticaba",
    steps=(
        DialogueStep(1, AT, "Zulmira Quixaba (solicitante)", "Solicitou dados: bacupari."),
        DialogueStep(6, AT, "Otacílio Umbu (gestor)", "Ofereceu um TG: TG 3; mensagem “cajarana”."),
    ),
    offers=(
        OfferFact(
            1, 7, None, None, 11_275, 7_357, 0, {"vacina": 0.9}, allowed=False, asked=(("idade pitomba", "gestor"),)
        ),
        OfferFact(2, 3, 2, 0.001, 12, 1, 2_126, {"vacina": 0.5}, allowed=True),
        OfferFact(3, None, None, None, 0, 0, 0, {}, allowed=None),
    ),
    waived=(DialogueWaiver("QMASG 2", "Otacílio Umbu", "valores murici", ("vacina: A siriguela (baixa)",)),),
    votes=(
        DialogueVote("Benta Mangaba (comitê)", approved=True, reason="risco cambucá"),
        DialogueVote("Dario Pequi (comitê)", approved=False, reason="falta gabiroba"),
    ),
)
PLANTED = [
    *("Zulmira", "Quixaba", "987.654.321-00", "Xiquexique", "Juazeiro", "jabuticaba", "bacupari", "Otacílio", "Umbu"),
    *("cajarana", "pitomba", "murici", "siriguela", "Mangaba", "cambucá", "Pequi", "gabiroba", "11,275", "11.275"),
]


@pytest.fixture(scope="module", autouse=True)
def _undrawn():
    with drawing(as_specification):
        yield


def published(folder, requested: RequestedFact | None, **options) -> bb.Release:
    return bb.publish(TABLE, PLAN, folder / "release", requested=requested, **options)


@pytest.fixture(scope="module", params=LANGUAGES)
def told(request, tmp_path_factory) -> tuple[str, bb.Release]:
    """The language, and a release that was negotiated."""
    set_language(request.param)
    release = published(tmp_path_factory.mktemp("requested"), REQUESTED, title="Vacinas")
    set_language("en")
    return request.param, release


def test_no_public_file_has_anything_of_it(told) -> None:
    _, release = told
    files = [path for path in release.out.rglob("*") if path.is_file()]
    content = "\n".join(path.name + path.read_text("utf-8") for path in files)

    assert {"data.csv", "report.html", "manifest.json"} < {path.name for path in files}
    assert "vacina" in content
    assert [planted for planted in PLANTED if planted in content] == []
    assert [planted for planted in PLANTED if planted in repr(release) + str(release.to_dict())] == []


def test_the_private_report_has_all_of_it(told) -> None:
    language, release = told
    page = (release.private / "report.html").read_text("utf-8")
    seen = read_back(page)
    number = "11,275" if language == "en" else "11.275"

    assert [planted for planted in PLANTED if planted not in seen.text] == [
        each for each in ("11,275", "11.275") if each != number
    ]
    assert 'href="#requested"' in page
    assert page.count('<section id="requested">') == 1
    assert seen.tags <= ALLOWED_TAGS | {"code"}
    assert seen.attributes <= ALLOWED_ATTRIBUTES
    assert "release_report." not in page


def test_what_it_says_stands_in_tables(tmp_path) -> None:
    seen = read_back(render_dialogue(REQUESTED, "release", made_at=AT))
    first, second, third = seen.table("What was offered")

    assert first == {
        "Offer": "1",
        "TG": "7",
        "QMASG": "–",
        "ε": "–",
        "Groups below TG": "11,275",
        "People singled out": "7,357",
        "Records lost": "0",
        "Guessed right": "vacina: 90.00%",
        "Risk decision": "above the threshold",
    }
    assert (second["ε"], second["Risk decision"]) == ("0.001", "allowed")
    assert (third["TG"], third["Guessed right"], third["Risk decision"]) == ("–", "–", "not decided")
    assert seen.table("Who asked for what") == [{"Offer": "1", "What": "idade pitomba", "By": "gestor"}]
    assert [row["Vote"] for row in seen.table("How the committee voted")] == ["approved", "not approved"]
    assert seen.table("The negotiation, step by step")[1] == {
        "Process": "6",
        "When": "May 1, 2026, 14:30 (UTC)",
        "By": "Otacílio Umbu (gestor)",
        "What": "Ofereceu um TG: TG 3; mensagem “cajarana”.",
    }


def test_nothing_in_english_is_left_in_the_portuguese_page() -> None:
    set_language("pt")

    seen = read_back(render_dialogue(REQUESTED, "release", made_at=AT))
    assert english_in(seen.text) == []


def test_every_text_is_used() -> None:
    page = read_back(render_dialogue(REQUESTED, "release", made_at=AT)).text
    texts = [message for key, message in _catalogue("en").items() if key.startswith("release_report.requested.")]

    assert len(texts) > 30
    assert [each for each in texts if re.sub(r"<[^>]+>|\{source\}", "", each).strip() not in page] == []


def test_what_nobody_did_takes_no_table() -> None:
    short = replace(REQUESTED, offers=(), waived=(), votes=())

    assert [*read_back(render_dialogue(short, "release")).tables] == [
        "Who asked, for what purpose, and who answers for it",
        "The negotiation, step by step",
    ]


def test_the_public_files_are_the_same_as_without_it(told, tmp_path) -> None:
    language, release = told
    set_language(language)
    without = published(tmp_path, None, title="Vacinas")

    pages = [WHEN.sub("", (each.out / "report.html").read_text("utf-8")) for each in (release, without)]
    assert pages[0] == pages[1]
    assert sorted(path.name for path in release.out.iterdir()) == sorted(path.name for path in without.out.iterdir())
    assert "requested" not in (without.private / "report.html").read_text("utf-8")


def test_hostile_texts_come_out_as_text() -> None:
    one, two, three, four, *_ = HOSTILE
    hostile = RequestedFact(
        requester=((one, two),),
        department=three,
        purpose=four,
        steps=(DialogueStep(1, AT, one, f"{two}\x07\u202e\n{'ç' * 20_000}"),),
        offers=(OfferFact(1, 2, 2, 1.0, 1, 1, 1, {three: 0.5}, allowed=None, asked=((four, one),)),),
        waived=(DialogueWaiver(one, two, three, (four,)),),
        votes=(DialogueVote(two, approved=False, reason=three),),
    )
    page = render_dialogue(hostile, four)
    seen = read_back(page)

    assert seen.tags <= ALLOWED_TAGS
    assert seen.attributes <= ALLOWED_ATTRIBUTES
    assert [each for each in (one, two, three, four) if each not in seen.text] == []
    assert "\x07" not in seen.text
    assert "\u202e" not in seen.text
    assert 500 < page.count("ç") < 1_100, "cut, and the chain has all of it"


def test_a_page_of_its_own_is_for_the_user_alone(tmp_path) -> None:
    path = write_dialogue(REQUESTED, tmp_path / "dialogue.html", "release", made_at=AT)

    assert path.read_text("utf-8") == render_dialogue(REQUESTED, "release", made_at=AT)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert fetched_by(path.read_text("utf-8")) == []


@pytest.mark.skipif(not can_draw_pdf(), reason="what draws PDFs is not installed")
def test_the_private_pdf_has_it_too() -> None:
    from pypdf import PdfReader

    pages = PdfReader(BytesIO(as_pdf(render_dialogue(REQUESTED, "release", made_at=AT)))).pages
    read = " ".join(page.extract_text() for page in pages)

    assert [word for word in ("Quixaba", "987.654.321-00", "cajarana", "cambucá") if word not in read] == []
