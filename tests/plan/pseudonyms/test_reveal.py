"""Pseudonyms are undone with the key, for a reason, on record, and not too many at once."""

import json
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from refusal import refused

import biombo as bb
from biombo._engine import Randomness
from biombo._plan.pseudonyms import seal_table
from biombo._secrets import REVEALS, Key

KEY, OTHER = Key(bytes(range(32))), Key(bytes(32))
CPFS = ["123.456.789-09", "111.444.777-35", "52998224725"]
OPERATIONS = {
    "random": bb.Pseudonymise("cpf", "random", key=KEY.id, reversible_=True),
    "keyed": bb.Pseudonymise("cpf", "keyed", key=KEY.id, reversible_=True, scope_="everywhere"),
    "cpf": bb.Pseudonymise("cpf", "format-preserving", key=KEY.id, dataset="2024", format="cpf"),
    "digits": bb.Pseudonymise("cpf", "format-preserving", key=KEY.id, dataset="2024", format="digits"),
}


@pytest.fixture
def private(tmp_path) -> Path:
    folder = tmp_path / "private"
    folder.mkdir(mode=0o700)
    return folder


def pseudonyms(plan: bb.Plan, private: Path, values: list[str] = CPFS) -> list[str]:
    applied = bb.apply(pl.DataFrame({"cpf": values}), plan, key=KEY, private=private, keep_order=True)
    assert applied.data is not None
    return applied.data["cpf"].to_list()


def revealed(asked: list[str], plan: bb.Plan, private: Path, **options: Any) -> dict[str, str | None]:
    usual = {"plan": plan, "key": KEY, "private": private, "who": "the DPO", "reason": "request 17"}
    return bb.reveal(asked, "cpf", **usual | options)


def log(private: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (private / REVEALS).read_text("utf-8").splitlines()]


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_values_come_back_exactly_with_the_key(operation, private) -> None:
    plan = bb.Plan([operation])
    given = pseudonyms(plan, private)

    assert revealed(given, plan, private) == dict(zip(given, CPFS, strict=True))


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_and_not_at_all_with_another_key_or_none(operation, private) -> None:
    plan = bb.Plan([operation])
    given = pseudonyms(plan, private)

    with refused("keys.wrong", KEY.id, OTHER.id):
        revealed(given, plan, private, key=OTHER)
    with refused("keys.missing", KEY.id):
        revealed(given, plan, private, key=[])
    assert not (private / REVEALS).exists()


def test_each_use_is_logged_with_who_why_when_and_how_many_but_not_which(private) -> None:
    plan = bb.Plan([OPERATIONS["random"]])
    given = pseudonyms(plan, private)
    revealed([*given, given[0], "nobody"], plan, private)
    (entry,) = log(private)

    assert abs(datetime.now(UTC) - datetime.fromisoformat(entry.pop("when"))) < timedelta(minutes=1)
    assert entry == {
        "who": "the DPO",
        "reason": "request 17",
        "column": "cpf",
        "key": KEY.id,
        "asked": 4,
        "found": 3,
    }
    assert stat.S_IMODE((private / REVEALS).stat().st_mode) == 0o600
    assert not any(each in (private / REVEALS).read_text() for each in (*given, *CPFS, KEY.secret.hex()))


def test_no_log_no_values(private) -> None:
    plan = bb.Plan([OPERATIONS["cpf"]])
    (private / REVEALS).mkdir()

    with refused("output.refused", REVEALS):
        revealed(pseudonyms(plan, private), plan, private)


@pytest.mark.parametrize(("option", "key"), [("who", "reveal.no-who"), ("reason", "reveal.no-reason")])
@pytest.mark.parametrize("given", ["", "  \n"])
def test_nobody_and_no_reason_are_refused(private, option, key, given) -> None:
    with refused(key):
        revealed(["x"], bb.Plan([OPERATIONS["cpf"]]), private, **{option: given})
    assert list(private.iterdir()) == []


def test_too_many_at_once_are_refused(private) -> None:
    with refused("reveal.too-many", "101", "100"):
        revealed([str(number) for number in range(101)], bb.Plan([OPERATIONS["cpf"]]), private)
    assert log(private) == []


def test_too_many_in_an_hour_are_refused(private) -> None:
    plan = bb.Plan([OPERATIONS["cpf"]])
    revealed([str(number) for number in range(60)], plan, private)

    with refused("reveal.too-many-recently", "60", "41", "100"):
        revealed([str(number) for number in range(41)], plan, private)
    revealed([str(number) for number in range(40)], plan, private)
    revealed(["x"], plan, private, at_most=101)
    assert [entry["asked"] for entry in log(private)] == [60, 40, 1]


def test_what_was_undone_over_an_hour_ago_does_not_count(private) -> None:
    plan = bb.Plan([OPERATIONS["cpf"]])
    revealed([str(number) for number in range(60)], plan, private)
    old = (datetime.now(UTC) - timedelta(minutes=61)).isoformat()
    (private / REVEALS).write_text("".join(json.dumps(entry | {"when": old}) + "\n" for entry in log(private)))

    assert len(revealed([str(number) for number in range(100)], plan, private)) == 100


@pytest.mark.parametrize("cut", [1, 5, 40])
def test_a_line_that_was_never_finished_does_not_block_and_does_not_count(private, cut) -> None:
    plan = bb.Plan([OPERATIONS["cpf"]])
    for start in (0, 60):
        revealed([str(number) for number in range(start, start + 40)], plan, private)
    (private / REVEALS).write_bytes((private / REVEALS).read_bytes()[:-cut])
    counted = 40 if cut > 1 else 80  # of which only the end of the line is missing

    with refused("reveal.too-many-recently", str(counted)):
        revealed([str(number) for number in range(101 - counted)], plan, private)
    assert len(revealed([str(number) for number in range(100 - counted)], plan, private)) == 100 - counted
    assert [entry.get("asked") for entry in log(private)] == ([40, None, 60] if cut > 1 else [40, 40, 20])


@pytest.mark.parametrize(
    "line",
    [
        '{"when": "2999-01-01T00:00:00+00:00", "asked": -99}\n',
        "{\n{}\n",
        "nonsense\n",
        "{}\n",
        '{"when": "yesterday", "asked": 1}\n',
        "[]\n",
    ],
)
def test_a_damaged_log_is_not_passed_over(private, line) -> None:
    (private / REVEALS).write_text(line)

    with refused("reveal.damaged-log", REVEALS):
        revealed(["x"], bb.Plan([OPERATIONS["cpf"]]), private)


def test_what_is_no_pseudonym_is_not_known(private) -> None:
    plan = bb.Plan([OPERATIONS["cpf"]])

    assert revealed(["x", "123.456.789-09"], plan, private) == {"x": None, "123.456.789-09": None}


def test_irreversible_pseudonyms_stay_what_they_are(private) -> None:
    with refused("reveal.irreversible", "'cpf'"):
        revealed(["x"], bb.Plan([bb.Pseudonymise("cpf", "random")]), private)
    with refused("reveal.not-pseudonymised", "'cpf'"):
        revealed(["x"], bb.Plan([bb.Pseudonymise("name", "random")]), private)


def test_a_folder_without_the_table_is_told(private, tmp_path) -> None:
    with refused("reveal.no-table", "'cpf'", KEY.id):
        revealed(["x"], bb.Plan([OPERATIONS["random"]]), private)
    with refused("reveal.no-folder", "elsewhere"):
        revealed(["x"], bb.Plan([OPERATIONS["random"]]), tmp_path / "elsewhere")


def test_pseudonyms_that_two_runs_gave_to_different_people_need_the_table_of_the_run(private) -> None:
    plan = bb.Plan([OPERATIONS["random"]])
    for person in ("Ana", "Bia"):
        with (private / f"{person}.identities").open("wb") as file:
            seal_table(file, {"12": person, person: person}, "cpf", KEY, Randomness())

    with refused("reveal.ambiguous", "'cpf'"):
        revealed(["12"], plan, private)
    assert revealed(["Ana", "Bia"], plan, private) == {"Ana": "Ana", "Bia": "Bia"}
    assert revealed(["12"], plan, private, table=private / "Bia.identities") == {"12": "Bia"}


def test_one_text_is_not_a_list(private) -> None:
    with refused("usage.string-for-list", "pseudonyms"):
        bb.reveal("x", "cpf", plan=bb.Plan([OPERATIONS["cpf"]]), key=KEY, private=private, who="a", reason="b")
