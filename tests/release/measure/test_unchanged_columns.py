"""Nothing goes out as it is that singles people out or tells what was done away with, unless somebody accepts it."""

import json
from datetime import date, timedelta
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import biombo as bb
from biombo._engine import RowPairs
from biombo._release.measure import Finding, Untouched

AGES = bb.Generalise("age", bb.Hierarchy.by_interval(10), 1)


def table(rows: int = 200, **columns) -> pl.DataFrame:
    random = np.random.default_rng(5)
    ages = random.integers(20, 60, rows)
    made = {
        "code": [f"c{n:04}" for n in range(rows)],
        "copy": [f"x{age}" for age in ages],
        "born": [(date(2026, 1, 1) - timedelta(days=int(age * 365.25 + 100))).isoformat() for age in ages],
        "ward": random.choice(["north", "south"], rows),
        "shift": random.choice(["day", "night"], rows),
    }
    frame = pl.DataFrame({"age": ages, "disease": random.choice(["flu", "gout", "tb"], rows)})
    return frame.with_columns(**{name: pl.Series(made[name]) for name in columns if columns[name]})


def plan(**changes) -> bb.Plan:
    return bb.Plan(
        [AGES], [bb.KAnonymity(5)], quasi=["age"], sensitive=changes.pop("sensitive", ["disease"]), **changes
    )


def test_what_is_harmless_goes_out_and_is_counted(tmp_path) -> None:
    release = bb.publish(table(ward=True), plan(), tmp_path / "release", other=["ward"])

    assert release.data.columns == ["trace_id", "age", "disease", "ward"]
    assert release.measured.untouched.columns == ("disease", "ward")
    assert release.measured.findings == ()
    assert "columns go out as they are" in (release.out / "report.html").read_text()


@pytest.mark.parametrize(("column", "says"), [("code", "code"), ("copy", "copy"), ("born", "born")])
def test_what_tells_is_refused_with_its_name_and_the_remedy(tmp_path, column, says) -> None:
    with pytest.raises(bb.BiomboError) as refusal:
        bb.publish(table(**{column: True}), plan(), tmp_path / "release", other=[column], accept={})

    assert says in str(refusal.value)
    assert not (tmp_path / "release").exists()


@pytest.mark.parametrize("column", ["copy", "born"])
def test_a_sensitive_column_that_tells_is_refused_too(tmp_path, column) -> None:
    with pytest.raises(bb.RefusedError, match=f"accept={{'{column}'"):
        bb.publish(table(**{column: True}), plan(sensitive=[column]), tmp_path / "release")


def test_a_sensitive_value_that_names_an_age_group_is_refused(tmp_path) -> None:
    ages = table()["age"]
    groups = [f"Pessoas de {age // 5 * 5} a {age // 5 * 5 + 4} anos" for age in ages]

    with pytest.raises(bb.RefusedError, match="grupo tells age more finely"):
        bb.publish(table().with_columns(grupo=pl.Series(groups)), plan(sensitive=["grupo"]), tmp_path / "release")


def test_who_accepts_a_column_says_why_and_that_stands_in_both_reports(tmp_path) -> None:
    release = bb.publish(
        table(copy=True), plan(), tmp_path / "release", other=["copy"], accept={"copy": "known to everybody anyway"}
    )
    result = json.loads((release.private / "result.json").read_text())

    assert result["columns"]["accepted"] == {"copy": "known to everybody anyway"}
    assert [found["column"] for found in result["columns"]["findings"]] == ["copy"] * len(result["columns"]["findings"])
    for folder in (release.out, release.private):
        assert "known to everybody anyway" in (folder / "report.html").read_text()
    assert "copy tells age more finely" in (release.private / "report.html").read_text()
    assert "more finely than the release does" not in (release.out / "report.html").read_text()


def test_an_accepted_column_needs_a_reason(tmp_path) -> None:
    with pytest.raises(bb.UsageError, match="without a reason"):
        bb.publish(table(copy=True), plan(), tmp_path / "release", other=["copy"], accept={"copy": " "})


def test_two_columns_that_are_harmless_alone_can_be_too_much_together(tmp_path) -> None:
    rows = 60
    first = [f"a{n // 6}" for n in range(rows)]
    second = [f"b{n % 6}" for n in range(rows)]
    frame = pl.DataFrame({"age": [30] * rows, "first": first, "second": second})

    with pytest.raises(bb.RefusedError, match=r"first and second together put 100\.0% of the people"):
        bb.publish(frame, bb.Plan([], [bb.KAnonymity(5)], quasi=["age"]), tmp_path / "r", other=["first", "second"])


def test_within_the_limit_of_suppression_small_groups_pass(tmp_path) -> None:
    frame = table().with_columns(ward=pl.Series(["rare"] * 3 + ["usual"] * 197))
    plans = {share: plan(max_suppression=share) for share in (0.01, 0.02)}

    with pytest.raises(bb.RefusedError, match="ward"):
        bb.publish(frame, plans[0.01], tmp_path / "refused", other=["ward"])
    assert bb.publish(frame, plans[0.02], tmp_path / "release", other=["ward"]).out.is_dir()


def test_the_risk_of_who_knows_the_other_columns_too_is_shown_and_decides_nothing(tmp_path) -> None:
    model = bb.PublicRelease(harm="medium", own_threshold=0.2)
    release = bb.publish(table(ward=True, shift=True), plan(), tmp_path / "r", other=["ward", "shift"], model=model)
    groups = release.data.group_by("age", "ward", "shift").len()["len"].min()

    assert release.decision.with_others == groups < release.decision.smallest_group
    assert f"groups of {groups}" in str(release.decision)


SMALL = st.lists(
    st.tuples(*[st.sampled_from("ab"), st.sampled_from("xyz"), st.integers(0, 4)]), min_size=1, max_size=25
)


@settings(max_examples=60)
@given(SMALL, st.integers(2, 5), st.sampled_from([0.0, 0.1, 0.5]), st.booleans())
def test_groups_below_k_are_those_of_the_definition(records, k, limit, people) -> None:
    frame = pl.DataFrame(records, ["first", "second", "person"], orient="row")
    used = bb.Schema(
        {name: bb.ColumnSchema(role="other") for name in ("first", "second")}, person="person" if people else None
    )
    data = bb.read(frame, columns=[])
    found = Untouched(RowPairs.of(data, data), bb.Plan(max_suppression=limit), used, k).findings

    def share(names) -> float:
        who = (lambda row: row["person"]) if people else id
        rows = frame.to_dicts()
        groups: dict = {}
        for row in rows:
            groups.setdefault(tuple(row[name] for name in names), set()).add(who(row))
        small = {who(row) for row in rows if len(groups[tuple(row[name] for name in names)]) < k}
        return len(small) / len({who(row) for row in rows})

    alone = [name for name in ("first", "second") if share([name]) > limit]
    pairs = [pair for pair in combinations(("first", "second"), 2) if not {*pair} & {*alone} and share(pair) > limit]
    expected = {(name, None) for name in alone} | set(pairs)
    assert {(each.column, each.beside) for each in found if each.kind == "small-groups"} == expected


def test_findings_name_the_columns_that_must_be_accepted() -> None:
    assert Finding("a", "small-groups", "b", 0.5).columns == ("a", "b")
    assert Finding("a", "tells", "b").columns == ("a",)


@pytest.mark.filterwarnings("ignore:Column 'number' is changed by less than a hundredth")
@pytest.mark.parametrize(
    "operation",
    [
        bb.Round("number", 1),
        bb.TopBottomCode("number", top=10**9),
        bb.Generalise("number", bb.Hierarchy.by_prefix([3]), 0),
        bb.MaskCharacters("number", positions=[1]),
    ],
)
def test_an_operation_that_leaves_a_column_telling_makes_it_no_better(tmp_path, operation) -> None:
    frame = table().with_columns(number=pl.Series([str(10_000 + 7 * n) for n in range(200)]))
    changed = bb.Plan([AGES, operation], [bb.KAnonymity(5)], quasi=["age"], sensitive=["disease"])

    with pytest.raises(bb.BiomboError, match="number"):
        bb.publish(frame, changed, tmp_path / "release", other=["number"])


def test_what_is_derived_tells_as_well(tmp_path) -> None:
    frame = table(born=True).with_columns(seen=pl.lit("2026-01-01"))
    days = bb.DeriveDuration("born", "seen", "days", unit="days")
    derived = bb.Plan([AGES, days], [bb.KAnonymity(5)], quasi=["age"], sensitive=["disease"])

    with pytest.raises(bb.RefusedError, match="days tells age more finely"):
        bb.publish(frame, derived, tmp_path / "release")


@pytest.mark.parametrize("column", ["nome", "cpf", "email"])
def test_names_and_numbers_of_people_are_no_sensitive_values(tmp_path, column) -> None:
    values = {
        "nome": [f"Pessoa Inventada {n}" for n in range(200)],
        "cpf": [f"{n:03}.000.000-00" for n in range(200)],
        "email": [f"p{n}@exemplo.br" for n in range(200)],
    }
    frame = table().with_columns(pl.Series(column, values[column]))
    named = plan(sensitive=[column])
    with pytest.raises(bb.ColumnError, match="looks like an identifier"):
        bb.publish(frame, named, tmp_path / "release")
    with pytest.raises(bb.ColumnError, match="looks like an identifier"):
        bb.apply(frame, named)
