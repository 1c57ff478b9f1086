"""``cells.parquet`` in the private folder."""

import stat
import tempfile
from functools import partial
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import biombo as bb
from biombo._data import SourceTable
from biombo._plan import Onlooker, apply_to_table
from biombo._release import write_cells

CELLS = "cells.parquet"
ROLES = {"age": "quasi", "sex": "quasi", "disease": "sensitive"}
RECORDS = st.tuples(
    st.sampled_from("12345"), st.sampled_from("FM"), st.sampled_from(["flu", "gout", None]), st.integers(1, 9)
)


def table_of(cells: pl.DataFrame) -> pl.DataFrame:
    """A row for each record again."""
    return cells.select(pl.exclude("records").repeat_by("records").explode())


def judged_again(cells: pl.DataFrame, criteria, *, person: str | None) -> bb.Judgement:
    records = table_of(cells)
    described = {name: bb.ColumnSchema(role=role) for name, role in ROLES.items()}
    if person is not None:
        described[person] = bb.ColumnSchema(role="identifier")
    data = bb.read(records, bb.Schema(described, person), columns=list(described))
    return bb.judge(data, criteria, suppressed=~records["released"].to_numpy())


@pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")
@settings(max_examples=60)
@given(
    rows=st.lists(RECORDS, min_size=1, max_size=40), k=st.integers(1, 4), by_person=st.booleans(), masking=st.booleans()
)
def test_every_judgement_is_recomputed_from_the_cells(rows, k, by_person, masking) -> None:
    person = "number" if by_person else None
    plan = bb.Plan(
        [bb.Generalise("age", bb.Hierarchy.by_interval(2), 1), bb.MaskGroups() if masking else bb.SuppressGroups()],
        [bb.KAnonymity(k), bb.LDiversity(2), bb.TCloseness(0.9), bb.Leakage(0.9)],
        quasi=["age", "sex"],
        sensitive=["disease"],
        identifiers=["number"],
        person=person,
    )
    table = SourceTable.open(pl.DataFrame(rows, schema=["age", "sex", "disease", "number"], orient="row"))
    with tempfile.TemporaryDirectory() as folder:
        onlooker = Onlooker(
            lambda frame, _origins: (frame, b""), lambda _links: None, partial(write_cells, Path(folder))
        )
        try:
            applied = apply_to_table(table, plan, None, bb.Schema(), onlooker=onlooker)
        except bb.BiomboError:  # nothing is left, or what is masked cannot be hidden
            reject()
        cells = pl.read_parquet(Path(folder) / CELLS)
    again = judged_again(cells, plan.criteria, person=person)

    assert cells["records"].sum() == len(rows)
    assert cells.filter("released")["records"].sum() == applied.rows
    assert [each.achieved for each in again.verdicts] == pytest.approx(
        [each.achieved for each in applied.judgement.verdicts]
    )


def test_nobody_else_may_read_them(release) -> None:
    assert stat.S_IMODE((release.private / CELLS).stat().st_mode) == 0o600
    assert not (release.out / CELLS).exists()


def test_values_are_as_they_are_released_and_counted_once(release) -> None:
    cells = pl.read_parquet(release.private / CELLS)
    counted = release.data.group_by("age", "sex", "disease").len("records")

    assert cells.columns == ["age", "sex", "disease", "released", "records"]
    assert sorted(cells.filter("released").drop("released").rows(), key=str) == sorted(counted.rows(), key=str)


def test_a_person_is_only_a_number(people, plan, tmp_path) -> None:
    by_person = bb.Plan(plan.operations, plan.criteria, **{**plan_roles(plan), "person": "cpf"})
    release = bb.publish(people, by_person, tmp_path / "release")
    cells = pl.read_parquet(release.private / CELLS)

    assert set(cells["cpf"]) == set(range(1, people["cpf"].n_unique() + 1))


def plan_roles(plan: bb.Plan) -> dict[str, object]:
    return {"quasi": plan.quasi, "sensitive": plan.sensitive, "identifiers": ["name", "cpf"]}


def test_columns_may_be_called_like_the_counts(tmp_path) -> None:
    people = pl.DataFrame({"records": ["a", "b"] * 4, "released": ["x", "y"] * 4})
    plan = bb.Plan([], [bb.KAnonymity(2)], quasi=["records"], sensitive=["released"])
    release = bb.publish(people, plan, tmp_path / "release", unprotected="a test")

    assert pl.read_parquet(release.private / CELLS).rows() == [("a", "x", True, 4), ("b", "y", True, 4)]


def test_without_criteria_there_are_cells_too(people, tmp_path) -> None:
    plan = bb.Plan([bb.SuppressColumn("age")], quasi=["sex"], sensitive=["disease"], identifiers=["name", "cpf"])
    release = bb.publish(people, plan, tmp_path / "release", unprotected="a test")

    assert pl.read_parquet(release.private / CELLS)["records"].sum() == people.height
