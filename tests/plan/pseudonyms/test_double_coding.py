"""Double coding (PDPC 2018, 9.13): neither party can tell alone who is behind a code, both together can."""

import json
from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest
from goodness_of_fit import assert_follows
from partition_engine import PartitionEngine
from refusal import refused

import biombo as bb
from biombo._secrets import load_key

PEOPLE = ["Joe Phang", "Zack Lim", "Eu Cheng San", "Linnie Mok", "Jeslyn Tan", "Chan Siew Lee"]
WHY = {"who": "the officer", "reason": "request 17"}


@pytest.fixture
def parties(tmp_path):
    """The folders of both, with their keys, and the plan, which names both keys."""
    agency, third = tmp_path / "agency", tmp_path / "third"
    for folder in (agency, third):
        folder.mkdir()
    ids = {"key": bb.new_key(agency / "a.key"), "third_party": bb.new_key(third / "t.key")}
    plan = bb.Plan([bb.Pseudonymise("person", "double", dataset="driving", **ids)], identifiers=["person"])
    return SimpleNamespace(agency=agency, third=third, plan=plan, **ids)


def table(people=PEOPLE) -> pl.DataFrame:
    return pl.DataFrame({"person": people, "hours": [20, 26, 30, 29, 32, 25][: len(people)]})


def exchange(parties, people=PEOPLE, number=0) -> None:
    codes, links = parties.agency / f"codes{number}.csv", parties.third / f"links{number}.csv"
    bb.ask_for_codes(table(people), "person", plan=parties.plan, key=parties.agency / "a.key", out=codes)
    bb.answer_codes(codes, key=parties.third / "t.key", out=links)
    bb.take_codes(links, key=parties.agency / "a.key")


def released(parties, people=PEOPLE) -> list[str]:
    private, key = parties.agency / "private", parties.agency / "a.key"
    applied = bb.apply(table(people), parties.plan, key=key, private=private, keep_order=True)
    return applied.data["person"].to_list()


def named(parties, codes) -> dict[str, str | None]:
    private, key = parties.agency / "private", parties.agency / "a.key"
    return bb.reveal(codes, "person", plan=parties.plan, key=key, private=private, **WHY)


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


def test_both_together_find_the_people_of_the_guide(parties) -> None:
    exchange(parties)
    out = released(parties)
    bb.forget_codes(parties.agency / "a.key")
    first = bb.first_codes(out, key=parties.third / "t.key", **WHY)

    assert len(set(out)) == len(PEOPLE)
    assert [named(parties, [first[code]])[first[code]] for code in out] == PEOPLE


def test_the_third_party_gets_codes_and_nothing_else(parties) -> None:
    exchange(parties)
    heading, *codes = lines(parties.agency / "codes0.csv")
    theirs = b"".join(path.read_bytes() for path in parties.third.iterdir())

    assert heading == parties.key
    assert len(codes) == len(set(codes)) == len(PEOPLE)
    assert all(code.isalnum() and len(code) == 20 for code in codes)
    assert not any(word.encode() in theirs for word in (*PEOPLE, "person", "hours", "driving"))


def test_the_files_of_the_third_party_do_not_tell_who_is_who(parties) -> None:
    """All that it has are codes under a key that it has not; that of its own gives other codes for every name."""
    exchange(parties)
    out = released(parties)
    known = {*lines(parties.agency / "codes0.csv")[1:], *out}
    guessing = bb.Pseudonymise("person", "keyed", key=parties.third_party, dataset="driving")
    guessed = bb.apply(table(), bb.Plan([guessing]), key=parties.third / "t.key").data["person"]

    assert known.isdisjoint(guessed)
    with refused("keys.wrong", parties.key, parties.third_party):
        bb.reveal(
            out, "person", plan=parties.plan, key=parties.third / "t.key", private=parties.agency / "private", **WHY
        )


def test_the_files_of_the_agency_do_not_tell_who_is_who_once_it_has_forgotten(parties) -> None:
    exchange(parties)
    out = released(parties)
    assert bb.forget_codes(parties.agency / "a.key") == 1
    theirs = b"".join(path.read_bytes() for path in parties.agency.rglob("*") if path.is_file())

    assert not any(code.encode() in theirs for code in out)
    assert set(named(parties, out).values()) == {None}
    with refused("codes.no-links", "'person'", parties.third_party):
        released(parties)


def test_what_is_released_is_in_no_file_of_the_agency_in_the_open(parties) -> None:
    exchange(parties)
    out = released(parties)
    kept = b"".join(path.read_bytes() for path in parties.agency.rglob("*") if path.is_file())

    assert not any(code.encode() in kept for code in out)


def test_the_order_of_rows_tells_nothing(parties) -> None:
    """Where the first person stands in either file is a matter of chance, each place alike."""
    key, third = parties.agency / "a.key", parties.third / "t.key"
    people = PEOPLE[:3]
    in_codes, in_links = [], []
    for number in range(120):
        codes, links = parties.agency / f"c{number}", parties.third / f"l{number}"
        bb.ask_for_codes(table(people), "person", plan=parties.plan, key=key, out=codes)
        bb.answer_codes(codes, key=third, out=links)
        first = code_of(parties, people[0])
        in_codes.append(lines(codes).index(first))
        in_links.append([line.split(",")[0] for line in lines(links)].index(first))

    assert_follows(in_codes, dict.fromkeys((1, 2, 3), 1 / 3))
    assert_follows(in_links, dict.fromkeys((1, 2, 3), 1 / 3))
    assert in_codes != in_links


def code_of(parties, person: str) -> str:
    return parties.plan.operations[0].codes(load_key(parties.agency / "a.key")).of([person])[0]


def test_who_comes_later_is_asked_for_and_the_others_keep_their_codes(parties) -> None:
    exchange(parties, PEOPLE[:4])
    before = released(parties, PEOPLE[:4])

    with refused("codes.unanswered", "'person'", "2"):
        released(parties)
    exchange(parties, PEOPLE[4:], number=1)
    assert released(parties)[:4] == before
    assert None not in bb.first_codes(released(parties), key=parties.third / "t.key", **WHY).values()


def test_the_key_of_the_wrong_party_is_one_clear_error(parties) -> None:
    exchange(parties)
    agency, third = parties.agency / "a.key", parties.third / "t.key"

    with refused("codes.own-key", parties.key):
        bb.answer_codes(parties.agency / "codes0.csv", key=agency, out=parties.agency / "own.csv")
    with refused("codes.wrong-party", parties.third_party, parties.key):
        bb.take_codes(parties.third / "links0.csv", key=third)
    with refused("codes.wrong-party", parties.key, parties.third_party):
        bb.first_codes(["x"], key=agency, **WHY)
    with refused("keys.wrong", parties.key, parties.third_party):
        bb.ask_for_codes(table(), "person", plan=parties.plan, key=third, out=parties.third / "c.csv")
    with refused("codes.both-keys", parties.third_party):
        bb.apply(table(), parties.plan, key=[agency, third], private=parties.agency / "private")
    bb.new_key(parties.third / "other.key")
    with refused("codes.neither", parties.key, parties.third_party):
        bb.take_codes(parties.third / "links0.csv", key=parties.third / "other.key")
    with refused("codes.nothing-answered", "other.key"):
        bb.first_codes(["x"], key=parties.third / "other.key", **WHY)


@pytest.mark.parametrize(
    "content", ["", "name\nAna\n", "key-0123456789abcdef,hours\na,1\n", "key-0123456789abcdef\na b\n", "\u00e9\n"]
)
def test_what_is_more_than_codes_is_refused(parties, content) -> None:
    (parties.third / "c.csv").write_text(content, "utf-8")

    with refused("codes.no-codes", "c.csv"):
        bb.answer_codes(parties.third / "c.csv", key=parties.third / "t.key", out=parties.third / "l.csv")


def test_an_answer_that_makes_one_of_two_people_is_refused(parties) -> None:
    (parties.agency / "l.csv").write_text(f"{parties.key},{parties.third_party}\na,x\nb,x\n")

    with refused("codes.ambiguous", "l.csv"):
        bb.take_codes(parties.agency / "l.csv", key=parties.agency / "a.key")


def test_every_engine_releases_the_same_codes(parties) -> None:
    exchange(parties)
    elsewhere = bb.apply(
        table(),
        parties.plan,
        key=parties.agency / "a.key",
        private=parties.agency / "private",
        keep_order=True,
        engine=PartitionEngine(2),
    )

    assert elsewhere.data["person"].to_list() == released(parties)


def test_one_party_alone_is_no_double_coding(parties) -> None:
    with refused("pseudonyms.one-party", parties.key):
        bb.Pseudonymise("person", "double", key=parties.key, third_party=parties.key, dataset="a")
    with refused("pseudonyms.no-third-party", "'person'"):
        bb.Pseudonymise("person", "double", key=parties.key, dataset="a")
    with refused("pseudonyms.third-party-unused", "'person'"):
        bb.Pseudonymise("person", "keyed", key=parties.key, third_party=parties.third_party, dataset="a")


def test_the_third_party_logs_each_use_and_gives_nothing_for_no_reason(parties) -> None:
    exchange(parties)
    bb.first_codes([*released(parties), "nobody"], key=parties.third / "t.key", **WHY)
    (entry,) = (json.loads(line) for line in lines(parties.third / "reveals.jsonl"))

    assert (entry["who"], entry["asked"], entry["found"]) == ("the officer", 7, 6)
    with refused("reveal.no-reason"):
        bb.first_codes(["x"], key=parties.third / "t.key", who="a", reason=" ")
    with refused("reveal.too-many-recently"):
        bb.first_codes([str(number) for number in range(95)], key=parties.third / "t.key", **WHY)


def test_a_damaged_answer_is_told(parties) -> None:
    exchange(parties)
    (sealed,) = parties.agency.glob("*.links")
    sealed.write_bytes(sealed.read_bytes()[:-1])

    with refused("codes.damaged-links", sealed.name):
        released(parties)
