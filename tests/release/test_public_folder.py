"""Nothing in the folder that goes online leads back to the people in it."""

import os
import re
from itertools import pairwise
from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

import biombo as bb
from biombo._secrets import load_key

# Letters that no word of a manifest or a page is made of.
WORDS = st.text("qxzwjv", min_size=12, max_size=16)
WHEN = re.compile(r'<p class="meta">.*?</p>|<footer>.*?</footer>', re.DOTALL)


def public_content(release: bb.Release) -> bytes:
    """All that is in the public folder, names included, with what is compressed there laid open."""
    paths = sorted(release.out.iterdir())
    opened = [_laid_open(path) for path in paths if path.suffix == ".parquet"]
    return b"\n".join([*(path.name.encode() + path.read_bytes() for path in paths), *opened])


def _laid_open(path: Path) -> bytes:
    """The values, the dictionaries that they are written by, and the metadata of a Parquet file."""
    metadata = parquet.read_metadata(path)
    texts = [field.name for field in parquet.read_schema(path) if pa.types.is_large_string(field.type)]
    table = parquet.read_table(path, read_dictionary=texts)
    dictionaries = [chunk.dictionary.to_pylist() for name in texts for chunk in table.column(name).chunks]
    return f"{table.to_pylist()}{dictionaries}{metadata.to_dict()}{metadata.metadata}{table.schema}".encode()


@st.composite
def tables(draw: st.DrawFn) -> pl.DataFrame:
    """People with names and remarks that nobody speaks of; the first one's city and disease are nobody else's."""
    secrets = draw(st.lists(WORDS, min_size=6, max_size=40, unique=True))
    town, disease, *names = secrets
    rows = len(names)
    cities = [town, *(draw(st.sampled_from("AB")) for _ in range(rows - 1))]
    diseases = [disease, *(draw(st.sampled_from(["flu", "gout", None])) for _ in range(rows - 1))]
    remarks = [name[::-1].upper() for name in names]
    table = pl.DataFrame({"name": names, "remark": remarks, "city": cities, "disease": diseases})
    return draw(st.sampled_from([table, table.cast({"city": pl.Categorical, "disease": pl.Categorical})]))


@settings(max_examples=25)
@given(table=tables(), format=st.sampled_from(["csv", "parquet"]), source_kind=st.sampled_from(["file", "table"]))
def test_no_identifier_link_key_or_suppressed_value_is_there(table, format, source_kind, tmp_path_factory) -> None:
    folder = tmp_path_factory.mktemp("source-of-the-original")
    source = folder / "original-file.parquet"
    described = table.to_arrow().replace_schema_metadata({"pandas": '{"creator": "metadata-of-the-original"}'})
    parquet.write_table(described, source)
    plan = bb.Plan(
        [bb.SuppressRecords({"city": [table["city"][0]]})],
        sensitive=["city", "disease"],
        identifiers=["name"],
        max_suppression=1,
    )
    given_as = source if source_kind == "file" else described
    release = bb.publish(given_as, plan, folder / "of-another-name" / "release", format=format, unprotected="a test")
    content = public_content(release)
    key = load_key(release.private / "release.key")
    first = table.row(0, named=True)
    searched = [*table["name"], *table["remark"], first["city"], first["disease"]]
    searched += [str(folder), "source-of-the-original", "original-file", "metadata-of-the-original", "of-another-name"]
    searched += [key.secret.hex(), key.id]

    assert [secret for secret in searched if secret.encode() in content] == []
    assert key.secret not in content
    assert (release.private / "trace.vault").read_bytes()[-64:] not in content


def test_a_value_that_is_released_is_found_in_that_way(people, tmp_path) -> None:
    """So that the search above would find what must not be there."""
    plan = bb.Plan([], sensitive=["name"])
    for format in ("csv", "parquet"):
        release = bb.publish(
            people, plan, tmp_path / format, format=format, unprotected="a test", accept={"name": "a test"}
        )
        assert all(name.encode() in public_content(release) for name in people["name"])


def test_files_tell_no_more_than_one_moment(release, published) -> None:
    """The time of the manifest: not how long anything took."""
    entries = [published.out, *published.out.iterdir()]

    assert len({path.stat().st_mtime_ns for path in entries}) == 1
    assert not any(os.listxattr(path) for path in entries)


@pytest.mark.parametrize("criterion", [bb.TCloseness(0.9), bb.Leakage(0.9), bb.Leakage(9, form="multiplicative")])
def test_what_fewer_than_k_people_had_cannot_be_told_from_how_far_a_criterion_is_met(tmp_path, criterion) -> None:
    """One record is suppressed. Its disease counts for what was known before."""
    told = []
    for disease in ("flu", "gout", "rare"):
        diseases = ["flu", "gout", "flu"] * 4 + [disease]
        table = pl.DataFrame({"city": ["A"] * 12 + ["B"], "disease": diseases})
        asked = [bb.KAnonymity(5), criterion]
        plan = bb.Plan([bb.SuppressGroups()], asked, quasi=["city"], sensitive=["disease"])
        release = bb.publish(table, plan, tmp_path / disease / "release")
        claims = [claim.to_tree() for claim in release.manifest.claims if claim.name != "plan"]
        told.append((claims, WHEN.sub("", (release.out / "report.html").read_text())))
        assert {"claim": "criterion", "value": None, "kind": "attested"}.items() <= claims[4].items()
        assert bb.verify(release.out).holds

    assert told[0] == told[1] == told[2]


def test_the_columns_of_the_data_file_are_those_of_the_table_and_the_trace_ids(release) -> None:
    """So no column has row numbers, hidden or not."""
    header, *lines = (release.out / "data.csv").read_text().splitlines()

    assert header == "trace_id,age,sex,disease,visits"
    assert {line.count(",") for line in lines if '"' not in line} == {4}


def test_parquet_metadata_tell_nothing_more(people, plan, tmp_path) -> None:
    release = bb.publish(people, plan, tmp_path / "release", format="parquet")
    schema = pl.read_parquet_schema(release.out / "data.parquet")

    assert list(schema) == ["trace_id", "age", "sex", "disease"]


def test_the_order_of_the_records_tells_nothing(tmp_path) -> None:
    """Where rows came in order, the release has no trace of it: as many records rise as fall."""
    table = pl.DataFrame({"value": [f"{n:05}" for n in range(2000)]})
    plan = bb.Plan([], quasi=[], sensitive=["value"])
    values = bb.publish(table, plan, tmp_path / "release", unprotected="a test").data["value"].to_list()
    rising = sum(one < other for one, other in pairwise(values))

    assert 850 < rising < 1150


def test_trace_ids_do_not_follow_the_original_order(people, release) -> None:
    ids = release.data["trace_id"].to_list()
    found = bb.trace(release.out, ids, source=people, reason="test")
    by_id = [found[each].number for each in sorted(ids)]
    rising = sum(one < other for one, other in pairwise(by_id))

    assert by_id != sorted(by_id)
    assert 90 < rising < 210


def test_the_public_report_names_no_one_and_no_small_number(people, plan, release) -> None:
    page = (release.out / "report.html").read_text()

    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
    assert "<script" not in page
    assert not any(name in page for name in people["name"])
