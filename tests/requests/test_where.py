"""``where``: what is asked of some records is answered as if there were no others."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from examples import examples
from hypothesis import assume, given
from partition_engine import PartitionEngine
from refusal import refused
from report_reading import read_back
from selections import beforehand, frames, meets, numbers_in, places, wheres

import biombo as bb
from biombo._attack import as_json as risk_as_json
from biombo._engine import LOCAL
from biombo._report.charts import as_specification, drawing
from biombo._search import as_json as plans_as_json
from biombo._utility import as_json as utility_as_json

pytestmark = pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")

each_engine = pytest.mark.parametrize("engine", [LOCAL, PartitionEngine(3)], ids=["local", "partitions"])
ABOUT: dict[str, Any] = {"quasi": ["sex", "age"], "sensitive": ["ill"]}
SCHEMA = {
    "columns": {
        "age": {"role": "quasi", "type": "categorical"},
        "sex": {"role": "quasi"},
        "ill": {"role": "sensitive", "invalid": ["999"]},
    }
}


def large(rows: int = 437) -> pl.DataFrame:
    """Enough people for groups, of whom those of some towns are asked for."""
    chance = np.random.default_rng(7)
    return pl.DataFrame(
        {
            "city": chance.choice(["A", "B", "C"], rows),
            "day": chance.choice(["2022-07-01", "2023-02-03", "2023-08-09"], rows),
            "age": chance.integers(18, 60, rows).astype(str),
            "sex": chance.choice(["F", "M"], rows),
            "ill": chance.choice(["flu", "gout", "tb"], rows, p=[0.6, 0.3, 0.1]),
        }
    )


LARGE, WHERE = large(), {"city": ["A", "B"], "day": {"at-least": "2023-01-01", "below": "2024-01-01"}}


def without_source(found: Any) -> Any:
    """What was found, but for what the table is called; sums depend on the order of what is added."""
    if isinstance(found, dict):
        named = ("source", "label", "original", "release", "plan_hash", "out", "plan")
        return {key: without_source(value) for key, value in found.items() if key not in named}
    if isinstance(found, list):
        return [without_source(each) for each in found]
    return round(found, 9) if isinstance(found, float) else found


@each_engine
@examples(20)
@given(table=frames(), where=wheres)
def test_the_selected_are_attacked_as_a_table_of_them_is(engine, table, where) -> None:
    alone = beforehand(table, where)
    request = bb.RiskRequest(**ABOUT, schema=SCHEMA)
    asked = replace(request, where=where)
    if alone.is_empty():
        with refused("input.none-selected"):
            asked.run(table, engine=engine)
        return
    try:
        expected = risk_as_json(request.run(alone, engine=engine).risk)
    except bb.BiomboError as error:
        with refused(error.key):
            asked.run(table, engine=engine)
        return
    assert without_source(risk_as_json(asked.run(table, engine=engine).risk)) == without_source(expected)


@each_engine
@examples(15)
@given(table=frames(40), where=wheres)
def test_the_search_is_among_the_selected(engine, table, where) -> None:
    alone = beforehand(table, where)
    assume(alone.height >= 2)
    request = bb.SearchRequest(**ABOUT, schema=SCHEMA, k=2, max_suppression=0.4, explain=True)
    here = request.run(alone, engine=engine)
    found = replace(request, where=where).run(table, engine=engine)

    assert without_source(plans_as_json(found.plans)) == without_source(plans_as_json(here.plans))
    for plan, same in zip(found.plans, here.plans, strict=True):
        assert plan.plan == same.plan.selecting([bb.SelectRecords(where)])


def test_of_fewer_than_k_a_search_does_not_tell_how_many_there_are() -> None:
    request = bb.SearchRequest(**ABOUT, k=200, where=WHERE)
    with pytest.raises(bb.UsageError) as caught:
        request.run(LARGE)
    assert caught.value.key == "plan.few-selected"
    assert str(beforehand(LARGE, WHERE).height) not in str(caught.value)


def test_its_frontier_and_report_are_about_them_too(tmp_path) -> None:
    request = bb.SearchRequest(**ABOUT, k=3, max_suppression=0.2, frontier=True, report=str(tmp_path / "search.html"))
    with drawing(as_specification):
        here = request.run(beforehand(LARGE, WHERE))
        found = replace(request, where=WHERE, force=True).run(LARGE)

    assert without_source(found.as_json()) == without_source(here.as_json())
    best = [point.best.plan for point in found.frontier.points if point.best]
    assert best
    assert all(plan.selections == (bb.SelectRecords(WHERE),) for plan in best)


def test_records_are_told_by_their_numbers_in_the_whole_table(tmp_path) -> None:
    whole = LARGE.with_row_index("number")
    request = bb.RiskRequest(**ABOUT, where=WHERE, records=["sex"], private=str(tmp_path / "private"))
    request.run(whole)

    rows = pl.read_csv(tmp_path / "private" / "records.csv")["row"].to_list()
    assert rows == places(whole, WHERE)
    replace(request, force=True).run(bb.read(whole))
    assert pl.read_csv(tmp_path / "private" / "records.csv")["row"].to_list() == rows


def test_a_table_that_was_read_is_selected_from_as_well() -> None:
    read = bb.read(LARGE)
    for request in (bb.RiskRequest(**ABOUT, where=WHERE), bb.SearchRequest(**ABOUT, where=WHERE, k=2)):
        assert without_source(request.run(read).as_json()) == without_source(request.run(LARGE).as_json())
    with refused("column.missing", "'city'"):
        bb.RiskRequest(**ABOUT, where=WHERE).run(bb.read(LARGE, columns=["sex", "age", "ill"]))
    with refused("input.none-selected"):
        bb.RiskRequest(**ABOUT, where={"city": "Z"}).run(read)


PUBLISH = {**ABOUT, "schema": SCHEMA, "k": 3, "max_suppression": 0.2, "l": 2}


def told_of(published: bb.PublishOutcome) -> dict[str, Any]:
    """All that a release says, in public and in private, but for what is drawn and what the plan is called."""
    release = published.release
    assert release is not None, published.refused
    lost = bb.utility(LARGE, release.out / release.manifest.data, plan=release.private / "plan.yaml")
    return {
        "records": Counter(map(str, release.data.drop("trace_id").rows())),
        "claims": [each.to_tree() for each in release.manifest.claims if each.name not in ("plan", "columns-left-out")],
        "measured": release.measured.as_json(),
        "applied": without_source(release.applied.as_json()),
        "loss": lost.measures if release.plan.selections else None,
        "numbers": [_numbers(folder / "report.html") for folder in (release.out, release.private)],
        "cells": pl.read_parquet(release.private / "cells.parquet")["records"].sum(),
        "verified": bb.verify(release.out).holds,
    }


def _numbers(page: Path) -> list[str]:
    """All numbers of a report, in their order; without days, hashes and keys."""
    words = read_back(page.read_text()).text
    return list(numbers_in(re.sub(r"[0-9a-f]{16,}|key-\w+|\d{4}-\d\d-\d\d[^ ]*|\d\d?:\d\d", "…", words)))


@each_engine
def test_a_release_of_the_selected_says_what_one_of_a_table_of_them_says(engine, tmp_path) -> None:
    alone = beforehand(LARGE, WHERE)
    asked = bb.PublishRequest(out=str(tmp_path / "a"), **PUBLISH)
    with drawing(as_specification):
        here = asked.run(alone, engine=engine)
        found = replace(asked, where=WHERE, out=str(tmp_path / "b")).run(LARGE, engine=engine)
    expected, told = told_of(here), told_of(found)

    assert {**told, "loss": None} == expected
    lost = bb.utility(alone, here.release.data.drop("trace_id"), plan=here.release.plan)
    assert told["loss"].completeness == pytest.approx(lost.measures.completeness)
    assert told["loss"].loss == pytest.approx(lost.measures.loss)
    assert found.release.plan == here.release.plan.selecting([bb.SelectRecords(WHERE)])


def test_trace_ids_lead_to_the_records_of_the_whole_table(tmp_path) -> None:
    """Of several files, and of a table that was read, all of them; and a source is recognised as a whole."""
    for number, part in enumerate((LARGE[:150], LARGE[150:])):
        part.write_csv(tmp_path / f"part{number}.csv")
    files = sorted(map(str, tmp_path.glob("*.csv")))
    read = bb.read(LARGE)
    for name, source in (("files", files), ("read", read)):
        request = bb.PublishRequest(out=str(tmp_path / name), **PUBLISH, where=WHERE)
        with drawing(as_specification):
            release = request.run(source).release
        origins = bb.trace(release.out, release.data["trace_id"], source=source, reason="a test")
        for row in release.data.iter_rows(named=True):
            found = origins[row["trace_id"]]
            start = 150 if found.source.endswith("part1.csv") else 0
            record = LARGE.row(start + found.number - 1, named=True)
            assert found.checked
            assert meets(record, WHERE)
            assert record["ill"] == row["ill"]
        assert len({(each.source, each.number) for each in origins.values()}) == release.data.height


def test_a_plan_is_applied_published_and_measured_for_the_selected(tmp_path) -> None:
    plan = bb.Plan([bb.SuppressGroups()], [bb.KAnonymity(2)], ["sex", "age"], ["ill"])
    plan.save(tmp_path / "plan.yaml")
    LARGE.write_csv(tmp_path / "people.csv")
    files = {"files": [str(tmp_path / "people.csv")], "plan": str(tmp_path / "plan.yaml")}
    applied = bb.ApplyRequest(**files, where=WHERE, out=str(tmp_path / "out.csv")).run().applied
    alone = bb.apply(beforehand(LARGE, WHERE), plan)

    assert (applied.rows, applied.suppressed) == (alone.rows, alone.suppressed)
    assert applied.plan_hash == plan.selecting([bb.SelectRecords(WHERE)]).hash
    for known in ({"where": WHERE, "plan": files["plan"]}, {"where": WHERE}):
        asked = bb.UtilityRequest(original=files["files"][0], release=str(tmp_path / "out.csv"), **known).run()
        there = bb.utility(beforehand(LARGE, WHERE), alone.data, plan=plan if "plan" in known else None)
        assert without_source(utility_as_json(asked.utility)) == without_source(utility_as_json(there))
    with drawing(as_specification):
        published = bb.PublishRequest(**files, where=WHERE, out=str(tmp_path / "release")).run()
    assert published.release.plan.selections == (bb.SelectRecords(WHERE),)
    assert published.release.applied.rows == alone.rows


def test_public_files_tell_no_condition_and_no_number_of_others(tmp_path) -> None:
    planted = LARGE.with_columns(city=pl.col("city").replace({"A": "TownAMarker", "C": "TownCMarker"}))
    request = bb.PublishRequest(out=str(tmp_path / "r"), **PUBLISH, where={"city": ["TownAMarker", "B"]})
    with drawing(as_specification):
        release = request.run(planted).release
    report = read_back((release.out / "report.html").read_text()).text
    others = [path for path in sorted(release.out.iterdir()) if path.suffix not in (".html", ".csv")]

    assert "Marker" not in "".join(path.read_text() for path in release.out.iterdir())
    told = report + "".join(path.read_text() for path in others)
    assert not re.search(rf"\b({LARGE.height}|{(LARGE['city'] == 'C').sum()})\b", told)
    assert "conditions on city" in report


def test_mistakes_in_conditions_are_told_before_the_work(tmp_path) -> None:
    LARGE.write_csv(tmp_path / "people.csv")
    files = {"files": [str(tmp_path / "people.csv")], **ABOUT}
    with refused("column.missing", "'town'"):
        bb.RiskRequest(**files, where={"town": "A"}).check()
    with refused("plan.where-values", "'city'"):
        bb.RiskRequest(**files, where={"city": 7})
    with refused("plan.where-empty"):
        bb.SearchRequest(**files, where={})
    with pytest.raises(bb.BiomboError, match="where"):
        bb.SearchRequest(**files, where=["city"])


def test_records_that_are_selected_by_their_files_names_are_traced(tmp_path) -> None:
    for year in ("2022", "2023"):
        people = {"sex": ["F", "M"] * 10, "number": [f"{year}-{number}" for number in range(1, 21)]}
        pl.DataFrame(people).write_csv(tmp_path / f"people{year}.csv")
    request = bb.PublishRequest(
        files=[str(tmp_path / "*.csv")],
        filename="people{year:4}.csv",
        where={"year": "2023"},
        quasi=["sex"],
        k=2,
        other=["number"],
        accept_column=["number"],
        reason="a test",
        out=str(tmp_path / "release"),
    )
    with drawing(as_specification):
        release = request.run().release
    origins = bb.trace(release.out, release.data["trace_id"], reason="a test")

    assert release.data.height == 20
    for row in release.data.iter_rows(named=True):
        found = origins[row["trace_id"]]
        assert found.checked
        assert (Path(found.source).name, f"2023-{found.number}") == ("people2023.csv", row["number"])
