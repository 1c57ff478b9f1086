"""The public hash of a plan cannot be guessed, and whoever has the private folder can open it."""

import hashlib
from datetime import date

import pytest
from hand_made_release import content_of, sign_anew, with_claim

import biombo as bb


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


@pytest.mark.parametrize("value", [None, 1, "", "x" * 64, "ç" * 64])
def test_nor_does_the_plan_open_another_claim(release, value) -> None:
    sign_anew(release.out, with_claim(content_of(release.out), "plan", lambda claim: {**claim, "value": value}))

    found = bb.verify(release.out, private=release.private)

    assert False in [check.holds for check in found.checks if check.claim == "plan"]
