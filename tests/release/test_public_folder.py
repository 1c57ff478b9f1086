"""Nothing in the folder that goes online leads back to the people in it."""

from itertools import pairwise

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

import biombo as bb
from biombo._plan.key_places import load_key
from biombo._release.vault import Vault

# Letters that no word of a manifest or a page is made of.
IDENTIFIERS = st.lists(st.text("qxzwjv", min_size=12, max_size=16), min_size=1, max_size=40, unique=True)


def public_content(release) -> bytes:
    return b"\n".join(path.read_bytes() for path in sorted(release.out.iterdir()))


@settings(max_examples=20)
@given(identifiers=IDENTIFIERS, data=st.data(), format=st.sampled_from(["csv", "parquet"]))
def test_no_identifier_link_or_key_is_there(identifiers, data, format, tmp_path_factory) -> None:
    rows = len(identifiers)
    table = pl.DataFrame(
        {
            "name": identifiers,
            "remark": [name[::-1].upper() for name in identifiers],
            "city": data.draw(st.lists(st.sampled_from("ABC"), min_size=rows, max_size=rows)),
            "disease": data.draw(st.lists(st.sampled_from(["flu", "gout"]), min_size=rows, max_size=rows)),
        }
    )
    k = data.draw(st.integers(1, rows))
    plan = bb.Plan(
        [bb.Generalise("city", bb.Hierarchy.all_or_nothing(), int(k > 2))],
        [bb.KAnonymity(1)],
        quasi=["city"],
        sensitive=["disease"],
        identifiers=["name"],
    )
    source = tmp_path_factory.mktemp("source-of-the-original") / "original-file.parquet"
    table.write_parquet(source)
    release = bb.publish(source, plan, tmp_path_factory.mktemp("out") / "release", format=format)
    content = public_content(release)
    key = load_key(release.private / "release.key")

    for secret in (*table["name"], *table["remark"], str(source), "original-file", key.secret.hex(), key.id):
        assert secret.encode() not in content
    assert key.secret not in content
    assert (release.private / "trace.vault").read_bytes()[-64:] not in content


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
    values = bb.publish(table, plan, tmp_path / "release").data["value"].to_list()
    rising = sum(one < other for one, other in pairwise(values))

    assert 850 < rising < 1150


def test_trace_ids_do_not_follow_the_original_order(people, release) -> None:
    vault = Vault.of(release.private)
    ids = release.data["trace_id"].to_list()
    places = vault.places(ids, load_key(release.private / "release.key"))
    by_id = [places[each] for each in sorted(ids)]
    rising = sum(one < other for one, other in pairwise(by_id))

    assert by_id != sorted(by_id)
    assert 90 < rising < 210


def test_the_public_report_names_no_one_and_no_small_number(people, plan, release) -> None:
    page = (release.out / "report.html").read_text()

    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
    assert "<script" not in page
    assert not any(name in page for name in people["name"])
