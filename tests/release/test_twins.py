"""Twins: two tables with the same released records, and other people besides. Nothing public tells them apart.

Both are published by the same plan. What is released of both, and its originals, is the same, and so are counts of at
least k people; who else is in the tables, and what is said of them, is not.
"""

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from examples import examples
from hypothesis import given, reject
from hypothesis import strategies as st
from pyarrow import parquet

import biombo as bb
from biombo._report.charts import as_specification, drawing

WAYS = {
    "suppress-groups": [bb.SuppressGroups()],
    "suppress-records": [bb.SuppressRecords({"stays": ["no"]})],
    "drop-invalid": [bb.DropInvalid({"sex": ["?", None]})],
    "invalid-and-records": [bb.DropInvalid({"sex": ["?", None]}), bb.SuppressRecords({"stays": ["no"]})],
    "drop-duplicates": [bb.DropDuplicates(["number"])],
    "select-records": [bb.SelectRecords({"stays": ["yes"]})],
}
"""How people are left out."""
WHEN = re.compile(r'<p class="meta">.*?</p>|<footer>.*?</footer>', re.DOTALL)

Record = dict[str, Any]

AGE = bb.Generalise("age", bb.Hierarchy.by_interval(10), 1)
LOCALLY = bb.RecodeLocally(
    [
        bb.RecodedColumn("age", bb.Hierarchy.by_interval(5, [2])),
        *(bb.RecodedColumn(name, bb.Hierarchy.all_or_nothing()) for name in ("city", "sex")),
    ]
)
TYPES = {"number": pl.Int64, "amount": pl.Float64, "age": pl.Int64}


@dataclass(frozen=True)
class Twins:
    """Records that are released from both tables, others by table, and how both are published."""

    k: int
    released: tuple[Record, ...]
    others: tuple[tuple[Record, ...], tuple[Record, ...]]
    way: str
    """How the others are left out."""
    source: str
    person: bool
    several_sets: bool
    masking: bool
    """Are small groups of the released masked, and further ones to hide them?"""
    criteria: tuple[bb.Criterion, ...]
    waived: tuple[bb.Waiver, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    on_record: bool = False
    locally: bool = False
    """Are the released recoded by groups of their own?"""

    @property
    def plan(self) -> bb.Plan:
        sets = [["city", "age"], ["sex"]] if self.several_sets else [None]
        return bb.Plan(
            [
                *(each for each in WAYS[self.way] if isinstance(each, bb.SelectRecords)),  # which stands first
                *([] if self.locally else [AGE]),
                *(each for each in WAYS[self.way] if not isinstance(each, bb.SelectRecords)),
                *([LOCALLY] if self.locally else []),
                *([bb.MaskGroups()] if self.masking else []),
            ],
            [*(bb.KAnonymity(self.k, quasi=each) for each in sets), *self.criteria],
            quasi=["city", "sex", "age"],
            sensitive=["disease"],
            identifiers=["number", "stays"],
            person="person" if self.person else None,
            waived=self.waived,
        )


def record(draw: st.DrawFn, number: int, person: str) -> Record:
    drawn = {
        "city": "A",
        "sex": draw(st.sampled_from("FM")),
        "age": draw(st.integers(30, 39)),
        "disease": draw(st.sampled_from(["flu", "gout", "tb"])),
        "amount": draw(st.sampled_from([1, 2])),
    }
    return {"number": number, "person": person, "stays": "yes"} | drawn


@st.composite
def twins(draw: st.DrawFn, ways: Iterable[str] = WAYS) -> Twins:
    k = draw(st.integers(2, 4))
    way = draw(st.sampled_from(sorted(ways)))
    person = draw(st.booleans())
    released = [
        record(draw, len("AB") * n + place, f"p{n}-{place}") | {"city": city, "sex": sex}
        for place, (city, sex) in enumerate(draw(st.sampled_from([[("A", "F")], [("A", "F"), ("B", "M")]])))
        for n in range(draw(st.integers(k, k + 4)))
    ]
    if person and draw(st.booleans()):  # somebody with several records
        released += [replace_number(released[0], 900 + n) for n in range(draw(st.integers(1, 3)))]
    masking = draw(st.booleans()) and way != "suppress-groups"
    if masking and draw(st.booleans()):
        released.append(record(draw, 800, "p-alone") | {"city": "C", "sex": "F"})
    many = draw(st.booleans())
    people = draw(st.integers(k, k + 3)) if many else None
    chosen, source = draw(options()), draw(st.sampled_from(["polars", "pandas", "csv", "parquet", "sqlite"]))
    locally = draw(st.booleans()) and way != "suppress-groups" and not masking
    choosing = Choosing(source, person, chosen.get("other", []), locally)
    others = tuple(tuple(other_people(draw, way, k, people, released, side, choosing)) for side in (0, 1))
    return Twins(
        k=k,
        released=tuple(released),
        others=others,
        way=way,
        source=source,
        person=person,
        several_sets=draw(st.booleans()) and way != "suppress-groups" and not masking,
        masking=masking,
        criteria=tuple(draw(st.lists(st.sampled_from(CRITERIA), max_size=2, unique_by=type))),
        waived=tuple(draw(st.lists(st.builds(waiver, st.sampled_from(WAIVED)), max_size=2, unique_by=of_kind))),
        options=chosen,
        on_record=draw(st.booleans()),
        locally=locally,
    )


def waiver(criterion: bb.Criterion) -> bb.Waiver:
    """Also of values that only others have, or nobody."""
    listed = dict.fromkeys(["flu", "gout", "tb", "rare", "", "nobody's"], "low")
    return bb.Waiver(criterion, reason="the term is signed", accepted_by="Ana Souza", values=listed)


def of_kind(waived: bb.Waiver) -> type:
    return type(waived.criterion)


WAIVED = [bb.LDiversity(3, column="disease"), bb.TCloseness(0.05, column="disease"), bb.Leakage(0.0, column="disease")]
CRITERIA = [bb.TCloseness(0.99), bb.Leakage(0.99), bb.Leakage(50, form="multiplicative"), bb.Vulnerability(0.999)]


def replace_number(of: Record, number: int) -> Record:
    return of | {"number": number}


def other_people(
    draw: st.DrawFn, way: str, k: int, people: int | None, released: list[Record], side: int, choosing: "Choosing"
) -> Iterator[Record]:
    """So many people, or fewer than k; one of them may have several records, where people are counted."""
    number = draw(st.integers(0, k - 1)) if people is None else people
    for n in range(number):
        several = draw(st.integers(1, 4)) if choosing.person and people is None else 1
        for again in range(several):
            yield other(draw, way, n, f"q{side}-{n}", 100 + 10 * n + again, released, choosing)


def other(
    draw: st.DrawFn, way: str, n: int, person: str, number: int, released: list[Record], choosing: "Choosing"
) -> Record:
    strange = {
        "disease": draw(st.sampled_from(["flu", "gout", "tb", "rare", None])),
        "amount": draw(st.sampled_from([1, 7, None, 2.5])),
        "age": draw(st.integers(0, 99)),
    }
    fixed: Record = {
        "suppress-groups": strange | {"city": f"nobody else's {n}"},
        "suppress-records": strange | {"stays": "no"},
        "drop-invalid": strange | {"sex": "?"},
        "invalid-and-records": strange | ({"sex": "?"} if n % 2 else {"stays": "no"}),
        "drop-duplicates": strange | {"number": released[0]["number"]},
        "select-records": strange | {"stays": draw(st.sampled_from(["no", None]))},
    }[way]
    found = record(draw, number, person) | fixed
    return never_chosen(found, released[0], choosing) if way == "drop-duplicates" else found


def never_chosen(found: Record, instead_of: Record, choosing: "Choosing") -> Record:
    """A duplicate that is left out: which one stays depends on all values, so one of them is changed until it is so."""
    for n in count():
        tried = found | {"stays": f"no {n}"}
        if choosing.stays(instead_of, tried) == instead_of["stays"]:
            return tried
    raise AssertionError


@dataclass(frozen=True)
class Choosing:
    """How one of several duplicates is chosen: by the columns in use, as the source has them."""

    source: str
    person: bool
    other: list[str]
    locally: bool

    def stays(self, *records: Record) -> str:
        table = pl.DataFrame(records, schema_overrides=TYPES, infer_schema_length=None)
        if self.source == "csv":
            table = pl.read_csv(table.write_csv().encode(), infer_schema=False)
        plan = bb.Plan(
            [*([] if self.locally else [AGE]), bb.DropDuplicates(["number"])],
            quasi=["city", "sex", "age"],
            sensitive=["disease"],
            identifiers=["number"],
            person="person" if self.person else None,
        )
        return bb.apply(table, plan, keep=["stays", *self.other]).data["stays"].item()


@st.composite
def options(draw: st.DrawFn) -> dict[str, Any]:
    found: dict[str, Any] = {"format": draw(st.sampled_from(["csv", "parquet"]))}
    if draw(st.booleans()):
        found |= {"other": ["amount"], "accept": {"amount": "asked for"}}
    if draw(st.booleans()):
        threshold = draw(st.sampled_from([0.01, 0.9]))
        found["model"] = bb.PublicRelease(harm="medium", own_threshold=threshold)
        found["override"] = "the law asks for it"
    if draw(st.booleans()):
        found["review"] = date(2027, 1, 31)
    if draw(st.integers(0, 9)) == 7:  # seldom, and 0 would be often: it takes ten times as long as all else
        found["predict"] = "disease"
    return found


def written(records: list[Record], kind: str, folder: Path) -> dict[str, Any]:
    """The table as a source of some kind: arguments for ``bb.publish``."""
    frame = pl.DataFrame(records, schema_overrides=TYPES, infer_schema_length=None)
    if kind == "csv":
        frame.write_csv(folder / "table.csv")
        return {"source": folder / "table.csv"}
    if kind == "parquet":
        frame.write_parquet(folder / "table.parquet")
        return {"source": folder / "table.parquet"}
    if kind == "pandas":
        return {"source": pd.DataFrame(records)}
    if kind == "sqlite":
        with sqlite3.connect(folder / "table.db") as database:
            pd.DataFrame(records).astype(object).to_sql("people", database, index=False)
        database.close()
        return {"source": "SELECT * FROM people", "database": f"sqlite:///{folder}/table.db"}
    return {"source": frame}


def published(pair: Twins, side: int, folder: Path) -> dict[str, Any]:
    """What is public of one of the tables, without what is new each time."""
    folder.mkdir()
    source = written([*pair.released, *pair.others[side]], pair.source, folder)
    release = bb.publish(**source, plan=pair.plan, out=folder / "release", **pair.options)
    told = {path.name: public_part(path) for path in sorted(release.out.iterdir())}
    if pair.on_record and release.decision is not None:
        told["register"] = on_record(release, folder)
    return told


def public_part(path: Path) -> Any:
    if path.suffix == ".html":
        return WHEN.sub("", path.read_text())
    if path.name == "manifest.json":
        return manifest(json.loads(path.read_text()))
    if path.name == "data.parquet":
        table = pl.read_parquet(path).drop("trace_id")
        return parquet.read_schema(path).to_string(), in_order(table)
    if path.name == "data.csv":
        return in_order(pl.read_csv(path, infer_schema=False).drop("trace_id"))
    return path.read_text()


def in_order(table: pl.DataFrame) -> list[tuple[Any, ...]]:
    return sorted(table.rows(), key=repr)


def manifest(content: dict[str, Any]) -> dict[str, Any]:
    new_each_time = {"id", "created", "signature"}
    told = {name: value for name, value in content.items() if name not in new_each_time}
    told["files"] = sorted(content["files"])
    told["claims"] = [claim for claim in content["claims"] if claim["claim"] != "plan"]
    return told


def on_record(release: bb.Release, folder: Path) -> Any:
    register = bb.Register.open(f"sqlite:///{folder}/register.db")
    number = bb.put_on_record(release.out, register, department="Health", review=date(2027, 1, 31))
    return replace(register.get(number).entry, plan_hash="0" * 64, manifest_hash=None)


def differences(pair: Twins, folder: Path) -> list[str]:
    """The public files that differ; a pair is passed over where one of the tables is refused."""
    try:
        one, other = (published(pair, side, folder / str(side)) for side in (0, 1))
    except (bb.RefusedError, bb.SuppressionError):
        reject()
    assert one.keys() == other.keys()
    return [name for name in one if one[name] != other[name]]


@pytest.mark.parametrize("way", WAYS)
@examples(12, fuzz=400)
@given(data=st.data())
def test_nothing_public_tells_twins_apart(way, data, tmp_path_factory) -> None:
    pair = data.draw(twins([way]))
    with drawing(as_specification):
        assert differences(pair, tmp_path_factory.mktemp("twins")) == []


@examples(6)
@given(pair=twins())
def test_nor_do_the_pictures(pair, tmp_path_factory) -> None:
    assert differences(pair, tmp_path_factory.mktemp("twins")) == []


def large() -> Twins:
    """So many records that shares of the original, and predictions, are told."""
    released = tuple(
        {
            "number": n,
            "person": f"p{n}",
            "stays": "yes",
            "city": "AB"[n % 2],
            "sex": "FM"[n // 2 % 2],
            "age": 30 + n % 10,
        }
        | {"disease": ["flu", "gout", "tb"][(n * 7 + n // 5) % 3], "amount": 1 + n % 2}
        for n in range(440)
    )
    rare = released[0] | {"number": 999, "person": "q", "stays": "no", "disease": "rare", "age": 77}
    options = {"predict": "disease", "model": bb.PublicRelease(harm="low", own_threshold=0.9)}
    return Twins(2, released, ((), (rare,)), "suppress-records", "polars", False, False, False, (), (), options)


def test_shares_of_the_original_and_predictions_are_the_same_too(tmp_path) -> None:
    with drawing(as_specification):
        alone = published(large(), 0, tmp_path / "alone")
        assert published(large(), 1, tmp_path / "with-another") == alone
    assert re.search(r"\d+%", alone["report.html"])
