import getpass
from datetime import UTC, date, datetime, timedelta

import pytest
from refusal import refused

import biombo as bb
from biombo import Register, RegisterEntry


def test_a_release_on_record_is_as_it_was_put_there(register, entry):
    model = bb.ControlledRelease(
        harm="high",
        controls_counted=True,
        insider=bb.DeliberateInsider("low", "high"),
        recognition=bb.InadvertentRecognition(10, 0.001),
        breach=bb.DataBreach(0.02),
        controls=["on-site"],
        measures=["contrato nº 5"],
    )
    made = RegisterEntry.of(
        bb.Decision(model, 2, override="ordem judicial"),
        what='Visits "2025"; 100% ?',
        department="Saúde",
        recipients=("UFMG", "Fiocruz"),
        access="on-site",
        plan_hash="0123456789abcdef" * 4,
        review=date(2027, 2, 28),
        manifest_hash="f" * 64,
    )
    number = register.add(made, who="Ana")
    found = register.get(number)

    assert found.entry == made
    assert found.entry.controls == ("on-site", "contrato nº 5")
    assert found.entry.override == "ordem judicial"
    assert (found.status, found.review) == ("active", date(2027, 2, 28))
    assert [(event.kind, event.who) for event in found.events] == [("registered", "Ana")]
    assert abs(found.registered - datetime.now(UTC)) < timedelta(minutes=5)


def test_releases_are_listed_in_the_order_in_which_they_were_put_on_record(register, entry):
    numbers = [register.add(entry(what=f"release {place}")) for place in range(3)]

    assert numbers == sorted(set(numbers))
    assert [(each.id, each.entry.what) for each in register.list()] == [
        (number, f"release {place}") for place, number in enumerate(numbers)
    ]


def test_a_release_is_revoked_once(register, entry):
    number = register.add(entry())
    after = register.revoke(number, reason="mislabelled", who="Ana")

    assert after.status == "revoked"
    assert (after.events[-1].note, after.events[-1].who) == ("mislabelled", "Ana")
    with refused("register.revoked-before", str(number)):
        register.revoke(number, reason="again")
    assert register.get(number) == after


def test_breaches_are_kept_whatever_the_status(register, entry):
    number = register.add(entry())
    statuses = [
        register.breach(number, what="a laptop was stolen").status,
        register.revoke(number, reason="after the breach").status,
        register.breach(number, what="a copy turned up").status,
    ]

    assert statuses == ["breached", "revoked", "breached"]
    kinds = [event.kind for event in register.get(number).events]
    assert kinds == ["registered", "breached", "revoked", "breached"]


def test_events_are_those_of_one_release(register, entry):
    first, second = register.add(entry()), register.add(entry())
    register.breach(second, what="found online")

    assert (register.get(first).status, register.get(second).status) == ("active", "breached")


def test_reviews_are_due_from_their_day_on_and_the_longest_overdue_comes_first(register, entry):
    late, later, revoked = (register.add(entry(review=date(2027, 1, day))) for day in (20, 10, 1))
    register.revoke(revoked, reason="gone")

    assert [each.id for each in register.due(date(2027, 1, 9))] == []
    assert [each.id for each in register.due(date(2027, 1, 10))] == [later]
    assert [each.id for each in register.due(date(2027, 1, 20))] == [later, late]


def test_a_review_sets_the_day_of_the_next(register, entry):
    number = register.add(entry(review=date(2027, 1, 1)))
    register.review(number, found="no other release about these people", next_review=date(2028, 1, 1))

    assert register.due(date(2027, 6, 1)) == []
    assert [each.review for each in register.due(date(2028, 1, 1))] == [date(2028, 1, 1)]
    assert register.get(number).entry.review == date(2027, 1, 1)


def test_what_is_revoked_is_not_reviewed(register, entry):
    number = register.add(entry())
    register.revoke(number, reason="gone")

    with refused("register.revoked-before"):
        register.review(number, found="x", next_review=date(2028, 1, 1))


def test_a_manifest_is_found_and_on_record_once(register, entry):
    register.add(entry())
    number = register.add(entry(manifest_hash="b" * 64))

    assert register.find("b" * 64).id == number
    assert register.find("c" * 64) is None
    with refused("register.twice", str(number)):
        register.add(entry(manifest_hash="b" * 64))
    assert len(register.list()) == 2


@pytest.mark.parametrize("number", [0, -1, 99, 2**63, 10**30])
def test_an_unknown_release_is_refused(register, entry, number):
    register.add(entry())

    with refused("register.no-release", str(number)):
        register.get(number)
    with refused("register.no-release", str(number)):
        register.revoke(number, reason="x")


def test_only_an_entry_begins_a_register(register, tmp_path):
    for use in (
        register.list,
        lambda: register.get(1),
        lambda: register.due(date(2027, 1, 1)),
        lambda: register.revoke(1, reason="x"),
        lambda: register.breach(1, what="x"),
    ):
        with refused("register.none"):
            use()

    assert list(tmp_path.iterdir()) == []


def test_a_register_can_be_begun_before_there_is_an_entry(register, entry):
    register.begin()
    register.begin()

    assert register.list() == []
    assert register.get(register.add(entry())).status == "active"


@pytest.mark.parametrize("text", ["", "  ", "x" * 2001, "a\0b", "\ud800", None, 5])
def test_a_reason_must_be_a_text(register, entry, text):
    number = register.add(entry())

    with refused("document.entry-short-text", "reason"):
        register.revoke(number, reason=text)
    assert register.get(number).status == "active"


@pytest.mark.parametrize("secret", ["see postgresql://u:hunter2@host/x", "PASSWORD = hunter2", "passwd=hunter2"])
def test_passwords_do_not_get_in(register, entry, secret):
    number = register.add(entry())

    with refused("document.entry-password", "what"):
        register.breach(number, what=secret)
    with refused("document.entry-password", "department"):
        entry(department=secret)


@pytest.mark.parametrize(
    ("changed", "key", "mentioned"),
    [
        ({"what": ""}, "document.entry-short-text", "what"),
        ({"access": "magic"}, "document.entry-choice", "copy, online"),
        ({"plan_hash": "abc"}, "register.hash", "plan_hash"),
        ({"manifest_hash": "A" * 64}, "register.hash", "manifest_hash"),
        ({"review": "2027-01-01"}, "register.day", "review"),
        ({"review": datetime(2027, 1, 1)}, "register.day", "review"),
        ({"recipients": "UFMG"}, "usage.string-for-list", "recipients"),
    ],
)
def test_an_entry_that_makes_no_sense_is_refused(entry, changed, key, mentioned):
    with refused(key, mentioned):
        entry(**changed)


def test_a_controlled_release_has_recipients():
    with refused("register.no-recipients"):
        RegisterEntry(
            what="x",
            department="y",
            release_model="controlled",
            access="copy",
            plan_hash="0" * 64,
            smallest_group=5,
            risk=0.1,
            threshold=0.2,
            review=date(2027, 1, 1),
        )


def test_an_override_that_was_not_needed_is_not_on_record(entry):
    decision = bb.Decision(bb.PublicRelease(harm="medium"), 10, override="in any case")
    made = RegisterEntry.of(
        decision, what="x", department="y", access="copy", plan_hash="0" * 64, review=date(2027, 1, 1)
    )

    assert made.override is None


@pytest.mark.parametrize("url", ["postgresql:/u:p@h/d", "u:p@h/d", "mysql://u:p@h/d", "sqlite:///", "", " "])
def test_other_addresses_are_refused(url):
    with refused("usage.database"):
        Register.open(url)


def test_a_release_as_plain_values(register, entry):
    number = register.add(entry(recipients=("everyone",)))
    told = register.revoke(number, reason="gone").as_json()

    assert (told["id"], told["status"], told["review"]) == (number, "revoked", "2027-01-31")
    assert told["recipients"] == ["everyone"]
    assert [event["kind"] for event in told["events"]] == ["registered", "revoked"]
    assert told["registered"].endswith("+00:00")


def test_unless_somebody_is_named_it_was_the_user_of_the_system(register, entry):
    number = register.add(entry())

    assert register.get(number).events[0].who == getpass.getuser()
