"""What ``verify`` catches, each by its name."""

import hashlib
import json
import shutil
from datetime import date

import polars as pl
import pytest

import biombo as bb
from biombo._release import Manifest
from biombo._secrets import Key


@pytest.fixture
def release(signed_release) -> bb.Release:
    return signed_release


def failed(folder, key=None) -> list[str]:
    return [check.claim for check in bb.verify(folder, key=key).failures]


def edited(release, old: str, new: str, file: str = "data.csv") -> None:
    path = release.out / file
    content = path.read_text()
    assert old in content
    path.write_text(content.replace(old, new, 1))


def test_an_untouched_release_holds_and_its_origin_is_proved_only_with_the_key(release, trusted) -> None:
    with_key, without = bb.verify(release.out, key=trusted), bb.verify(release.out)

    assert (with_key.holds, with_key.origin_proved) == (True, True)
    assert (without.holds, without.origin_proved) == (True, False)


def test_everything_that_the_data_can_tell_is_recomputed(release) -> None:
    kinds = {}
    for claim in release.manifest.claims:
        kinds.setdefault(claim.kind, []).append(claim.name)

    assert kinds["recomputable"] == ["records-released", "columns", "columns-left-out", "criterion", "criterion"]
    assert "records-suppressed" in kinds["attested"]


def test_one_edited_cell(release) -> None:
    edited(release, ",gout,", ",flu,")

    assert failed(release.out) == ["file"]


def test_an_edited_cell_that_makes_a_small_group_breaks_the_criteria_too(release) -> None:
    edited(release, ",F,", ",X,")

    assert failed(release.out) == ["file", "criterion", "criterion"]


def test_one_dropped_row(release) -> None:
    path = release.out / "data.csv"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))

    assert {"file", "records-released"} <= set(failed(release.out))


@pytest.mark.parametrize("file", ["data.csv", "dictionary.csv", "dictionary.json", "report.html"])
def test_a_missing_file(release, file) -> None:
    (release.out / file).unlink()

    assert "file-missing" in failed(release.out)


@pytest.mark.parametrize("name", ["notes.txt", ".hidden", "folder"])
def test_an_added_file(release, name) -> None:
    if name == "folder":
        (release.out / name).mkdir()
    else:
        (release.out / name).write_text("linked: trace id 1 is Ana")

    assert failed(release.out) == ["file-added"]


@pytest.mark.parametrize("name", ["created", "software", "id"])
def test_a_changed_manifest(release, trusted, name) -> None:
    path = release.out / "manifest.json"
    tree = json.loads(path.read_text())
    tree[name] = "another"
    path.write_text(json.dumps(tree))

    assert failed(release.out) == ["signature"]
    assert failed(release.out, trusted) == ["signature"]
    assert not bb.verify(release.out, key=trusted).origin_proved


def test_a_claim_that_is_made_better_in_the_manifest(release) -> None:
    path = release.out / "manifest.json"
    tree = json.loads(path.read_text())
    next(claim for claim in tree["claims"] if claim["claim"] == "criterion")["value"] = 1000
    path.write_text(json.dumps(tree))

    assert failed(release.out) == ["signature", "criterion"]


def test_data_replaced_with_the_hash_in_the_manifest(release) -> None:
    edited(release, ",gout,", ",flu,")
    path = release.out / "manifest.json"
    tree = json.loads(path.read_text())
    tree["files"]["data.csv"] = hashlib.sha256((release.out / "data.csv").read_bytes()).hexdigest()
    path.write_text(json.dumps(tree))

    assert failed(release.out) == ["signature"]


def test_data_and_manifest_replaced_together_and_signed_anew(release, trusted) -> None:
    """Nothing but the publisher's key can tell."""
    edited(release, ",gout,", ",flu,")
    content = {name: value for name, value in release.manifest.content.items() if name != "biombo-release"}
    hashes = {**content["files"], "data.csv": hashlib.sha256((release.out / "data.csv").read_bytes()).hexdigest()}
    Manifest.signed({**content, "files": hashes}, Key.new()).write(release.out)

    assert failed(release.out) == []
    assert failed(release.out, trusted) == ["origin"]
    assert not bb.verify(release.out, key=trusted).origin_proved


def test_another_release_of_the_same_publisher_in_its_place_is_told_by_its_id(published, release) -> None:
    assert bb.verify(published.out).release != bb.verify(release.out).release


def test_identifiers_that_were_put_back(release, people) -> None:
    frame = pl.read_csv(release.out / "data.csv", infer_schema=False)
    frame.with_columns(pl.Series("name", people["name"])).write_csv(release.out / "data.csv")

    assert {"file", "columns", "columns-left-out"} <= set(failed(release.out))


@pytest.mark.parametrize("content", ["", "{}", "[]", "not json", '{"biombo-release": 2}', '{"biombo-release": 1}'])
def test_what_is_no_release_is_bad_input(tmp_path, content) -> None:
    (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(bb.InputError, match="manifest"):
        bb.verify(tmp_path)


def test_a_folder_without_a_manifest_is_no_release(tmp_path) -> None:
    for place in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(bb.InputError, match="not a release"):
            bb.verify(place)


def test_a_manifest_leads_to_no_file_outside_of_the_release(release, tmp_path) -> None:
    shutil.copy(release.out / "data.csv", tmp_path / "outside.csv")
    content = dict(release.manifest.content)
    content["files"] = {**content["files"], "../outside.csv": content["files"]["data.csv"]}
    Manifest.signed(content, Key.new()).write(release.out)

    assert failed(release.out) == ["file-missing"]


def test_a_public_key_that_is_none_is_named(release, department_key) -> None:
    with pytest.raises(bb.InputError, match="public key"):
        bb.verify(release.out, key=department_key)  # the private one


class TestRegister:
    @pytest.fixture
    def register(self, tmp_path) -> bb.Register:
        return bb.Register.open(f"sqlite:///{tmp_path}/register.db")

    def added(self, register, release) -> int:
        entry = bb.RegisterEntry.of(
            bb.Decision(bb.PublicRelease(harm="medium"), 10),
            what="People",
            department="Surveillance",
            access="online",
            plan_hash=release.plan.hash,
            review=date(2027, 1, 31),
            manifest_hash=release.manifest_hash,
        )
        return register.add(entry)

    def test_a_release_on_record_has_a_proved_origin(self, register, release) -> None:
        self.added(register, release)
        found = bb.verify(release.out, register=register)

        assert (found.holds, found.origin_proved) == (True, True)

    def test_one_that_is_not_on_record_has_none(self, published, register, release) -> None:
        self.added(register, published)

        assert [check.claim for check in bb.verify(release.out, register=register).failures] == ["not-registered"]

    def test_nor_has_one_that_was_revoked(self, register, release) -> None:
        register.revoke(self.added(register, release), reason="a mistake")

        assert [check.claim for check in bb.verify(release.out, register=register).failures] == ["registered"]


class TestWhatOnlyTheOriginalTells:
    def kinds(self, release) -> list[str]:
        return [claim.kind for claim in release.manifest.claims if claim.name == "criterion"]

    def test_people_who_are_counted_by_a_column_that_is_left_out(self, tmp_path) -> None:
        table = pl.DataFrame({"person": ["a", "b", "a", "c"] * 5, "sex": ["F", "F", "M", "M"] * 5})
        plan = bb.Plan([], [bb.KAnonymity(2)], quasi=["sex"], person="person")
        release = bb.publish(table, plan, tmp_path / "release")

        assert self.kinds(release) == ["attested"]
        assert bb.verify(release.out).holds

    def test_what_was_known_of_suppressed_records(self, tmp_path) -> None:
        cities, diseases = ["A"] * 8 + ["B"] * 8 + ["C", "D"] * 3, ["flu", "gout"] * 8 + ["rare"] * 6
        table = pl.DataFrame({"city": cities, "disease": diseases})
        criteria = [bb.KAnonymity(5), bb.TCloseness(0.5)]
        plan = bb.Plan([bb.SuppressGroups()], criteria, quasi=["city"], sensitive=["disease"])
        release = bb.publish(table, plan, tmp_path / "release")

        assert self.kinds(release) == ["recomputable", "attested"]
        assert bb.verify(release.out).holds

    def test_synonyms_that_are_one_value(self, tmp_path) -> None:
        table = pl.DataFrame({"city": ["A", "B"] * 40, "disease": ["flu"] * 60 + ["gout"] * 20})
        synonyms = bb.Diversify("disease", {"flu": ["influenza", "grippe"]}, 3, missing="leave")
        plan = bb.Plan([synonyms], [bb.LDiversity(2)], quasi=["city"], sensitive=["disease"])
        release = bb.publish(table, plan, tmp_path / "release")

        assert self.kinds(release) == ["attested"]
        assert bb.verify(release.out).holds
