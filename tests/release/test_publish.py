"""The six steps: what comes out, and what stays at home."""

import json
import os
import stat

import polars as pl
import pytest

import biombo as bb

PUBLIC = {"data.csv", "dictionary.csv", "dictionary.json", "manifest.json", "README.txt", "report.html"}
PRIVATE = {
    "cells.parquet",
    "outcome.parquet",
    "plan.salt",
    "plan.yaml",
    "public.key",
    "release.key",
    "report.html",
    "result.json",
    "trace.vault",
}


def names_in(folder) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_both_folders_have_what_belongs_there_and_nothing_else(release) -> None:
    assert names_in(release.out) == PUBLIC
    assert names_in(release.private) == PRIVATE
    assert names_in(release.out.parent) == {"release", "release.private"}


def test_the_private_folder_is_for_its_owner_alone(release) -> None:
    assert stat.S_IMODE(release.private.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in release.private.iterdir()} == {0o600}


def test_the_public_folder_is_as_the_umask_has_it(people, plan, tmp_path) -> None:
    before = os.umask(0o027)
    try:
        release = bb.publish(people, plan, tmp_path / "release")
    finally:
        os.umask(before)

    assert stat.S_IMODE(release.out.stat().st_mode) == 0o750


def test_trace_ids_come_first_and_identifiers_and_columns_without_a_role_not_at_all(release) -> None:
    assert release.data.columns == ["trace_id", "age", "sex", "disease", "visits"]
    assert release.unspoken == ("remark",)


def test_no_group_is_below_k_the_masked_one_included(release) -> None:
    groups = release.data.group_by("age", "sex").len()
    masked = release.data.filter(age="#####")

    assert groups["len"].min() >= 10
    assert masked.height == release.applied.masked >= 10
    assert set(masked["sex"]) == {"#####"}


def test_all_records_are_there(people, release) -> None:
    assert release.data.height == people.height
    assert sorted(release.data["visits"]) == sorted(str(n) for n in people["visits"])


def test_trace_ids_are_128_bits_and_new_each_time(people, plan, release, tmp_path) -> None:
    other = bb.publish(people, plan, tmp_path / "other")
    ids = [*release.data["trace_id"], *other.data["trace_id"]]

    assert all(len(bytes.fromhex(each)) == 16 for each in ids)
    assert len(set(ids)) == 2 * people.height
    assert release.id != other.id


def test_records_are_in_another_order_each_time(people, plan, tmp_path) -> None:
    one, other = (bb.publish(people, plan, tmp_path / name, other=["visits"]).data["visits"] for name in "ab")

    assert one.to_list() != other.to_list()


def test_parquet_keeps_numbers(people, plan, tmp_path) -> None:
    release = bb.publish(people, plan, tmp_path / "release", format="parquet", other=["visits"])

    assert names_in(release.out) == PUBLIC - {"data.csv"} | {"data.parquet"}
    assert release.data["visits"].dtype == pl.Int64
    assert bb.verify(release.out).holds


def test_csv_is_safe_to_open_in_a_spreadsheet(release) -> None:
    assert "'=1+1" in (release.out / "data.csv").read_text()
    assert "=1+1" in set(release.data["disease"])
    assert json.loads((release.out / "dictionary.json").read_text())["formulas_escaped"] is True


def test_the_plan_in_the_private_folder_is_the_one_that_was_carried_out(release, plan) -> None:
    kept = bb.Plan.load(release.private / "plan.yaml")

    assert kept == plan
    assert kept.hash == release.applied.plan_hash


def test_a_searched_plan_masks_what_is_left_in_small_groups(people, tmp_path) -> None:
    schema = bb.Schema(
        {
            "age": bb.ColumnSchema("quasi"),
            "sex": bb.ColumnSchema("quasi"),
            "disease": bb.ColumnSchema("sensitive"),
        }
    )
    data = bb.read(people, schema)
    hierarchies = {"age": bb.Hierarchy.by_interval(5, [2, 4]), "sex": bb.Hierarchy.all_or_nothing()}
    found = bb.search(data, bb.KAnonymity(10), hierarchies=hierarchies, max_suppression=0.2)
    masked = bb.publish(data, found[0], tmp_path / "masked")
    dropped = bb.publish(data, found[0], tmp_path / "dropped", small_groups="drop")

    assert (masked.data.height, masked.applied.suppressed) == (people.height, 0)
    assert masked.applied.masked >= dropped.applied.suppressed == found[0].suppressed > 0
    assert dropped.data.height == people.height - found[0].suppressed


def test_where_too_many_would_be_masked_the_small_groups_are_dropped(tmp_path) -> None:
    """Three records are alone; to hide them, ten others would have to be masked, more than is allowed."""
    cities = ["A"] * 10 + ["B"] * 10 + ["C"] * 3
    data = bb.read(pl.DataFrame({"city": cities}), bb.Schema({"city": bb.ColumnSchema("quasi")}))
    whole = {"city": bb.Hierarchy.all_or_nothing()}
    found = bb.search(data, bb.KAnonymity(5), max_suppression=0.15, hierarchies=whole)
    release = bb.publish(data, found[0], tmp_path / "release")

    assert (release.applied.suppressed, release.applied.unhidden, release.applied.masked) == (3, 3, 0)
    assert set(release.data["city"]) == {"A", "B"}


class TestRefusals:
    def test_criteria_that_are_not_met_leave_nothing(self, people, plan, tmp_path) -> None:
        bare = bb.Plan([], plan.criteria, plan.quasi, plan.sensitive, plan.identifiers)
        with pytest.raises(bb.RefusedError, match="does not meet"):
            bb.publish(people, bare, tmp_path / "release")

        assert names_in(tmp_path) == set()

    def test_a_risk_above_the_threshold_is_refused_with_what_would_pass(self, people, plan, tmp_path) -> None:
        with pytest.raises(bb.RefusedError, match="k = 100"):
            bb.publish(people, plan, tmp_path / "release", model=bb.PublicRelease(harm="high"))

        assert names_in(tmp_path) == set()

    def test_a_written_reason_overrides_it_and_stands_in_both_reports(self, people, plan, tmp_path) -> None:
        model = bb.PublicRelease(harm="high")
        release = bb.publish(people, plan, tmp_path / "release", model=model, override="ordered by a judge")

        for folder in (release.out, release.private):
            assert "ordered by a judge" in (folder / "report.html").read_text()

    @pytest.mark.parametrize(
        "said",
        [
            {"override": "see postgresql://ana:hunter2@h/x"},
            {"unprotected": "see postgresql://ana:hunter2@h/x"},
            {"accept": {"city": "password=hunter2"}},
        ],
    )
    def test_a_password_in_a_reason_is_refused_before_anything_is_made(self, people, plan, tmp_path, said) -> None:
        with pytest.raises(bb.UsageError, match="seems to hold a password"):
            bb.publish(people, plan, tmp_path / "release", model=bb.PublicRelease(harm="high"), **said)

        assert names_in(tmp_path) == set()

    def test_a_release_is_never_overwritten(self, people, plan, release) -> None:
        before = (release.out / "manifest.json").read_bytes()
        with pytest.raises(bb.UsageError, match="never overwritten"):
            bb.publish(people, plan, release.out)

        assert (release.out / "manifest.json").read_bytes() == before

    def test_the_private_part_of_a_release_that_was_moved_is_never_replaced(self, people, plan, release) -> None:
        release.out.rename(release.out.parent / "online")
        vault = (release.private / "trace.vault").read_bytes()
        with pytest.raises(bb.UsageError, match="private folder"):
            bb.publish(people, plan, release.out)

        assert (release.private / "trace.vault").read_bytes() == vault
        assert names_in(release.out.parent) == {"online", "release.private"}

    @pytest.mark.parametrize("private", ["release", "release/private", "."])
    def test_no_folder_lies_inside_of_the_other(self, people, plan, tmp_path, private) -> None:
        with pytest.raises(bb.UsageError, match="inside of the"):
            bb.publish(people, plan, tmp_path / "release", private=tmp_path / private)

        assert names_in(tmp_path) == set()

    def test_a_column_called_like_the_trace_ids_is_named(self, people, plan, tmp_path) -> None:
        with pytest.raises(bb.ColumnError, match="trace_id"):
            bb.publish(people.rename({"visits": "trace_id"}), plan, tmp_path / "release", other=["trace_id"])

        assert names_in(tmp_path) == set()

    def test_a_quasi_column_of_the_schema_that_the_plan_does_not_protect_is_left_out(self, people, plan, tmp_path):
        schema = bb.Schema({"remark": bb.ColumnSchema("quasi"), "visits": bb.ColumnSchema("other")})
        release = bb.publish(people, plan, tmp_path / "release", schema=schema)

        assert release.data.columns == ["trace_id", "age", "sex", "disease", "visits"]
        assert release.unspoken == ("remark",)

    def test_not_even_the_name_of_a_column_that_nobody_decided_on_goes_out(self, people, plan, tmp_path) -> None:
        release = bb.publish(people.rename({"remark": "Maria da Silva"}), plan, tmp_path / "release")

        assert "Maria da Silva" in release.unspoken
        public = [path for path in release.out.rglob("*") if path.is_file()]
        assert not [path.name for path in public if "Maria da Silva" in path.read_bytes().decode("latin-1")]


def test_pseudonymised_identifiers_are_released_and_their_tables_kept_at_home(people, plan, tmp_path) -> None:
    key = tmp_path / "research.key"
    pseudonyms = bb.Pseudonymise("name", "random", key=bb.new_key(key), reversible_=True)
    with_names = bb.Plan([pseudonyms, *plan.operations], plan.criteria, plan.quasi, plan.sensitive, plan.identifiers)
    release = bb.publish(people, with_names, tmp_path / "release", plan_keys=key)
    revealed = bb.reveal(
        release.data["name"][:5],
        "name",
        plan=release.private / "plan.yaml",
        key=key,
        private=release.private,
        who="DPO",
        reason="test",
    )

    assert "name" in release.data.columns
    assert set(revealed.values()) <= set(people["name"])
    assert [path.exists() for path in release.applied.identity_tables] == [True]


class TestCountsInPublic:
    def test_nothing_is_told_about_fewer_people_than_k(self, tmp_path) -> None:
        """Three records are suppressed, which would be a statistic on three people."""
        table = pl.DataFrame({"city": ["A"] * 12 + ["B"] * 3})
        plan = bb.Plan([bb.SuppressGroups()], [bb.KAnonymity(10)], quasi=["city"])
        release = bb.publish(table, plan, tmp_path / "release")
        claims = {claim.name: claim.value for claim in release.manifest.claims}

        assert release.applied.suppressed == 3
        assert claims["records-suppressed"] is None
        assert "3" in (release.private / "result.json").read_text()

    def test_nor_can_it_be_told_from_the_others(self, tmp_path) -> None:
        """Three records are masked, and ten others to hide them: both numbers together would tell the three."""
        table = pl.DataFrame({"city": ["A"] * 12 + ["B"] * 10 + ["C"] * 3})
        plan = bb.Plan([bb.MaskGroups()], [bb.KAnonymity(10)], quasi=["city"])
        release = bb.publish(table, plan, tmp_path / "release")
        claims = {claim.name: claim.value for claim in release.manifest.claims}

        assert (release.applied.masked, release.applied.masked_further) == (13, 10)
        assert claims["records-masked"] == 13
        assert claims["records-masked-to-hide-others"] is None


def test_a_schema_whose_adversaries_know_columns_that_are_left_out_is_fine(people, plan, tmp_path) -> None:
    schema = bb.Schema({"visits": bb.ColumnSchema("quasi")}, adversaries={"employer": ("visits",)})
    release = bb.publish(people, plan, tmp_path / "release", schema=schema)

    assert "visits" in release.unspoken


def test_a_month_of_outpatient_care_is_published_and_verified(siapa_file, tmp_path) -> None:
    """By the municipality, age, sex and race of patients; whatever else the file has is left out."""
    quasi = ["PA_SEXO", "PA_RACACOR", "PA_IDADE", "PA_MUNPCN"]
    data = bb.read(siapa_file, "siapa", columns=[*quasi, "PA_PROC_ID"])
    asked = [bb.KAnonymity(10), bb.LDiversity(2)]
    found = bb.search(data, asked, quasi=quasi, max_suppression=0.05, missing="suppress")
    release = bb.publish(siapa_file, found[0], tmp_path / "release", schema="siapa", format="parquet")
    groups = release.data.group_by(quasi).agg(pl.len(), pl.col("PA_PROC_ID").n_unique().alias("values"))

    assert release.data.height == data.rows == release.applied.rows
    assert set(release.data.columns) == {"trace_id", "PA_PROC_ID", *quasi}
    assert groups["len"].min() >= 10
    assert groups["values"].min() >= 2
    assert bb.verify(release.out, key=release.private / "public.key").origin_proved


def test_whoever_waits_is_told_of_each_stage(people, plan, tmp_path) -> None:
    told: list[object] = []
    bb.publish(people, plan, tmp_path / "release", stage=told.append, progress=lambda *rows: told.append(rows))
    stages = [each for each in told if isinstance(each, str)]

    assert stages == ["protecting", "reading", "measuring", "comparing", "reporting", "verifying"]
    assert (300, 300) in told[told.index("protecting") : told.index("reading")]
    after = told[told.index("reading") : told.index("measuring")]
    assert after == ["reading", (300, 300)], "identifiers alone were not read with the plan"


@pytest.mark.parametrize("at", ["protecting", "reading", "measuring", "comparing", "reporting", "verifying"])
def test_whoever_interrupts_it_at_any_stage_leaves_nothing_behind(people, plan, tmp_path, at) -> None:
    def interrupt(stage: str) -> None:
        if stage == at:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bb.publish(people, plan, tmp_path / "release", stage=interrupt)

    assert list(tmp_path.iterdir()) == []


def test_the_risk_cannot_be_decided_without_group_sizes(people, tmp_path) -> None:
    plan = bb.Plan([], [bb.LDiversity(2)], quasi=["sex"], sensitive=["disease"])
    stages: list[str] = []
    with pytest.raises(bb.UsageError, match="no k-anonymity is asked for"):
        bb.publish(people, plan, tmp_path / "release", model=bb.PublicRelease(harm="low"), stage=stages.append)

    assert stages == []
