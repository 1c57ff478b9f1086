"""What was given once is given to nobody else (PDPC 2018, 9.6), run after run."""

import stat

import polars as pl
import pytest
from partition_engine import PartitionEngine
from refusal import refused

import biombo as bb
from biombo._plan.pseudonyms import UsedPseudonyms, record_of, recorded
from biombo._secrets import Key, load_key, load_keys

CODES = [f"code{number}" for number in range(6)]


@pytest.fixture
def key(tmp_path):
    bb.new_key(tmp_path / "a.key")
    return tmp_path / "a.key"


def plan(key, *columns, **entries) -> bb.Plan:
    usual = {"kind": "random", "length": 1, "alphabet": "abcdefghijkl", "once": True}
    operations = [bb.Pseudonymise(column, key=bb.key_id(key), **usual | entries) for column in columns or ["name"]]
    return bb.Plan(operations, identifiers=[each.column for each in operations])


def given_by(asked: bb.Plan, key, **columns) -> list[str]:
    data = bb.apply(pl.DataFrame(columns or {"name": ["Ana", "Bia"]}), asked, key=key).data
    return [value for column in data for value in column]


def test_no_run_gives_what_one_before_gave(key) -> None:
    runs = [given_by(plan(key), key) for _ in range(3)]  # six of twelve, which is half

    assert len({each for run in runs for each in run}) == 6
    assert recorded(key.with_name("a.key"), load_key(key)) == {each for run in runs for each in run}


def test_when_there_are_no_others_left_it_says_so_and_nothing_is_recorded(key) -> None:
    for _ in range(3):
        given_by(plan(key), key)
    before = record_of(key).read_bytes()

    with refused("pseudonyms.too-many", "'name'"):
        given_by(plan(key), key)
    assert record_of(key).read_bytes() == before


def test_a_list_is_used_up_over_runs(key) -> None:
    asked = plan(key, kind="listed", list=CODES, length=None, alphabet=None, once=None)
    runs = [given_by(asked, key) for _ in range(3)]

    assert sorted(each for run in runs for each in run) == CODES
    with refused("pseudonyms.list-short", "0"):
        given_by(asked, key)


def test_parts_of_a_table_that_are_read_apart_do_not_share_any(key) -> None:
    asked = plan(key, kind="listed", list=CODES, length=None, alphabet=None, once=None)
    runs = [
        bb.apply(pl.DataFrame({"name": names}), asked, key=key, engine=PartitionEngine(2)).data["name"].to_list()
        for names in (["Ana", "Bia", "Ana", "Caio"], ["Eva", "Ida", "Eva", "Rui"])
    ]

    assert [len(set(run)) for run in runs] == [3, 3]
    assert sorted({each for run in runs for each in run}) == CODES


def test_columns_of_one_run_do_not_share_any(key) -> None:
    both = {"name": ["Ana", "Bia", "Caio"], "mother": ["Eva", "Ana", "Ida"]}
    given = given_by(plan(key, "name", "mother"), key, **both)

    assert len(set(given)) == 6


def test_longer_ones_leave_room_for_short_ones(key) -> None:
    given_by(plan(key, length=20), key, name=[str(number) for number in range(50)])

    assert len(set(given_by(plan(key), key, name=[str(number) for number in range(6)]))) == 6


def test_a_preview_uses_nothing_up(key) -> None:
    bb.preview(pl.DataFrame({"name": ["Ana", "Bia"]}), plan(key), key=key)

    assert not record_of(key).exists()


def test_a_run_that_fails_uses_nothing_up(key, tmp_path) -> None:
    failing = bb.Plan([*plan(key).operations, bb.Generalise("age", bb.Hierarchy.load({"*": ["1"]}), 1)])

    with pytest.raises(bb.BiomboError):
        bb.apply(pl.DataFrame({"name": ["Ana"], "age": ["2"]}), failing, tmp_path / "out.csv", key=key)
    assert not record_of(key).exists()


def test_without_once_there_is_no_record(key) -> None:
    bb.apply(pl.DataFrame({"name": ["Ana"]}), bb.Plan([bb.Pseudonymise("name", "random")]))

    assert [path.name for path in key.parent.iterdir()] == ["a.key"]


def test_the_record_is_sealed_and_for_its_owner_alone(key) -> None:
    given = given_by(plan(key, length=20), key)
    content = record_of(key).read_bytes()

    assert stat.S_IMODE(record_of(key).stat().st_mode) == 0o600
    assert not any(each.encode() in content for each in given)
    with refused("pseudonyms.damaged-record", "a.key.used"):
        recorded(key, Key.new())
    record_of(key).write_bytes(content[:-1])
    with refused("pseudonyms.damaged-record", "a.key.used"):
        given_by(plan(key), key)


def test_another_run_that_gave_the_same_meanwhile_is_noticed(key) -> None:
    mine, other = (UsedPseudonyms(load_keys(key)) for _ in range(2))
    mine.taken(bb.key_id(key)).add("a")
    other.taken(bb.key_id(key)).update(["a", "b"])
    other.keep()

    with refused("pseudonyms.given-meanwhile", "a.key.used"):
        mine.keep()
    assert recorded(key, load_key(key)) == {"a", "b"}


def test_a_key_that_is_in_no_file_is_told_of(key) -> None:
    with refused("keys.not-in-file", bb.key_id(key)):
        given_by(plan(key), load_key(key))
