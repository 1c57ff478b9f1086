"""The reports of a release: one source of numbers, two versions, two languages."""

import random
import re
from datetime import date

import polars as pl
import pytest
from report_reading import read_back
from report_rules import ALLOWED_ATTRIBUTES, ALLOWED_TAGS, fetched_by

import biombo as bb
from biombo._i18n import LANGUAGES, set_language

PLAN = bb.Plan([bb.Generalise("age", bb.Hierarchy.by_interval(5), 1), bb.MaskGroups()], [bb.KAnonymity(10)])
SCHEMA = bb.Schema(
    {
        "name": bb.ColumnSchema(role="identifier"),
        "age": bb.ColumnSchema(role="quasi"),
        "city": bb.ColumnSchema(role="quasi"),
        "vaccine": bb.ColumnSchema(role="sensitive"),
    }
)


def people(rows: int) -> pl.DataFrame:
    chance = random.Random(1)
    return pl.DataFrame(
        {
            "name": [f"Person {n}" for n in range(rows)],
            "age": [str(chance.randint(18, 90)) for _ in range(rows)],
            "city": [chance.choice(["Rio Raso", "Serra", "Lagoa"]) for _ in range(rows)],
            "vaccine": [chance.choice("AABC") for _ in range(rows)],
        }
    )


def published(folder, rows: int = 3_000) -> bb.Release:
    model = bb.PublicRelease(harm="medium")
    return bb.publish(people(rows), PLAN, folder / "rel", schema=SCHEMA, model=model, review=date(2027, 5, 3))


@pytest.fixture(scope="module", params=LANGUAGES)
def pages(request, tmp_path_factory):
    """The language, and the public and the private page."""
    set_language(request.param)
    release = published(tmp_path_factory.mktemp("release"))
    set_language("en")
    return request.param, *((folder / "report.html").read_text() for folder in (release.out, release.private))


def test_both_versions_are_alone_in_one_file_and_made_of_what_is_allowed(pages) -> None:
    for page in pages[1:]:
        seen = read_back(page)
        assert seen.tags <= ALLOWED_TAGS | {"code"}
        assert seen.attributes <= ALLOWED_ATTRIBUTES
        assert fetched_by(page) == []
        assert all(svg["title"] and svg["desc"] for svg in seen.svgs)
        assert "release_report." not in page


def test_only_the_private_version_has_the_impact_report_and_exact_numbers(pages) -> None:
    _, public, private = (read_back(page).text if page[0] == "<" else page for page in pages)

    assert "(RIPD)" in private
    assert re.search(r"Tabela usada|Table used", private)
    assert not re.search(r"Tabela usada|Table used", public)
    assert re.search(r"\b[0-9a-f]{64}\b", private)
    assert not re.search(r"\b[0-9a-f]{64}\b", public), "the plan's hash is enough in the manifest"


def test_shares_of_a_small_original_are_left_out_of_the_public_version(tmp_path) -> None:
    release = published(tmp_path, rows=300)
    public = read_back((release.out / "report.html").read_text()).text

    assert "The numbers of the original are left out" in public
    assert "in the original" not in public.split("For the data-protection officer")[0]
