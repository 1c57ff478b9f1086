"""Who makes a page chooses how its charts are drawn: as pictures, or told as their specification."""

import json
import re
from html import escape, unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_reading import read_back

import biombo as bb
from biombo._i18n import LANGUAGES, set_language
from biombo._report import render_report
from biombo._report.charts import Bar, GivenUp, as_specification, bars, drawing, drawn, trade_off

SVG = re.compile(r"<svg.*?</svg>", re.DOTALL)
PLAN = bb.Plan([bb.MaskGroups()], [bb.KAnonymity(5)], quasi=["idade", "sexo"], sensitive=["doenca"])


def specifications(page: str) -> list[str]:
    return [text for svg in read_back(page).svgs for text in svg["text"]]


def redrawn(svg: str) -> str:
    """A told chart, drawn after all."""
    title, description, specification = (
        unescape(re.search(rf"<{tag}>(.*?)</{tag}>", svg, re.DOTALL).group(1)) for tag in ("title", "desc", "text")
    )
    return str(drawn(json.loads(specification), title, description))


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("found", ["one", "parts"])
def test_a_specification_is_all_that_a_picture_is_made_of(code, found, request, html):
    set_language(code)
    risk = request.getfixturevalue(found)
    with drawing(as_specification):
        told = render_report(risk, source="pessoas.csv", made_at=None)
    pictures = html(risk)

    assert len(SVG.findall(told)) > 5
    assert [redrawn(svg) for svg in SVG.findall(told)] == SVG.findall(pictures)


def test_pages_of_a_release_are_published_with_specifications(table, tmp_path):
    pages = {}
    for name, people in {"a": table, "b": table, "c": table.head(-60)}.items():
        with drawing(as_specification):
            release = bb.publish(people, PLAN, tmp_path / name)
        pages[name] = [
            specifications((folder / "report.html").read_text()) for folder in (release.out, release.private)
        ]

    assert all(json.loads(each)["layer"] for told in pages["a"] for each in told)
    assert pages["a"] == pages["b"]
    assert pages["a"] != pages["c"]


def test_pictures_are_drawn_again_after_the_block(one):
    with pytest.raises(ZeroDivisionError), drawing(as_specification):
        raise ZeroDivisionError

    chart = bars([Bar("a", 0.5, "50%")], "x")
    assert '"layer"' not in drawn(chart, "", "")
    with drawing(as_specification):
        assert escape('"layer"', quote=False) in drawn(chart, "", "")


@given(st.lists(st.tuples(st.text(), st.floats(0, 1)), min_size=1, max_size=5))
@settings(deadline=None)
def test_equal_charts_are_told_equally_and_others_are_not(rows):
    def told(shares):
        with drawing(as_specification):
            return drawn(bars([Bar(name, share, "") for name, share in shares], "x", end=1), "", "")

    moved = [(rows[0][0], 1 - rows[0][1] / 2), *rows[1:]]
    assert told(rows) == told(list(rows))
    assert (told(rows) == told(moved)) == (rows == moved)


def test_a_number_that_is_none_is_not_told():
    with pytest.raises(ValueError, match="JSON"), drawing(as_specification):
        drawn(bars([Bar("a", float("nan"), "")], "x", end=1), "", "")


def test_what_plans_give_up_is_drawn_within_the_axes():
    offers = [GivenUp(0.3, 0.0, "1"), GivenUp(0.02, 0.4, "2")]
    best = [GivenUp(0.1, 0.2), GivenUp(0.0, 0.5)]

    chart = trade_off(offers, best, "records", "detail", "the best")

    places = chart["layer"][0]["encoding"]
    assert all(each.records <= places["x"]["scale"]["domain"][1] for each in (*offers, *best))
    assert all(each.detail <= places["y"]["scale"]["domain"][1] for each in (*offers, *best))
    line, *_, last, names = chart["layer"]
    assert [each["records"] for each in line["data"]["values"]] == [0.0, 0.1], "a line goes from left to right"
    assert [each["name"] for each in last["data"]["values"]] == ["2"]
    assert [each["name"] for each in names["data"]["values"]] == ["1", "2"]
    assert re.findall(r">(1|2|the best)</text>", str(drawn(chart, "title", "description"))) == ["the best", "1", "2"]
    alike = trade_off([*offers, GivenUp(0.021, 0.401, "3")], [], "records", "detail", "the best")["layer"][-1]
    assert [each["name"] for each in alike["data"]["values"]] == ["1", "2, 3"], "names are not on top of each other"
    assert trade_off(offers, [], "records", "detail", "the best")["layer"][0]["mark"]["type"] == "circle"
