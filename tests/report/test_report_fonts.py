"""Reports look the same everywhere: they carry their font along, with all that they write."""

from io import BytesIO

import pytest
from browser import CHROMIUM
from fontTools.ttLib import TTFont

import biombo as bb
from biombo._i18n import LANGUAGES, _catalogue, set_language
from biombo._report import CHARACTERS, FACES, WHOLE, as_pdf, can_draw_pdf, font_rules, render_report

IN_REPORTS = (
    "report.",
    "release_report.",
    "release.",
    "criteria.",
    "decision.",
    "plan.operation",
    "privacy.",
    "utility.",
)
PLAN = bb.Plan([bb.MaskGroups()], [bb.KAnonymity(5)], quasi=["idade", "sexo"], sensitive=["doenca"])
in_a_browser = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")


@pytest.fixture(scope="module", params=LANGUAGES)
def release(request, table, tmp_path_factory):
    set_language(request.param)
    out = tmp_path_factory.mktemp("fonts") / "release"
    return bb.publish(table, PLAN, out, model=bb.PublicRelease(harm="medium"), override="x")


def width(font, character):
    """In charts, texts are as wide as the whole font says."""
    return font["hmtx"][font.getBestCmap()[ord(character)]][0]


@pytest.mark.parametrize("code", LANGUAGES)
def test_all_that_reports_may_say_is_in_the_font(code):
    told = {key: text for key, text in _catalogue(code).items() if key.startswith(IN_REPORTS)}

    assert len(told) > 500
    assert {
        key: sorted(set(text) - CHARACTERS - {"\n"}) for key, text in told.items() if set(text) - CHARACTERS - {"\n"}
    } == {}


@pytest.mark.parametrize("face", FACES)
def test_a_face_has_its_characters_and_no_others(face):
    whole, ours = TTFont(WHOLE / face.file), TTFont(BytesIO(face.cut()))
    there = {chr(code) for code in whole.getBestCmap()}

    assert {chr(code) for code in ours.getBestCmap()} == CHARACTERS & there
    assert {c: width(ours, c) for c in CHARACTERS & there} == {c: width(whole, c) for c in CHARACTERS & there}
    assert CHARACTERS - there <= ({*"αβδε"} if "italic" in face.look else set())


@pytest.mark.parametrize("face", FACES)
def test_a_face_keeps_its_licence_and_drops_the_name_that_is_reserved(face):
    names = {name.nameID: str(name) for name in TTFont(BytesIO(face.cut()))["name"].names}

    assert "Adobe" in names[0]
    assert "SIL Open Font License" in names[13]
    assert set(names) <= {0, 13, 14}


@pytest.mark.parametrize("face", FACES)
def test_a_face_is_the_same_whenever_it_is_made(face):
    assert TTFont(BytesIO(face.cut()))["head"].modified == TTFont(WHOLE / face.file)["head"].modified


def test_the_font_is_light():
    assert len(font_rules()) < 40_000


@pytest.mark.slow
@in_a_browser
@pytest.mark.parametrize("code", LANGUAGES)
def test_a_browser_shows_a_report_on_risk_in_its_font(code, one, html, window, tmp_path):
    set_language(code)
    (tmp_path / "report.html").write_text(html(one))
    window.open(tmp_path / "report.html")

    assert window.other_fonts() == []


@pytest.mark.slow
@in_a_browser
def test_a_browser_shows_the_reports_of_a_release_in_their_font(release, window):
    for folder in (release.out, release.private):
        window.open(folder / "report.html")

        assert window.other_fonts() == []
        assert window.cut_off() == []


@pytest.mark.slow
@in_a_browser
def test_letters_that_the_font_lacks_are_left_to_the_reader_s_fonts(table, window, tmp_path):
    names = {"idade": "ηλικία του ασθενούς σε έτη", "cidade": "город проживания пациента", "sexo": "患者の性別と年齢"}
    data = bb.read(table.rename(names))
    (tmp_path / "report.html").write_text(
        render_report(bb.risk(data, quasi=list(names.values()), sensitive=["doenca"]), source="x", title="João, Λόγοι")
    )
    window.open(tmp_path / "report.html")

    assert window.own_letters("//h1") == len("João, ")
    assert window.cut_off() == []
    assert all({*text} - CHARACTERS for text in window.other_fonts())


@pytest.mark.slow
@pytest.mark.skipif(not can_draw_pdf(), reason="WeasyPrint or Pango is not installed")
def test_a_pdf_is_drawn_without_a_look_at_other_files(tmp_path):
    from pypdf import PdfReader

    style = tmp_path / "other.css"
    style.write_text("p { display: none; }")
    page = f'<link rel="stylesheet" href="{style.as_uri()}"><style>{font_rules()}</style><p>There</p>'

    assert "There" in PdfReader(BytesIO(as_pdf(page))).pages[0].extract_text()
