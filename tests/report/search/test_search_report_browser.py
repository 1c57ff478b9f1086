"""The report on a search in a real browser."""

import pytest
from browser import CHROMIUM

import biombo as bb
from biombo._i18n import set_language
from biombo._search import explain

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]
OUT_OF_THEIR_BOXES = """
    [...document.querySelectorAll('.natural text')].filter(text =>
      [...text.textContent].every(letter => '0123456789'.includes(letter))
    ).filter(text => {
      const box = text.getBoundingClientRect();
      return ![...document.querySelectorAll('.natural path')].some(path => {
        const frame = path.getBoundingClientRect();
        return frame.left <= box.left && box.right <= frame.right && frame.top <= box.top + 3;
      });
    }).map(text => text.textContent)
"""


@pytest.fixture(scope="module")
def everything(found, frontier):
    return {"frontier": frontier, "explanations": [explain(found.explored)]}


@pytest.fixture
def opened(window, html, found, everything, tmp_path):
    """Opens the report in a browser window of a given width."""

    def open_report(found=found, width=1200, **options):
        (tmp_path / "report.html").write_text(html(found, **{**everything, **options}))
        window.open(tmp_path / "report.html", width, mobile=width < 600)
        return window

    return open_report


@pytest.mark.parametrize("code", ["en", "pt"])
def test_the_page_loads_without_complaint_and_all_charts_are_seen(code, opened):
    set_language(code)
    page = opened()

    sizes = page.evaluate("[...document.querySelectorAll('svg')].map(s => s.getBoundingClientRect().toJSON())")
    assert page.complaints == []
    assert len(sizes) == 11
    assert all(size["width"] > 100 and size["height"] > 80 for size in sizes)
    assert page.cut_off() == []
    assert page.evaluate(OUT_OF_THEIR_BOXES) == []


@pytest.mark.parametrize("code", ["en", "pt"])
def test_the_page_fits_a_phone(code, opened):
    set_language(code)

    assert opened(width=390).evaluate("document.documentElement.scrollWidth") <= 390


def test_a_wide_lattice_keeps_its_size_and_scrolls(data, opened):
    columns = ["sexo", "cidade", "doenca"]
    order = bb.Hierarchy.by_order([str(n) for n in range(71)], 2)
    hierarchies = {column: bb.Hierarchy.all_or_nothing() for column in columns} | {"idade": order}
    found = bb.search(data, bb.KAnonymity(5), quasi=[*columns, "idade"], hierarchies=hierarchies, max_suppression=0.5)
    page = opened(found, width=390, frontier=None, explanations=())

    picture = "document.querySelector('.natural')"
    svg = page.evaluate(f"{picture}.querySelector('svg').getBoundingClientRect().width")
    frame = page.evaluate(f"{picture}.clientWidth")
    assert svg > frame
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_page_prints_on_paper(opened):
    assert len(opened().call("Page.printToPDF", preferCSSPageSize=True)["data"]) > 20_000
