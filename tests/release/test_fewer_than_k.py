"""What goes online tells nothing on fewer than k people: not how many they were, nor anything else about them."""

import json
import re
from io import BytesIO

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader
from report_reading import read_back

import biombo as bb
from biombo._criteria import Disclosure
from biombo._report import Version, can_draw_pdf

CITIES = ("A", "B", "C")


def plan_of(k: int) -> bb.Plan:
    return bb.Plan([bb.SuppressGroups()], [bb.KAnonymity(k)], quasi=["city"], sensitive=["disease"], max_suppression=1)


def _table(people: list[dict]) -> pl.DataFrame:
    return pl.DataFrame(people, schema={"city": pl.String, "disease": pl.String})


def test_the_number_of_fewer_than_k_people_is_in_the_private_report_and_in_nothing_public(tmp_path) -> None:
    kept = [{"city": city, "disease": disease} for city in CITIES for disease in ("flu", "gout") for _ in range(200)]
    lonely = [{"city": f"{place}", "disease": "flu"} for place in range(137)]
    release = bb.publish(_table([*kept, *lonely]), plan_of(150), tmp_path / "release", pdf=can_draw_pdf())
    number = re.compile(r"\b137\b")

    assert number.search(read_back((release.private / "report.html").read_text()).text)
    assert not number.search(read_back((release.out / "report.html").read_text()).text)
    assert not number.search((release.out / "dictionary.json").read_text())
    assert not number.search(json.dumps(json.loads((release.out / "manifest.json").read_text())["claims"]))
    if can_draw_pdf():
        assert number.search(_pdf_text(release.private / "report.pdf"))
        assert not number.search(_pdf_text(release.out / "report.pdf"))


def _pdf_text(path) -> str:
    return " ".join(page.extract_text() for page in PdfReader(BytesIO(path.read_bytes())).pages)


shares = st.floats(0, 1)
least = st.integers(1, 60)


@given(share=shares, least=least, records=st.integers(0, 30_000))
def test_shares_of_the_original_are_told_in_whole_percents_of_which_half_is_enough_people(
    share, least, records
) -> None:
    version = Version(private=False, rule=Disclosure(least), records=records)
    shown = version.percentage(share)

    if records * 0.005 < least:
        assert shown == "left out"
    else:
        assert re.fullmatch(r"\d+%", shown)
        assert abs(int(shown[:-1]) - 100 * share) <= 0.5 + 1e-9
        assert version.per_hundred(share) == f"{shown[:-1]} of 100"
        assert version.share(share) == pytest.approx(int(shown[:-1]) / 100)


@given(share=shares, other=shares)
def test_shares_that_round_alike_cannot_be_told_apart(share, other) -> None:
    version = Version(private=False, rule=Disclosure(10), records=10_000)
    alike = version.percentage(share) == version.percentage(other)

    assert alike == (version.share(share) == version.share(other))
    assert alike == (version.per_hundred(share) == version.per_hundred(other))
