import json
from datetime import date, timedelta

import pytest

from biombo import (
    ControlledRelease,
    DataBreach,
    Decision,
    DeliberateInsider,
    InadvertentRecognition,
    Register,
    RegisterEntry,
)

SECRET = "hunter2-and-long"


@pytest.fixture
def url(tmp_path, monkeypatch) -> str:
    """A register with two releases, named by the environment."""
    url = f"sqlite:///{tmp_path}/register.db"
    model = ControlledRelease(
        harm="medium",
        controls_counted=True,
        insider=DeliberateInsider("medium", "medium"),
        recognition=InadvertentRecognition(acquaintances=10, prevalence=0.001),
        breach=DataBreach(0.02),
        controls=["view-only"],
        measures=["contract 17"],
    )
    for what, day in (("Visits 2024", date(2026, 5, 1)), ("Visits 2025", date(2027, 5, 1))):
        entry = RegisterEntry.of(
            Decision(model, 5),
            what=what,
            department="Surveillance",
            recipients=("UFMG",),
            access="on-site",
            plan_hash="a" * 64,
            review=day,
        )
        Register.open(url).add(entry, who="Ana")
    monkeypatch.setenv("BIOMBO_REGISTER", url)
    return url


def test_all_releases_are_listed(biombo, url):
    ending = biombo("register", "list")

    assert ending.code == 0
    for word in ("Visits 2024", "Visits 2025", "Surveillance", "active", "5.00%", "2027-05-01"):
        assert word in ending.out


def test_one_release_is_shown_with_its_history(biombo, url):
    biombo("register", "breach", 1, "--what", "a laptop was stolen", "--who", "Bia")
    ending = biombo("register", "show", 1)

    for word in ("Visits 2024", "UFMG", "view only", "contract 17", "5.00% (threshold 10.00%)", "a" * 64):
        assert word in ending.out
    for word in ("registered", "Ana", "breached", "Bia", "a laptop was stolen"):
        assert word in ending.out


@pytest.mark.parametrize(("day", "numbers"), [("2026-04-30", []), ("2026-05-01", [1]), ("2028-01-01", [1, 2])])
def test_releases_are_due_on_a_day(biombo, url, day, numbers):
    told = json.loads(biombo("register", "due", "--on", day, "--json").out)

    assert [release["id"] for release in told["releases"]] == numbers


def test_without_a_day_it_is_today(biombo, url):
    register = Register.open(url)
    register.review(1, found="fine", next_review=date.today() + timedelta(days=2))
    register.review(2, found="fine", next_review=date.today() - timedelta(days=2))

    assert "Visits 2025" in (out := biombo("register", "due").out)
    assert "Visits 2024" not in out


def test_that_nothing_is_due_is_said(biombo, url):
    ending = biombo("register", "due", "--on", "2020-01-01")

    assert (ending.code, ending.out, ending.err) == (0, "", "No review is due.\n")


def test_a_review_moves_the_day(biombo, url):
    ending = biombo("register", "review", 1, "--found", "no change", "--next", "2029-01-01")

    assert "2029-01-01" in ending.out
    assert json.loads(biombo("register", "due", "--on", "2028-01-01", "--json").out)["releases"][0]["id"] == 2
    assert "no change (next review: 2029-01-01)" in " ".join(biombo("register", "show", 1).out.split())


def test_a_release_is_revoked_once(biombo, url):
    first, second = (biombo("register", "revoke", 2, "--reason", "mislabelled") for _ in range(2))

    assert (first.code, first.out) == (0, "Release 2 is revoked.\n")
    assert "Copies" in first.err
    assert second.code == 2
    assert "revoked already" in second.err
    assert json.loads(biombo("register", "show", 2, "--json").out)["status"] == "revoked"


def test_after_a_breach_it_is_said_whom_to_tell(biombo, url):
    ending = biombo("register", "breach", 1, "--what", "found online", "--json")

    assert "ANPD" in ending.err
    assert json.loads(ending.out)["events"][-1]["note"] == "found online"


def test_the_option_comes_before_the_environment(biombo, url, tmp_path):
    ending = biombo("register", "list", "--register", f"sqlite:///{tmp_path}/other.db")

    assert ending.code == 2
    assert "no register at this address" in ending.err


@pytest.mark.parametrize("command", [("list",), ("show", 1), ("due",), ("revoke", 1, "--reason", "x")])
def test_without_a_register_it_is_said_how_to_name_one(biombo, monkeypatch, command):
    monkeypatch.delenv("BIOMBO_REGISTER", raising=False)
    ending = biombo("register", *command)

    assert (ending.code, ending.out) == (2, "")
    assert "--register" in ending.err
    assert "BIOMBO_REGISTER" in ending.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("show", 99), "There is no release 99 in the register"),
        (("show", "x"), "The value of 'ID' cannot be used: it must be a whole number"),
        (("show",), "'ID' is missing."),
        (("revoke", 1), "'--reason' is missing."),
        (("revoke", 1, "--reason", " "), "reason must be a text"),
        (("breach", 1, "--what", f"postgresql://u:{SECRET}@h/d leaked"), "The text given as what seems to"),
        (("due", "--on", "tomorrow"), "--on cannot be 'tomorrow'; write the date as YYYY-MM-DD."),
        (("review", 1, "--found", "x", "--next", "2027-13-01"), "--next cannot be"),
        (("lst",), "There is no command 'lst'; did you mean 'list'?"),
    ],
)
def test_mistakes_end_in_one_sentence(biombo, url, arguments, sentence):
    ending = biombo("register", *arguments)

    assert (ending.code, ending.out) == (2, "")
    assert ending.err.startswith(f"error: {sentence}")
    assert ending.err.count("\n") == 1
    assert SECRET not in ending.err


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://u:{SECRET}@127.0.0.1:1/x",
        f"postgresql://u:{SECRET}@{SECRET}@127.0.0.1/x",
        f"mysql://u:{SECRET}@127.0.0.1/x",
        f"postgresql://u:{SECRET}  x%zz@127.0.0.1:1/x",
        f"postgresql://u:a  {SECRET}%zz@127.0.0.1:1/x",
        f"postgresql://u:a\t{SECRET}%zz@127.0.0.1:1/x",
        f"postgresql://127.0.0.1:1/x?{SECRET}=1",
    ],
)
@pytest.mark.parametrize("command", [("list",), ("revoke", 1, "--reason", "x")])
def test_the_password_of_a_register_is_never_shown(biombo, url, command):
    ending = biombo("register", *command, "--register", url)

    assert ending.code == 2
    assert SECRET not in ending.out + ending.err


def test_without_a_command_the_help_is_shown(biombo):
    ending = biombo("register")

    assert ending.code == 2
    for name in ("list", "show", "due", "review", "revoke", "breach"):
        assert name in ending.out


@pytest.mark.parametrize("place", [("--lang", "pt", "register", "list"), ("register", "--lang", "pt", "list")])
def test_everything_is_told_in_portuguese_too(biombo, url, place):
    assert "Publicações" in biombo(*place).out
    assert "só visualização" in biombo("register", "show", 1, "--lang", "pt").out
    assert biombo("register", "revoke", 1, "--reason", "x", "--lang", "pt").out == "A publicação 1 está revogada.\n"


def test_what_others_typed_cannot_steer_the_terminal(biombo, url):
    biombo("register", "breach", 1, "--what", "\x1b[31mred")

    assert "\x1b" not in biombo("register", "show", 1).out
