"""Verifying counts by itself: as a stranger reads the file, and as the strictest of them."""

from pathlib import Path

import hypothesis.strategies as st
import polars as pl
import pyarrow as pa
import pytest
from examples import examples
from hand_made_release import content_of, hash_anew, sign_anew
from hypothesis import given
from pyarrow import parquet
from refusal import refused
from strangers import fewest_values, groups, smallest_group

import biombo as bb
from biombo._criteria import PlainGroups
from biombo._release.verify import plainly_read, recounted

PLAN = bb.Plan([], [bb.KAnonymity(4), bb.LDiversity(2)], quasi=["x"], sensitive=["s"])


def published(folder: Path, format: str) -> Path:
    table = pl.DataFrame({"x": [1.5] * 4 + [None] * 4, "s": ["a", "b"] * 4})
    return bb.publish(table, PLAN, folder / "release", format=format).out


def with_data(release: Path, name: str, x: list[float | None], s: list[str | None]) -> list[str]:
    """What fails once the release has other records, and everything else is made to fit."""
    ids = [f"{n:032x}" for n in range(len(x))]
    if name.endswith(".parquet"):
        parquet.write_table(pa.table({"trace_id": ids, "x": pa.array(x, pa.float64()), "s": s}), release / name)
    else:
        lines = [
            f"{i},{'' if v is None else v},{'' if t is None else t or chr(34) * 2}"
            for i, v, t in zip(ids, x, s, strict=True)
        ]
        (release / name).write_text("\n".join(["trace_id,x,s", *lines, ""]))
    sign_anew(release, hash_anew(release, content_of(release)))
    return [check.claim for check in bb.verify(release).failures]


NAN = float("nan")


@pytest.mark.parametrize(
    ("x", "holds"),
    [
        ([1.5] * 4 + [None] * 4, True),
        ([1.5] * 4 + [None] * 3 + [NAN], False),
        ([0.0] * 4 + [None] * 4, True),
        ([0.0] * 3 + [-0.0] + [None] * 4, False),
    ],
)
def test_values_that_some_readers_tell_apart_are_apart_for_k(tmp_path, x, holds) -> None:
    failed = with_data(published(tmp_path, "parquet"), "data.parquet", x, ["a", "b"] * 4)

    assert set(failed) == (set() if holds else {"criterion"})


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_and_values_that_some_readers_take_for_one_are_one_for_l(tmp_path, format) -> None:
    x = [1.5] * 4 + [None] * 4
    release = published(tmp_path, format)

    assert with_data(release, f"data.{format}", x, ["a", "b"] * 4) == []
    assert with_data(release, f"data.{format}", x, ["", None] * 4) == ["criterion"]


VALUES = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.sampled_from("12")), min_size=1)


@examples(40)
@given(VALUES)
def test_counting_follows_the_definitions(tmp_path_factory, records) -> None:
    path = tmp_path_factory.mktemp("counted") / "data.csv"
    pl.DataFrame(records, schema=["q", "r", "s"], orient="row").write_csv(path)
    rows = [dict(zip("qrs", record, strict=True)) for record in records]
    data = plainly_read(path)
    for quasi in ([], ["q"], ["q", "r"]):
        tops = [max(sum(row["s"] == s for row in group) for s in "12") for group in groups(rows, quasi)]
        shares = [top / len(group) for top, group in zip(tops, groups(rows, quasi), strict=True)]

        assert bb.KAnonymity(2).counted(PlainGroups(data, quasi), []) == smallest_group(rows, quasi)
        assert bb.LDiversity(2).counted(PlainGroups(data, quasi), ["s"]) == fewest_values(rows, quasi, "s")
        assert bb.Vulnerability(0.5).counted(PlainGroups(data, quasi), ["s"]) == pytest.approx(max(shares))
        average = bb.Vulnerability(0.5, over="table").counted(PlainGroups(data, quasi), ["s"])
        assert average == pytest.approx(sum(tops) / len(rows))
        named = [sum(row["s"] == "1" for row in group) / len(group) for group in groups(rows, quasi)]
        of_one = bb.Deassociation(0.5, values=["1", "?"]).counted(PlainGroups(data, quasi), ["s"])
        assert of_one == pytest.approx(max(named))
        alone = sum(len(group) == 1 for group in groups(rows, quasi)) / len(rows)
        assert bb.Uniqueness(0).counted(PlainGroups(data, quasi), []) == pytest.approx(alone)
        picked = len(list(groups(rows, quasi))) / len(rows)
        assert bb.AverageRisk(1).counted(PlainGroups(data, quasi), []) == pytest.approx(picked)


COUNTED = [
    *(bb.KAnonymity(2), bb.LDiversity(2), bb.Vulnerability(0.5), bb.Vulnerability(0.5, over="table")),
    *(bb.Deassociation(0.5), bb.Deassociation(0.5, values=["1"]), bb.AverageRisk(0.5), bb.Uniqueness(0.5)),
]


@examples(40)
@given(VALUES)
def test_what_is_judged_is_what_is_counted(tmp_path_factory, records) -> None:
    path = tmp_path_factory.mktemp("counted") / "data.csv"
    pl.DataFrame(records, schema=["q", "r", "s"], orient="row").write_csv(path)
    for criterion in COUNTED:
        verdict = recounted(criterion, plainly_read(path), ["q", "r"], ["s"])

        assert verdict.achieved == pytest.approx(criterion.counted(PlainGroups(plainly_read(path), ["q", "r"]), ["s"]))


def test_who_can_check_what_is_said_of_each_criterion(tmp_path) -> None:
    table = pl.DataFrame({"x": list("aabb") * 10, "s": list("uvuv") * 10})
    asked = [
        *(bb.Deassociation(0.5), bb.Deassociation(0.6, values=["u"]), bb.AverageRisk(0.2), bb.Uniqueness(0)),
        *(bb.BetaLikeness(1), bb.DeltaDisclosure(1), bb.KMap(3, population=90)),
        bb.PopulationUniqueness(0.1, population=90),
    ]
    release = bb.publish(table, bb.Plan([], asked, quasi=["x"], sensitive=["s"]), tmp_path / "release")

    said = [(each.kind, each.value) for each in release.manifest.claims if each.name == "criterion"]
    assert said == [("recomputable", value) for value in (0.5, 0.5, 0.05, 0.0)] + [("attested", None)] * 4
    assert bb.verify(release.out).holds
    lines = (release.out / "data.csv").read_text().splitlines()
    (release.out / "data.csv").write_text(
        "\n".join([*lines[:-1], lines[-1].replace(",a,", ",c,").replace(",b,", ",c,"), ""])
    )
    sign_anew(release.out, hash_anew(release.out, content_of(release.out)))
    failed = [check for check in bb.verify(release.out).failures if check.claim == "criterion"]
    assert len(failed) == 4  # somebody is alone, and their group has one value only


@pytest.mark.parametrize("content", [b"", b"x\n", b"x,y\n1,2,3\n", b'x\n"open\n', b"x\n\xff\xfe\n"])
def test_files_that_are_no_tables_are_refused_in_a_sentence(tmp_path, content) -> None:
    (tmp_path / "data.csv").write_bytes(content)
    with pytest.raises(bb.InputError, match=r"data\.csv"):
        plainly_read(tmp_path / "data.csv")


def test_and_so_are_other_kinds_of_files(tmp_path) -> None:
    (tmp_path / "data.xlsx").write_bytes(b"PK")
    with refused("input.unknown-format", "data.xlsx"):
        plainly_read(tmp_path / "data.xlsx")
