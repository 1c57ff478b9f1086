"""Pseudonyms that are given once are used up by what is published, and by nothing else."""

import re
from datetime import date

import polars as pl

import biombo as bb
from biombo._plan.pseudonyms import record_of, recorded
from biombo._release import rehearse
from biombo._secrets import load_key

TABLE = pl.DataFrame({"name": ["Ana", "Bia"], "city": ["Rio"] * 2})


def test_publishing_records_what_goes_out_and_its_rehearsal_nothing(tmp_path) -> None:
    key = tmp_path / "a.key"
    names = ["Arara", "Bugio", "Capivara"]
    pseudonyms = bb.Pseudonymise("name", "listed", key=bb.new_key(key), list=names)
    plan = bb.Plan([pseudonyms], [bb.KAnonymity(2)], quasi=["city"], identifiers=["name"])
    usual = {"plan_keys": key, "accept": {"name": "they are made up"}}

    for _ in range(2):
        rehearse(TABLE, plan, tmp_path / "release", **usual)
    assert not record_of(key).exists()
    release = bb.publish(TABLE, plan, tmp_path / "release", pdf=False, **usual)
    assert recorded(key, load_key(key)) == set(release.data["name"]) < set(names)


def test_the_private_report_says_by_when_ciphers_are_to_be_reviewed_and_the_public_one_does_not(tmp_path) -> None:
    key = tmp_path / "a.key"
    pseudonyms = bb.Pseudonymise("name", "keyed", key=bb.new_key(key, review=date(2999, 1, 31)), dataset="clinic")
    plan = bb.Plan([pseudonyms], [bb.KAnonymity(2)], quasi=["city"], identifiers=["name"])
    release = bb.publish(
        TABLE, plan, tmp_path / "release", plan_keys=key, accept={"name": "they are made up"}, pdf=False
    )

    assert f"Key {bb.key_id(key)}: look by January 31, 2999" in text_of(release.page(private=True))
    assert bb.key_id(key) not in release.page(private=False)


def text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", "", page).split())
