"""The report in a real browser."""

import pytest
from browser import CHROMIUM

from biombo._i18n import set_language

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]


@pytest.fixture
def opened(window, html, tmp_path):
    """Opens a report in a browser window of a given size."""

    def open_report(found, width=1200, height=900, **options):
        (tmp_path / "report.html").write_text(html(found, **options))
        window.open(tmp_path / "report.html", width, height, mobile=width < 600)
        return window

    return open_report


@pytest.mark.parametrize("found", ["one", "parts"])
@pytest.mark.parametrize("code", ["en", "pt"])
def test_the_page_loads_without_complaint_and_all_charts_are_seen(found, code, request, opened):
    set_language(code)
    page = opened(request.getfixturevalue(found))

    sizes = page.evaluate("[...document.querySelectorAll('svg')].map(s => s.getBoundingClientRect().toJSON())")
    assert page.complaints == []
    assert len(sizes) >= 9
    assert all(size["width"] > 100 and size["height"] > 80 for size in sizes)
    requested = [e["params"]["request"]["url"] for e in page.events if e.get("method") == "Network.requestWillBeSent"]
    assert {url.split(":")[0] for url in requested} == {"file", "data"}, "fonts are in the page itself"


@pytest.mark.parametrize("found", ["one", "parts"])
def test_the_page_fits_a_phone(found, request, opened):
    page = opened(request.getfixturevalue(found), width=390)

    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_no_text_of_a_chart_is_cut_off(states, opened):
    assert opened(states).cut_off() == []


def test_no_script_in_the_data_runs(one, opened):
    page = opened(one, title="<script>document.title = 'pwned'</script><img src=x onerror=alert(1)>")

    assert page.evaluate("document.scripts.length + document.images.length") == 0
    assert page.evaluate("document.title") == "<script>document.title = 'pwned'</script><img src=x onerror=alert(1)>"
    assert page.complaints == []


def test_the_page_prints_on_paper(one, opened):
    page = opened(one)

    assert len(page.call("Page.printToPDF", preferCSSPageSize=True)["data"]) > 20_000
