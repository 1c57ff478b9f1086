"""The public hash of a plan cannot be guessed, and whoever has the private folder can open it."""

import hashlib
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb
from biombo._release.commitment import Commitment, opens


def claimed(release: bb.Release) -> str:
    return next(claim.value for claim in release.manifest.claims if claim.name == "plan")


def test_the_plan_s_own_hash_is_nowhere_in_public(release) -> None:
    public = b"".join(path.read_bytes() for path in release.out.iterdir())

    assert release.applied.plan_hash.encode() not in public
    assert hashlib.sha256(release.applied.plan_hash.encode()).hexdigest().encode() not in public
    assert claimed(release) not in (release.private / "plan.salt").read_text()


def test_the_same_plan_is_committed_to_by_another_value_each_time(people, plan, release, tmp_path) -> None:
    again = bb.publish(people, plan, tmp_path / "again", other=["visits"])

    assert again.applied.plan_hash == release.applied.plan_hash
    assert claimed(again) != claimed(release)


def test_the_private_folder_opens_it(release) -> None:
    found = bb.verify(release.out, private=release.private)

    assert found.holds
    assert [check.holds for check in found.checks if check.claim == "plan"] == [None, True]


@pytest.mark.parametrize("change", ["plan", "salt", "no plan", "no salt", "no hex"])
def test_another_plan_or_salt_does_not(release, change) -> None:
    plan, salt = release.private / "plan.yaml", release.private / "plan.salt"
    if change == "plan":
        plan.write_text(plan.read_text().replace("k: 10", "k: 11"))
    elif change == "salt":
        salt.write_text("00" * 32)
    elif change == "no hex":
        salt.write_text("ça")
    else:
        (plan if change == "no plan" else salt).unlink()

    found = bb.verify(release.out, private=release.private)

    assert [check.claim for check in found.failures] == ["plan"]


def test_the_register_holds_it(people, plan, tmp_path) -> None:
    model = bb.PublicRelease(harm="medium")
    release = bb.publish(people, plan, tmp_path / "release", model=model)
    register = bb.Register.open(f"sqlite:///{tmp_path}/register.db")
    number = bb.put_on_record(release.out, register, department="Health", review=date(2027, 1, 31))

    assert register.get(number).entry.plan_hash == claimed(release)


@given(st.integers(2, 50), st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=3, unique=True))
def test_what_is_written_opens_again(tmp_path_factory, k, columns) -> None:
    folder = tmp_path_factory.mktemp("private")
    made = Commitment.new(bb.Plan([bb.SuppressRecords({columns[0]: ["x", "ß"]})], [bb.KAnonymity(k)], quasi=columns))
    made.write(folder)

    assert opens(folder, made.value)
    assert not opens(folder, made.value[:-1] + "x")
    assert not opens(folder, None)
