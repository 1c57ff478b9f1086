"""Whatever columns, values, labels and reasons are called, the reports of a release stay whole and run nothing."""

from io import BytesIO

import polars as pl
import pytest
from browser import CHROMIUM
from report_reading import read_back
from report_rules import ALLOWED_ATTRIBUTES, ALLOWED_TAGS, HOSTILE

import biombo as bb
from biombo._report import as_pdf, can_draw_pdf

RIGHT_TO_LEFT = "txt.\u202eexe\u2066 \x07"
FORMULA = '=HYPERLINK("http://example.invalid", "x")'
JSON = '{"$schema": "x"}\\u0022]}</svg><script>alert(6)</script>'
LONG = "<b>" + "long" * 1_250
QUASI, SENSITIVE, OTHER = [HOSTILE[0], HOSTILE[1], RIGHT_TO_LEFT], [HOSTILE[2], JSON], [LONG, FORMULA]


@pytest.fixture(scope="module")
def release(tmp_path_factory) -> bb.Release:
    roles = {**dict.fromkeys(QUASI, "quasi"), **dict.fromkeys(SENSITIVE, "sensitive"), **dict.fromkeys(OTHER, "other")}
    columns = {name: bb.ColumnSchema(role, label=f"{HOSTILE[4]}{name}") for name, role in roles.items()}
    values = [HOSTILE[n % len(HOSTILE)] + (RIGHT_TO_LEFT, FORMULA, LONG, JSON)[n % 4] for n in range(120)]
    table = pl.DataFrame({name: [values[n % (2 + place)] for n in range(120)] for place, name in enumerate(columns)})
    out = tmp_path_factory.mktemp("hostile") / '"><img src=x onerror=alert(7)>'
    return bb.publish(
        table,
        bb.Plan([bb.MaskGroups(with_=HOSTILE[0])], [bb.KAnonymity(5), bb.LDiversity(2, column=SENSITIVE[0])]),
        out,
        schema=bb.Schema(columns),
        accept=dict.fromkeys(OTHER, f"{HOSTILE[1]} {LONG}"),
        model=bb.PublicRelease(harm="high"),
        override=f"{HOSTILE[0]} {LONG}",
    )


@pytest.fixture(scope="module")
def pages(release) -> list[str]:
    return [(folder / "report.html").read_text() for folder in (release.out, release.private)]


def test_names_come_out_as_text(pages) -> None:
    for page in pages:
        seen = read_back(page)

        assert seen.tags <= ALLOWED_TAGS | {"code"}
        assert seen.attributes <= ALLOWED_ATTRIBUTES
        assert [name for name in (HOSTILE[0], HOSTILE[1], FORMULA[:20]) if name not in seen.text] == []
        assert not {"\u202e", "\u2066", "\x07"} & set(page)


def test_long_names_are_cut(pages) -> None:
    assert all("long" * 300 not in page for page in pages)
    assert all(len(page) < 500_000 for page in pages)


def test_the_dictionary_is_no_spreadsheet_formula(release) -> None:
    assert f"\n{FORMULA}" not in (release.out / "dictionary.csv").read_text()
    assert "'=HYPERLINK" in (release.out / "dictionary.csv").read_text()


@pytest.mark.slow
@pytest.mark.skipif(not can_draw_pdf(), reason="WeasyPrint or Pango is not installed")
def test_a_pdf_is_drawn_of_it(pages) -> None:
    from pypdf import PdfReader

    pdf = PdfReader(BytesIO(as_pdf(pages[0])))

    assert HOSTILE[0] in " ".join(page.extract_text() for page in pdf.pages)
    assert not any("/AA" in page or "/Annots" in page for page in pdf.pages), "nothing to click, nothing that runs"


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_a_browser_runs_nothing_asks_for_nothing_and_shows_all_of_it(release, window) -> None:
    for folder in (release.out, release.private):
        for width in (1280, 390):
            window.open(folder / "report.html", width, mobile=width < 600)

            assert window.evaluate("document.scripts.length + document.images.length") == 0
            assert window.evaluate("document.documentElement.scrollWidth") <= width
            assert window.cut_off() == []
    requests = [each["params"]["request"]["url"] for each in window.events if _is_request(each)]

    assert window.complaints == []
    assert len(requests) >= 4
    assert {url.split(":")[0] for url in requests} == {"file", "data"}, "fonts are in the page itself"


def _is_request(event: dict) -> bool:
    return event.get("method") == "Network.requestWillBeSent"
