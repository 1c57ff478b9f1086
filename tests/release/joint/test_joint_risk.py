"""The joint risk of two releases that were published, by whoever may open both vaults."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from partition_engine import PartitionEngine
from plain_joint_risk import PlainJoint, PlainRelease

import biombo as bb

FIVE = pl.DataFrame(
    {
        "town": ["North", "North", "North", "South", "South"],
        "born": [1980, 1980, 1990, 1990, 1990],
        "disease": ["flu", "gout", "asthma", "cold", "fever"],
    }
)

Published = Callable[..., bb.Release]


@pytest.fixture
def published(tmp_path) -> Published:
    """Publishes to a new folder, by quasi columns of which groups of two are asked for."""
    made: list[bb.Release] = []

    def publish(table, *quasi: str, operations=(), sensitive=("disease",), k: int = 2, **options) -> bb.Release:
        criteria = [bb.KAnonymity(k)] if k else []
        plan = bb.Plan(operations, criteria, quasi=quasi, sensitive=sensitive)
        unprotected = {} if k else {"unprotected": "a test"}
        made.append(bb.publish(table, plan, tmp_path / f"release-{len(made)}", **unprotected, **options))
        return made[-1]

    return publish


def test_five_people_by_hand(published) -> None:
    """North {flu, gout, asthma} and South {cold, fever}; 1980 {flu, gout} and 1990 {asthma, cold, fever}."""
    found = bb.joint_risk(published(FIVE, "town").out, published(FIVE, "born").out, source=FIVE)

    assert (found.records, found.people, found.person) == (5, 5, None)
    assert (found.first.smallest_group, found.second.smallest_group) == (2, 2)
    assert (found.smallest_joint_group, found.alone) == (1, 1)  # who was born in 1990 in the North
    assert (found.first.below, found.second.below) == (1, 1)
    (disease,) = found.values
    assert disease.released_in == "both"
    assert disease.prior == pytest.approx(1 / 5)
    assert disease.posterior.first == pytest.approx(2 / 5)  # one of three, and one of two
    assert disease.posterior.second == pytest.approx(2 / 5)
    assert disease.posterior.both == pytest.approx(3 / 5)
    assert (disease.certain.first, disease.certain.second) == (0, 0)
    assert disease.certain.both == pytest.approx(1 / 5)  # asthma alone is in the North and in 1990
    assert found.links == bb.RecordLinks(("disease",), (), 5, 5, 1.0)
    assert found.sentences()[0] == (
        "Together the two releases leave people in smaller groups than each alone: of 5 people in both, 1 is alone "
        "with their values, and the smallest joint group has 1."
    )


def test_releases_that_make_the_same_groups_tell_no_more_together(published) -> None:
    found = bb.joint_risk(published(FIVE, "town").out, published(FIVE, "town").out, source=FIVE)

    assert found.smallest_joint_group == 2
    assert (found.first.below, found.second.below) == (0, 0)
    assert found.values[0].certain == bb.JointShares(0, 0, 0)
    assert "leave nobody in a smaller group" in found.sentences()[0]


PEOPLE = st.fixed_dictionaries(
    {
        "town": st.sampled_from(["North", "South"]),
        "born": st.sampled_from([1980, 1985, 1990]),
        "disease": st.sampled_from(["flu", "gout", "asthma", None]),
        "ward": st.sampled_from(["a", "b"]),
        "who": st.sampled_from(["Ana", "Bia", "Caio", "Davi", "Eva", "Fabi"]),
    }
)
WAYS = {
    "masked": [bb.MaskGroups(if_failing="drop")],
    "suppressed": [bb.SuppressGroups()],
    "decades": [bb.Generalise("born", bb.Hierarchy.by_interval(10, []), 1), bb.SuppressGroups()],
}


@settings(max_examples=6)
@given(
    people=st.lists(PEOPLE, min_size=6, max_size=14),
    ways=st.tuples(*[st.sampled_from(sorted(WAYS))] * 2),
    counts_people=st.booleans(),
)
def test_whole_releases_against_the_definitions(people, ways, counts_people, tmp_path_factory) -> None:
    table = pl.DataFrame(
        people, {"town": pl.String, "born": pl.Int64, "disease": pl.String, "ward": pl.String, "who": pl.String}
    )
    folder = tmp_path_factory.mktemp("releases")
    releases: list[bb.Release] = []
    for way, form in zip(ways, ("csv", "parquet"), strict=True):
        plan = bb.Plan(
            WAYS[way],
            [bb.KAnonymity(2)],
            quasi=["born", "town"],
            sensitive=["disease"],
            person="who" if counts_people else None,
        )
        options = {"format": form, "other": ["ward"], "accept": {"ward": "a test"}}
        try:
            releases.append(bb.publish(table, plan, folder / f"release-{len(releases)}", **options))
        except bb.BiomboError:  # such as: nothing is left
            assume(False)
    plain = [plainly(release, table) for release in releases]
    joint = PlainJoint(*plain, dict(enumerate(table["who"] if counts_people else range(table.height))))
    assume(joint.targets)
    found = bb.joint_risk(*(release.out for release in releases), source=table)

    assert found.person == ("who" if counts_people else None)
    assert found.smallest_joint_group == joint.smallest()
    assert (found.first.below, found.second.below) == (joint.below(2), joint.below(2))
    assert (found.first.only_here, found.second.only_here) == tuple(
        len(release.records) - len(joint.targets) for release in plain
    )
    assert (found.links.made, found.links.right) == joint.links()
    (disease,) = found.values
    assert disease.posterior.both == pytest.approx(joint.joint_posterior(plain[0], "disease"))
    assert disease.certain.both == pytest.approx(joint.certain_by_both(*plain, "disease"))


def plainly(release: bb.Release, table: pl.DataFrame) -> PlainRelease:
    """Its records as text, by the number of their original."""
    found = bb.trace(release.out, release.data["trace_id"], source=table, reason="test")
    rows = release.data.cast(pl.String).iter_rows(named=True)
    records = {found[row.pop("trace_id")].number: row for row in rows}
    return PlainRelease({number - 1: row for number, row in records.items()}, ["born", "town"])


class TestWhoIsInBoth:
    def test_people_with_several_records_are_counted_once(self, published) -> None:
        visits = pl.concat([FIVE, FIVE]).with_columns(who=pl.Series([*"abcde", *"abcde"]))
        schema = bb.Schema({"who": bb.ColumnSchema("identifier")}, person="who")
        one, other = (published(visits, name, schema=schema) for name in ("town", "born"))
        found = bb.joint_risk(one.out, other.out, source=visits)

        assert (found.records, found.people, found.person) == (10, 5, "who")
        assert (found.smallest_joint_group, found.alone) == (1, 1)
        assert found.reidentification.both == pytest.approx(3 / 5)
        assert found.values[0].certain.both == pytest.approx(1 / 5)

    def test_releases_that_count_different_people_need_a_word(self, published) -> None:
        named = FIVE.with_columns(who=pl.Series([*"abcde"]), house=pl.Series([*"ppqqr"]))
        one, other = (
            published(named, quasi, schema=bb.Schema({person: bb.ColumnSchema("identifier")}, person=person))
            for quasi, person in (("town", "who"), ("town", "house"))
        )
        with pytest.raises(bb.UsageError, match=r"different columns \('who', 'house'\).*person="):
            bb.joint_risk(one.out, other.out, source=named)

        assert bb.joint_risk(one.out, other.out, source=named, person="house").people == 3

    def test_records_in_one_release_alone_are_told_apart(self, published) -> None:
        more = pl.concat([FIVE, pl.DataFrame({"town": ["West"], "born": [1990], "disease": ["flu"]})])
        one, other = (published(more, name, operations=[bb.SuppressGroups()]) for name in ("town", "born"))
        found = bb.joint_risk(one.out, other.out, source=more)

        assert (found.records, found.first.only_here, found.second.only_here) == (5, 0, 1)
        assert "in the second alone 1" in " ".join(found.sentences())

    def test_masked_records_are_one_group(self, published) -> None:
        more = pl.concat(
            [FIVE, pl.DataFrame({"town": ["West", "East"], "born": [1980, 1990], "disease": ["flu", "flu"]})]
        )
        one, other = (published(more, name, operations=[bb.MaskGroups()]) for name in ("town", "born"))
        found = bb.joint_risk(one.out, other.out, source=more)

        assert (found.first.smallest_group, found.records, found.smallest_joint_group) == (2, 7, 1)
        assert (
            found.alone == 3
        )  # both masked ones, of whom the second release tells apart, and the one of 1990 and North

    def test_synonyms_count_as_one_value(self, published) -> None:
        words = bb.Diversify("disease", {"flu": ["grippe", "influenza"]}, groups_below=2)
        ill = FIVE.with_columns(disease=pl.Series(["flu"] * 3 + ["cold", "fever"]))
        one = published(ill, "town", operations=[words])
        found = bb.joint_risk(one.out, published(ill, "born").out, source=ill)

        assert one.data["disease"].n_unique() == 5
        assert [each.released_in for each in found.values] == ["both"]
        assert found.values[0].certain.first == pytest.approx(3 / 5)
        assert found.links.right == 2

    def test_a_pseudonym_that_both_have_links_everybody(self, published, tmp_path) -> None:
        key = bb.new_key(tmp_path / "plan.key")
        named = FIVE.with_columns(name=pl.Series([*"vwxyz"]), disease=pl.lit("flu"))
        hiding = bb.Pseudonymise("name", kind="keyed", key=key, dataset="clinic")
        one, other = (
            published(named, quasi, operations=[hiding], plan_keys=tmp_path / "plan.key") for quasi in ("town", "born")
        )
        found = bb.joint_risk(one.out, other.out, source=named)

        assert found.links.right == 5
        assert "name" in found.links.columns


@pytest.mark.parametrize("language", ["en", "pt"])
def test_all_that_can_be_found_has_its_words(published, language) -> None:
    """A value that is told differently, noise, and records that are in one release alone."""
    bb.set_language(language)
    more = pl.concat([FIVE, pl.DataFrame({"town": ["West"], "born": [1990], "disease": ["rash"]})])
    chapters = bb.Hierarchy.by_hand({"head": ["flu", "cold", "fever"], "body": ["gout", "asthma", "rash"]})
    coarse = published(more, "born", operations=[bb.Generalise("disease", chapters, 1)])
    fine = published(more, "town", operations=[bb.SuppressGroups()])
    noise = [bb.Geometric("born", epsilon=1, bounds=(1900, 2000))]
    noised = published(more, "born", operations=noise, k=0)
    told = [bb.joint_risk(one.out, fine.out, source=more).sentences() for one in (coarse, noised)]

    assert [len(each) for each in told] == [11, 7]
    assert all("{" not in sentence and "None" not in sentence for each in told for sentence in each)


class TestNoise:
    """Groups mean nothing where quasi values were drawn: the attack is held against the originals."""

    def test_it_is_scored_against_the_truth(self, published) -> None:
        table = pl.DataFrame(
            {
                "town": [f"town{number % 4}" for number in range(60)],
                "born": [1950 + number % 30 for number in range(60)],
                "disease": [f"d{number % 7}" for number in range(60)],
            }
        )
        noise = [bb.Geometric("born", epsilon=3, bounds=(1950, 1980))]
        one, other = published(table, "town"), published(table, "born", operations=noise, k=0)
        found = bb.joint_risk(one.out, other.out, source=table)
        both = joined(one, other, table)
        truth = pl.DataFrame({"town": table["town"], "born": table["born"], "disease": table["disease"]})

        assert (found.smallest_joint_group, found.alone, found.scored) == (None, None, True)
        assert (found.second.smallest_group, found.second.drawn) == (None, ("born",))
        assert found.values[0].certain == bb.JointShares(0, None, None)
        least = bb.reidentification(both, ["town", "born"], truth=truth).posterior(["town", "born"])
        assert found.reidentification.both >= max(least, found.reidentification.first) - 1e-12
        guess = bb.attribute_inference(both, ["town", "born"], "disease", truth=truth).posterior(["town", "born"])
        assert found.values[0].posterior.both >= max(guess, found.values[0].posterior.first) - 1e-12
        assert "no joint ones" in found.sentences()[0]

    def test_it_is_the_attack_itself_where_nothing_but_a_look_up_is_left(self, published) -> None:
        """Words cannot be looked for nearby, and no other column is known."""
        table = pl.DataFrame({"town": ["a", "b", "c"] * 8, "disease": ["x", "y"] * 12})
        noise = [bb.RandomisedResponse("town", epsilon=5, domain=["a", "b", "c"])]
        one, other = published(table, k=0), published(table, "town", operations=noise, k=0)
        found = bb.joint_risk(one.out, other.out, source=table)
        both = joined(one, other, table, quasi=["town"])
        by_town = bb.reidentification(both, ["town"], truth=table).posterior(["town"])
        guessed = bb.attribute_inference(both, ["town"], "disease", truth=table).posterior(["town"])

        assert found.reidentification.both == pytest.approx(max(by_town, 1 / 24))
        assert found.values[0].posterior.both == pytest.approx(max(guessed, 1 / 2))

    def test_noise_on_a_sensitive_column_leaves_the_groups_what_they_are(self, published) -> None:
        noise = [bb.RandomisedResponse("disease", epsilon=1, domain=FIVE["disease"].to_list())]
        found = bb.joint_risk(published(FIVE, "town").out, published(FIVE, "born", operations=noise).out, source=FIVE)
        by_release = {each.released_in: each for each in found.values}

        assert found.smallest_joint_group == 1
        assert found.second.drawn == ("disease",)
        if "both" not in by_release:  # unless nothing happened to change
            assert by_release["first"].posterior.both == pytest.approx(3 / 5)
            assert by_release["second"].certain.second is None


def joined(one: bb.Release, other: bb.Release, table: pl.DataFrame, quasi=("town", "born")) -> pl.DataFrame:
    """The records of both releases side by side, in the order of the originals."""
    frames = []
    for release in (one, other):
        found = bb.trace(release.out, release.data["trace_id"], source=table, reason="test")
        numbers = pl.Series("number", [found[each].number for each in release.data["trace_id"]])
        frames.append(release.data.with_columns(numbers).sort("number"))
    columns = {name: next(frame for frame in reversed(frames) if name in frame.columns)[name] for name in quasi}
    return pl.DataFrame({**columns, "disease": frames[0]["disease"]})


class TestSources:
    @pytest.fixture
    def file(self, tmp_path) -> Path:
        FIVE.write_csv(tmp_path / "people.csv")
        return tmp_path / "people.csv"

    def test_files_are_looked_for_where_they_were(self, published, file) -> None:
        found = bb.joint_risk(published(file, "town").out, published(file, "born").out)

        assert found.smallest_joint_group == 1

    def test_a_copy_is_the_same_source(self, published, file, tmp_path) -> None:
        copy = shutil.copy(file, tmp_path / "copy.csv")

        assert bb.joint_risk(published(file, "town").out, published(copy, "born").out).records == 5

    def test_some_of_several_files_may_be_in_both(self, published, file, tmp_path) -> None:
        FIVE.with_columns(disease=pl.lit("flu")).write_csv(tmp_path / "more.csv")
        both, one = published([tmp_path / "more.csv", file], "town"), published(file, "born")
        found = bb.joint_risk(both.out, one.out)

        assert (found.records, found.first.only_here, found.smallest_joint_group) == (5, 5, 1)

    def test_releases_of_different_records_are_refused_in_one_sentence(self, published, file, tmp_path) -> None:
        FIVE.with_columns(disease=pl.lit("flu")).write_csv(tmp_path / "others.csv")
        one, other = published(file, "town"), published(tmp_path / "others.csv", "born")
        with pytest.raises(bb.InputError, match="made of different records"):
            bb.joint_risk(one.out, other.out)
        with pytest.raises(bb.InputError, match=r"people.csv has changed since it was published"):
            bb.joint_risk(one.out, other.out, source=file)

    def test_a_source_that_has_changed_is_refused(self, published, file) -> None:
        one, other = published(file, "town"), published(file, "born")
        FIVE.reverse().write_csv(file)
        with pytest.raises(bb.InputError, match=r"people.csv has changed since it was published"):
            bb.joint_risk(one.out, other.out)

        assert log_of(one)[-1]["failure"] == "release.moved-record"

    def test_a_source_that_is_nowhere_has_to_be_named(self, published) -> None:
        one, other = published(FIVE, "town"), published(FIVE, "born")
        with pytest.raises(bb.InputError, match="the Polars table is not at hand; name it"):
            bb.joint_risk(one.out, other.out)

    def test_a_query_is_asked_once(self, published, tmp_path) -> None:
        address = f"sqlite:///{tmp_path / 'people.db'}"
        write_database(tmp_path / "people.db")
        asked = {"database": address}
        one, other = (published("SELECT * FROM people", name, **asked) for name in ("town", "born"))

        assert bb.joint_risk(one.out, other.out, source="SELECT * FROM people", **asked).smallest_joint_group == 1


def write_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE people (town TEXT, born INTEGER, disease TEXT)")
        connection.executemany("INSERT INTO people VALUES (?, ?, ?)", FIVE.rows())
        connection.commit()


def log_of(release: bb.Release) -> list[dict]:
    return [json.loads(line) for line in (release.private / "traces.jsonl").read_text().splitlines()]


def test_both_look_ups_are_logged(published) -> None:
    one, other = published(FIVE, "town"), published(FIVE, "born")
    bb.joint_risk(one.out, other.out, source=FIVE, who="DPO")
    bb.joint_risk(one.out, other.out, source=FIVE, who="DPO", reason="before process 15")

    for release, beside in ((one, other), (other, one)):
        lines = [(line["who"], line["reason"], line["asked"], line["found"]) for line in log_of(release)]
        assert lines == [
            ("DPO", f"the joint risk with {beside.out}", "all", 5),
            ("DPO", "before process 15", "all", 5),
        ]


def test_a_release_that_is_not_published_yet_is_measured_where_it_is_made(published, tmp_path) -> None:
    public = published(FIVE, "town")
    staged = bb.publish(
        FIVE,
        bb.Plan([], [bb.KAnonymity(2)], quasi=["born"], sensitive=["disease"]),
        tmp_path / "safe" / "staging" / "candidate",
        private=tmp_path / "safe" / "keys",
    )
    before = bb.joint_risk(public.out, staged.out, source=FIVE, private_second=staged.private)
    moved = shutil.move(staged.out, tmp_path / "www")
    after = bb.joint_risk(public.out, moved, source=FIVE, private_second=staged.private)

    assert before.as_json() == after.as_json() | {"second": before.as_json()["second"]}
    assert bb.verify(moved).holds


def test_nothing_of_the_releases_is_changed(published) -> None:
    one, other = published(FIVE, "town"), published(FIVE, "born")
    before = {path: path.read_bytes() for release in (one, other) for path in sorted(release.out.iterdir())}
    bb.joint_risk(one.out, other.out, source=FIVE)

    assert {path: path.read_bytes() for release in (one, other) for path in sorted(release.out.iterdir())} == before


def test_releases_of_another_engine_are_measured_alike(published, tmp_path) -> None:
    FIVE.write_parquet(tmp_path / "people.parquet")
    one, other = (published(tmp_path / "people.parquet", name, engine=PartitionEngine()) for name in ("town", "born"))
    found = bb.joint_risk(one.out, other.out)

    assert (found.smallest_joint_group, found.values[0].certain.both) == (1, pytest.approx(1 / 5))


class TestRefusals:
    def test_a_wrong_key(self, published, tmp_path) -> None:
        one, other = published(FIVE, "town"), published(FIVE, "born")
        bb.new_key(tmp_path / "other.key")
        with pytest.raises(bb.InputError, match="sealed with another key"):
            bb.joint_risk(one.out, other.out, source=FIVE, key_second=tmp_path / "other.key")

        assert [line["failure"] for line in log_of(other)] == ["release.other-key"]

    def test_the_same_release_twice(self, published) -> None:
        one = published(FIVE, "town")
        with pytest.raises(bb.UsageError, match="name two different ones"):
            bb.joint_risk(one.out, one.out, source=FIVE)

    def test_the_private_folder_of_another_release(self, published) -> None:
        one, other = published(FIVE, "town"), published(FIVE, "born")
        with pytest.raises(bb.InputError, match="another release"):
            bb.joint_risk(one.out, other.out, source=FIVE, private_second=one.private)

    def test_a_release_that_was_edited(self, published) -> None:
        one, other = published(FIVE, "town"), published(FIVE, "born")
        (other.out / "data.csv").write_text((other.out / "data.csv").read_text().replace("flu", "cold"))
        with pytest.raises(bb.InputError, match=r"data.csv is not as its manifest lists it"):
            bb.joint_risk(one.out, other.out, source=FIVE)

    def test_no_release(self, published, tmp_path) -> None:
        with pytest.raises(bb.InputError, match="is not a release"):
            bb.joint_risk(published(FIVE, "town").out, tmp_path / "nothing", source=FIVE)

    def test_nobody_asks(self, published) -> None:
        with pytest.raises(bb.UsageError, match="for a reason"):
            bb.joint_risk(published(FIVE, "town").out, published(FIVE, "born").out, source=FIVE, who=" ")

    def test_a_column_of_people_that_is_not_there(self, published) -> None:
        with pytest.raises(bb.ColumnError, match="cpf"):
            bb.joint_risk(published(FIVE, "town").out, published(FIVE, "born").out, source=FIVE, person="cpf")
