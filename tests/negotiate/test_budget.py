"""Measurements are counted by person and source, and the log of them gives no document away."""

import hashlib
import json
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from negotiations import ANA, REQUESTER, RITA, asked, decades, led_to, preparation, table

import biombo as bb
from biombo._negotiate import NegotiationRecord

DIGITS = "12345678909"
"""Of the document that Rita shows."""


def digest(*parts: str) -> str:
    """What marks were before they had a key."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def unkeyed(home) -> None:
    """Make a log what it was before its marks had a key."""
    log = home / "measurements.jsonl"
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    old = [each | {"requester": digest("requester", DIGITS)} for each in entries]
    log.write_text("".join(f"{json.dumps(each)}\n" for each in old))
    (home / "measurements.key").unlink()


def again(home) -> bb.Negotiation:
    return bb.Negotiation.begin(asked(), table(), home=home)


def test_no_document_is_found_in_the_log_without_its_key(tmp_path):
    led_to(tmp_path, "applying")
    told = (tmp_path / "measurements.jsonl").read_text()

    assert digest("requester", DIGITS) not in told
    assert digest("requester", DIGITS)[1:] not in told
    assert (tmp_path / "measurements.key").stat().st_mode & 0o777 == 0o600


def test_two_agencies_mark_the_same_person_differently(tmp_path):
    marks = []
    for name in ("one", "other"):
        led_to(tmp_path / name, "applying")
        log = (tmp_path / name / "measurements.jsonl").read_text()
        marks += {json.loads(line)["requester"] for line in log.splitlines()}
    assert len({*marks}) == 2


def test_budgets_without_a_key_count_and_get_one(tmp_path):
    talk = led_to(tmp_path, "applying")
    left = talk.view(RITA).measurements_left
    unkeyed(tmp_path)

    assert again(tmp_path).view(RITA).measurements_left == left == 29
    told = (tmp_path / "measurements.jsonl").read_text()
    assert digest("requester", DIGITS) not in told
    assert len({*re.findall(r'"requester": "([^"]*)"', told)}) == 1
    assert led_to(tmp_path, "applying").view(RITA).measurements_left == 29  # which is a repeat


def test_accounts_without_a_key_count_and_get_one(tmp_path):
    someone = replace(REQUESTER, id="17")
    talk = bb.Negotiation.begin(asked(requester=someone), table(), home=tmp_path)
    talk.act(ANA, preparation())
    talk.act(bb.Actor("requester", RITA.name, "17"), bb.Accept([decades(2)]))
    unkeyed(tmp_path)
    log = tmp_path / "measurements.jsonl"
    log.write_text(re.sub(r'"account": "[^"]*"', f'"account": "{digest("account", "17")}"', log.read_text()))
    other = replace(someone, document="555.444.333-22")

    found = bb.Negotiation.begin(asked(requester=other), table(), home=tmp_path).budget
    assert found.left == 29
    assert digest("account", "17") not in log.read_text()


def test_a_key_that_was_lost_is_told_and_not_made_anew(tmp_path):
    talk = led_to(tmp_path, "applying")
    (tmp_path / "measurements.key").unlink()

    with pytest.raises(bb.InputError, match=r"measurements.key is damaged"):
        talk.view(RITA)
    (tmp_path / "measurements.key").write_text("short")
    with pytest.raises(bb.InputError, match=r"measurements.key is damaged"):
        talk.view(RITA)


def test_whoever_begins_at_once_makes_one_key(tmp_path):
    folder = again(tmp_path).folder
    (tmp_path / "measurements.key").unlink(missing_ok=True)
    with ThreadPoolExecutor(8) as pool:
        marks = {*pool.map(lambda _: NegotiationRecord.read(folder).budget.requester, range(32))}
    assert len(marks) == 1
