"""What goes online tells nothing on fewer than k people: not how many they were, nor anything else about them."""

import json
import re
from io import BytesIO
from itertools import count

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader
from report_reading import read_back

import biombo as bb
from biombo._report.release import can_draw_pdf
from biombo._report.release.version import Version

DISEASES = st.sampled_from(["flu", "gout", "asthma", None])
CITIES, LONELY = ("A", "B", "C"), ("X", "Y", "Z", None)
_WHEN = re.compile(r'<p class="meta">.*?</p>|<footer>.*?</footer>', re.DOTALL)
_NEW_EACH_TIME = {"id", "created", "files", "signature"}


@st.composite
def releases(draw: st.DrawFn) -> tuple[int, list[dict], list[dict], list[dict]]:
    """A k, people in groups of at least k, and twice fewer than k people who are in no group."""
    k = draw(st.integers(3, 6))
    groups = draw(st.lists(st.sampled_from(CITIES), min_size=1, max_size=3, unique=True))
    sizes = [draw(st.integers(k, 2 * k)) for _ in groups]
    kept = [
        {"city": city, "disease": draw(DISEASES)} for city, size in zip(groups, sizes, strict=True) for _ in range(size)
    ]
    few = st.lists(
        st.fixed_dictionaries({"city": st.sampled_from(LONELY), "disease": DISEASES}), min_size=1, max_size=k - 1
    )
    return k, kept, draw(few), draw(few)


def plan_of(k: int) -> bb.Plan:
    return bb.Plan([bb.SuppressGroups()], [bb.KAnonymity(k)], quasi=["city"], sensitive=["disease"], max_suppression=1)


def told(release: bb.Release) -> dict[str, object]:
    """All that the public folder says, without what is drawn anew or the time of the day."""
    manifest = json.loads((release.out / "manifest.json").read_text())
    data = release.data.drop("trace_id")
    return {
        "page": _WHEN.sub("", (release.out / "report.html").read_text()),
        "dictionary": (release.out / "dictionary.json").read_text() + (release.out / "dictionary.csv").read_text(),
        "manifest": {name: value for name, value in manifest.items() if name not in _NEW_EACH_TIME},
        "data": sorted(map(str, data.rows())),
        "files": sorted(path.name for path in release.out.iterdir()),
    }


@settings(max_examples=6)
@given(release=releases())
def test_who_and_how_many_the_fewer_than_k_people_were_makes_no_difference(release, tmp_path_factory) -> None:
    k, kept, some, others = release
    folder, number = tmp_path_factory.mktemp("few"), count()
    first, second = (
        bb.publish(_table([*kept, *few]), plan_of(k), folder / str(next(number)) / "release") for few in (some, others)
    )

    assert first.applied.suppressed == len(some)
    assert second.applied.suppressed == len(others)
    assert told(first) == told(second)


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
    version = Version(private=False, least=least, records=records)
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
    version = Version(private=False, least=10, records=10_000)
    alike = version.percentage(share) == version.percentage(other)

    assert alike == (version.share(share) == version.share(other))
    assert alike == (version.per_hundred(share) == version.per_hundred(other))
